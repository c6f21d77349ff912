/** Steps for an older copy of the table. `wings/restore/restore.ts` alone imports this list. */
import type { AfterRestore } from '../operations/hooks.ts';
import { skipRestored } from './jobs/tick.ts';

export const AFTER_RESTORE: readonly AfterRestore[] = [skipRestored];
