import type { Wing } from '../../operations/wing.ts';
import { SKILL_OPERATIONS } from './operations.ts';

/** Skills: what the agent may do of its own. */
export const skills: Wing = {
  name: 'skills',
  nouns: { skill: 'what the agent may do of its own: make, check, add and switch skills' },
  operations: SKILL_OPERATIONS,
  loadHandlers: async () => (await import('./handlers.ts')).SKILL_HANDLERS,
};
