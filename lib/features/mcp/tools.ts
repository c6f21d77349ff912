/**
 * The commands `/mcp add|accept|remove|list`. They decide which tools of other servers the model
 * may propose, so only people use them, and an approver approves each change on its card (I14).
 */
import * as z from 'zod/mini';
import { MCP_FACTS_CHARS_MAX, MCP_SERVER_NAME } from '../../core/signal/mcp-name.ts';
import { machineOf } from '../../core/signal/runner-tools.ts';
import { quoted } from '../../core/text/quoted.ts';
import { defineTool, powerOf, type ToolOutput } from '../../core/tools/tool.ts';
import type { McpServers } from './servers.ts';

declare module '../../core/tools/tool.ts' {
  interface ToolPowers {
    readonly mcp?: McpServers;
  }
}

const server = z.string().check(z.regex(MCP_SERVER_NAME));
/** Servers describe their tools in their own words. */
const outsideLines = (lines: readonly string[]): ToolOutput => ({ output: lines.join('\n'), origin: 'outside' });

const MANAGING = {
  tier: 'ask',
  isForPeople: true,
  isAlwaysAsked: true,
  kind: 'idempotent',
  outputOrigin: 'outside',
} as const;

export const addMcpServer = defineTool({
  name: 'add-mcp-server',
  sentence: ({ server: name, url }) => {
    const machine = machineOf(url);
    const place = machine === undefined ? `at ${quoted(url)}` : `on the machine ${machine}`;
    return `Ask the server ${name} ${place} which tools it offers`;
  },
  args: z.strictObject({ server, url: z.string().check(z.maxLength(2_000)) }),
  ...MANAGING,
  effects: { connectsTo: 'url' },
  run: async ({ server: name, url }, { powers, addresses = [], actor, now }) =>
    outsideLines(await powerOf(powers, 'mcp').add({ server: name, url, addresses, by: actor, now })),
});

export const acceptMcpServer = defineTool({
  name: 'accept-mcp-server',
  sentence: ({ server: name, offer, facts }) =>
    `Let in the tools of the server ${name}, as shown under ${offer}${facts ? `, with ${quoted(facts)}` : ''}`,
  args: z.strictObject({
    server,
    offer: z.string().check(z.regex(/^[0-9a-f]{12}$/)),
    facts: z.optional(z.string().check(z.maxLength(MCP_FACTS_CHARS_MAX))),
  }),
  ...MANAGING,
  effects: { changesAuthority: true },
  run: async ({ server: name, offer, facts }, { powers }) =>
    outsideLines(await powerOf(powers, 'mcp').accept(name, offer, facts)),
});

export const removeMcpServer = defineTool({
  name: 'remove-mcp-server',
  sentence: ({ server: name }) => `Take the server ${name} and its tools away`,
  args: z.strictObject({ server }),
  ...MANAGING,
  effects: { changesAuthority: true },
  run: async ({ server: name }, { powers }) => outsideLines(await powerOf(powers, 'mcp').remove(name)),
});

export const listMcpServers = defineTool({
  name: 'list-mcp-servers',
  sentence: () => 'List the servers and their tools',
  args: z.strictObject({}),
  tier: 'allow',
  isForPeople: true,
  kind: 'read',
  outputOrigin: 'outside',
  run: async (_args, { powers }) => outsideLines(await powerOf(powers, 'mcp').list()),
});

export const MCP_TOOLS = [addMcpServer, acceptMcpServer, removeMcpServer, listMcpServers] as const;
