/** The work of features beside the stack of this machine. `start.ts` and `database.ts` begin it. */
import { copyBeside } from '../features/backup/copy-table.ts';
import { skillsBeside } from '../features/skills/beside.ts';
import type { Beside, BesideTable } from './beside.ts';

export const BESIDE: readonly Beside[] = [skillsBeside];
export const BESIDE_TABLE: readonly BesideTable[] = [copyBeside];
