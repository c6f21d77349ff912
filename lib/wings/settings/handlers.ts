/** The answers to the verbs of settings: each is one call of a tool, which Act performs. */
import { change, type Handler } from '../../operations/operation.ts';
import { chatsList, chatsRemove, mcpAccept, mcpAdd, mcpList, mcpRemove } from './operations.ts';

export const SETTING_HANDLERS: readonly Handler[] = [
  change(chatsList, () => ({ call: { tool: 'list-chats', args: {} } })),
  change(chatsRemove, (_, args) => ({ call: { tool: 'remove-chat', args } })),
  change(mcpList, () => ({ call: { tool: 'list-mcp-servers', args: {} } })),
  change(mcpAdd, (_, args) => ({ call: { tool: 'add-mcp-server', args } })),
  change(mcpAccept, (_, args) => ({ call: { tool: 'accept-mcp-server', args } })),
  change(mcpRemove, (_, args) => ({ call: { tool: 'remove-mcp-server', args } })),
];
