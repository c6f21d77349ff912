/** A skill's handler as those see it that let it run: without the sandbox that runs it. */
import type { SkillTrust } from './skill-change.ts';

export interface Listener {
  readonly skill: string;
  readonly trust: SkillTrust;
  readonly handler: string;
  readonly on: string;
  /** SHA-256 of its code. */
  readonly code: string;
}
