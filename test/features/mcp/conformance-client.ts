/**
 * A client of the conformance suite: lists the tools of the server whose address it gets, and calls
 * each, with a number for every argument.
 */
import { loadMcpSession } from '../../../lib/features/mcp/servers.ts';

const [url = ''] = process.argv.slice(2);
const access = { server: 'x', url: new URL(url).href, addresses: ['127.0.0.1'], timeoutMs: 30_000 };

const { listServerTools, callServerTool } = await loadMcpSession();
const listed = await listServerTools(access);
if (listed.kind !== 'listed') throw new Error(JSON.stringify(listed));
for (const tool of listed.offered) {
  const outcome = await callServerTool(access, tool, { a: 5, b: 3 });
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
}
