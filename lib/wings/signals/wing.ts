import type { Wing } from '../../operations/wing.ts';
import { SIGNAL_OPERATIONS } from './operations.ts';

/** Signals: what is going on, and why one ended as it did. */
export const signals: Wing = {
  name: 'signals',
  operations: SIGNAL_OPERATIONS,
  loadHandlers: async () => (await import('./handlers.ts')).SIGNAL_HANDLERS,
};
