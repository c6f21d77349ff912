import type { Wing } from '../../operations/wing.ts';
import { SETTING_OPERATIONS } from './operations.ts';

/** Settings that an approver changes: who the agent is, who is served, what answers. */
export const settings: Wing = {
  name: 'settings',
  nouns: {
    config: 'the settings that change while I run: budgets, time zone, home chat and more',
    identity: 'who I am and how I speak',
    chats: 'the Telegram chats I serve because they were paired',
    mcp: 'tools of other servers (MCP): see, let in, accept, take away',
  },
  operations: SETTING_OPERATIONS,
  loadHandlers: async () => (await import('./handlers.ts')).SETTING_HANDLERS,
};
