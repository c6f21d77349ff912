/** The work of features beside the stack of this machine, which `start.ts` begins. */
import { skillsBeside } from '../features/skills/beside.ts';
import type { Beside } from './beside.ts';

export const BESIDE: readonly Beside[] = [skillsBeside];
