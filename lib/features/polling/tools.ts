/**
 * The tools that reach the events of an accepted MCP server. One shows a person which there are.
 * The other is a step of a job: it reads what an approver named on the card of exactly that job.
 */
import * as z from 'zod/mini';
import { MCP_SERVER_NAME } from '../../core/signal/mcp-name.ts';
import { quoted } from '../../core/text/quoted.ts';
import { defineTool, powerOf, type ToolContext } from '../../core/tools/tool.ts';
import { EVENT_NAMES } from './event-names.ts';

export interface EventPlace {
  readonly server: string;
  readonly url: string;
  /** Names with commas between; undefined asks which there are. */
  readonly events?: string | undefined;
}

declare module '../../core/tools/tool.ts' {
  interface ToolPowers {
    readonly mcpEvents?: { readonly read: (place: EventPlace, context: ToolContext) => Promise<ToolOutput> };
  }
}

const place = { server: z.string().check(z.regex(MCP_SERVER_NAME)), url: z.string().check(z.maxLength(2_000)) };
const usual = { tier: 'allow', outputOrigin: 'outside', effects: { connectsTo: 'url' } } as const;
const run = (args: EventPlace, context: ToolContext) => powerOf(context.powers, 'mcpEvents').read(args, context);

export const listMcpEvents = defineTool({
  name: 'list-mcp-events',
  sentence: ({ server, url }) => `Ask the server ${server} at ${quoted(url)} which events it has`,
  args: z.strictObject(place),
  ...usual,
  isForPeople: true,
  kind: 'read',
  run,
});

export const pollMcpEvents = defineTool({
  name: 'poll-mcp-events',
  sentence: ({ server, url, events }) => `Read the events ${quoted(events)} of the server ${server} at ${quoted(url)}`,
  args: z.strictObject({ ...place, events: z.string().check(z.regex(EVENT_NAMES)) }),
  ...usual,
  isMaintenance: true,
  kind: 'idempotent',
  run,
});

export const POLLING_TOOLS = [listMcpEvents, pollMcpEvents] as const;
