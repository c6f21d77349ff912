/** Jobs that came with the program, and what each is for. */
import { SKILL_JOBS } from './skills/built-in-jobs.ts';

export const BUILT_IN_JOBS: ReadonlyMap<string, string> = new Map([...SKILL_JOBS]);
