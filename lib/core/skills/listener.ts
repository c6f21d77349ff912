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

/** Finds the handlers that listen to one of some hooks, such as `sensor:webhook`, `tick`. */
export type FindListeners = (hooks: readonly string[]) => Promise<readonly Listener[]>;

/** On an error a handler may leave it, end it without the model, or end it with a text. */
export type Choice = 'skip' | 'abort' | { readonly text: string };
