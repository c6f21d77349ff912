import type { Wing } from '../../operations/wing.ts';
import { JOB_OPERATIONS } from './operations.ts';

/** Jobs: what runs by itself, and when. */
export const jobs: Wing = {
  name: 'jobs',
  nouns: { jobs: 'what runs by itself, and when: make, see, change, run' },
  operations: JOB_OPERATIONS,
  loadHandlers: async () => (await import('./handlers.ts')).JOB_HANDLERS,
};
