/** Hooks for a restored table. `wings/restore/restore.ts` alone imports this list. */
import type { RestoredHook } from '../operations/hooks.ts';
import { runnerRestored } from './runner/tick.ts';

export const RESTORED_HOOKS: readonly RestoredHook[] = [runnerRestored];
