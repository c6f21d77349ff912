import type { Wing } from '../../operations/wing.ts';
import { MONEY_OPERATIONS } from './operations.ts';

/** Money: what is spent, what is left, what things cost. */
export const money: Wing = {
  name: 'money',
  operations: MONEY_OPERATIONS,
  loadHandlers: async () => (await import('./handlers.ts')).MONEY_HANDLERS,
};
