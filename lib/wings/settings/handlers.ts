/** The answers to the verbs of settings: each is one call of a tool, which Act performs. */
import { NotFoundError } from '../../base/errors.ts';
import { change, type Handler } from '../../operations/operation.ts';
import { mcpKey } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import { readMcpCatalogue } from '../../tools/mcp/catalogue.ts';
import { chatsList, chatsRemove, mcpAccept, mcpAdd, mcpList, mcpRemove } from './operations.ts';

export const SETTING_HANDLERS: readonly Handler[] = [
  change(chatsList, () => ({ call: { tool: 'list-chats', args: {} } })),
  change(chatsRemove, (_, args) => ({ call: { tool: 'remove-chat', args } })),
  change(mcpList, () => ({ call: { tool: 'list-mcp-servers', args: {} } })),
  change(mcpAdd, (_, args) => ({ call: { tool: 'add-mcp-server', args } })),
  change(mcpAccept, (_, args) => ({ call: { tool: 'accept-mcp-server', args } })),
  // Nobody is asked for a yes to remove nothing.
  change(mcpRemove, async ({ table, signal }, args) => {
    const { servers } = readMcpCatalogue(await loadItem(table, mcpKey(signal.space)));
    if (!servers.some(({ name }) => name === args.server))
      throw new NotFoundError(`there is no MCP server ${args.server}; /mcp list names them`);
    return { call: { tool: 'remove-mcp-server', args } };
  }),
];
