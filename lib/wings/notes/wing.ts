import type { Wing } from '../../operations/wing.ts';
import { NOTE_OPERATIONS } from './operations.ts';

/** Notes: what is remembered, and what memory was. */
export const notes: Wing = {
  name: 'notes',
  nouns: {
    memory: 'what is remembered; in a group: whether I read memory there (open, ask, close)',
    project: 'projects: begin, end and list them',
  },
  operations: NOTE_OPERATIONS,
  loadHandlers: async () => (await import('./handlers.ts')).NOTE_HANDLERS,
};
