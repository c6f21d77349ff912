/** The answers to the verbs of MCP: each is one call of a tool, which Act performs. */
import { defined } from '../../core/base/defined.ts';
import { NotFoundError } from '../../core/base/errors.ts';
import { change, type Handler } from '../../core/operations/operation.ts';
import { mcpKey } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import { readMcpCatalogue } from '../../core/tools/mcp-catalogue.ts';
import { mcpAccept, mcpAdd, mcpList, mcpRemove } from './operations.ts';
import { mcpTexts } from './texts.ts';

export const MCP_HANDLERS: readonly Handler[] = [
  change(mcpList, () => ({ call: { tool: 'list-mcp-servers', args: {} } })),
  change(mcpAdd, (_, args) => ({ call: { tool: 'add-mcp-server', args } })),
  change(mcpAccept, (_, { facts, ...args }) => ({
    call: { tool: 'accept-mcp-server', args: { ...args, ...defined({ facts }) } },
  })),
  // Nobody is asked for a yes to remove nothing.
  change(mcpRemove, async ({ table, signal, language }, args) => {
    const { servers } = readMcpCatalogue(await loadItem(table, mcpKey(signal.space)));
    if (!servers.some(({ name }) => name === args.server))
      throw new NotFoundError((await mcpTexts.in(language)).noServer(args.server));
    return { call: { tool: 'remove-mcp-server', args } };
  }),
];
