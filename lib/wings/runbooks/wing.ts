import type { Wing } from '../../operations/wing.ts';
import { RUNBOOK_OPERATIONS } from './operations.ts';

/** Runbooks: checked files of steps, and their runs. */
export const runbooks: Wing = {
  name: 'runbooks',
  nouns: { runbook: 'checked files of steps: see, try and run them; see and stop their runs' },
  operations: RUNBOOK_OPERATIONS,
  loadHandlers: async () => (await import('./handlers.ts')).RUNBOOK_HANDLERS,
};
