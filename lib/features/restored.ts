/** Steps for an older copy of the table, which the feature `restore` takes. */
import type { AfterRestore, RestoredHook } from '../core/operations/hooks.ts';
import { skipRestored } from './jobs/tick.ts';
import { runnerRestored } from './runner/tick.ts';

export const AFTER_RESTORE: readonly AfterRestore[] = [skipRestored];
export const RESTORED_HOOKS: readonly RestoredHook[] = [runnerRestored];
