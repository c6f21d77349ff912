import type { Wing } from '../../operations/wing.ts';
import { APPROVAL_OPERATIONS } from './operations.ts';

/** What a person allows: one action by a yes, or the same again by a grant. */
export const approvals: Wing = {
  name: 'approvals',
  nouns: { grants: 'what may happen again without asking' },
  operations: APPROVAL_OPERATIONS,
  loadHandlers: async () => (await import('./handlers.ts')).APPROVAL_HANDLERS,
};
