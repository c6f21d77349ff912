import type { Wing } from '../../operations/wing.ts';
import { RUNNER_OPERATIONS } from './operations.ts';

/** Runners: the owner's machines. */
export const runners: Wing = {
  name: 'runners',
  nouns: { runners: 'machines that perform commands: see, pair, pause, remove' },
  operations: RUNNER_OPERATIONS,
  loadHandlers: async () => (await import('./handlers.ts')).RUNNER_HANDLERS,
};
