/**
 * The tools that reach the events of an accepted MCP server. One shows a person which there are.
 * The other is a step of a job: it reads what an approver named on the card of exactly that job.
 */
import * as z from 'zod/mini';
import { canonicalJson } from '../../core/base/canonical.ts';
import { ProtocolError } from '../../core/base/errors.ts';
import { jobOf } from '../../core/money/day-spend.ts';
import { MCP_SERVER_NAME } from '../../core/signal/mcp-name.ts';
import { quoted } from '../../core/text/quoted.ts';
import { defineTool, powerOf, type ToolContext } from '../../core/tools/tool.ts';

export interface PollRequest {
  readonly server: string;
  readonly url: string;
  /** Names with commas between; undefined asks which there are. */
  readonly events?: string | undefined;
  /** Literal addresses the network gate judged. */
  readonly addresses: readonly string[];
  readonly now: number;
}

declare module '../../core/tools/tool.ts' {
  interface ToolPowers {
    readonly mcpEvents?: { readonly read: (request: PollRequest) => Promise<ToolOutput> };
  }
}

/** Up to eight names with commas between. */
export const EVENT_NAMES = /^[^\s,]{1,128}(?:,[^\s,]{1,128}){0,7}$/;

const place = {
  server: z.string().check(z.regex(MCP_SERVER_NAME)),
  url: z.string().check(z.maxLength(2_000)),
};
const usual = { tier: 'allow', outputOrigin: 'outside', effects: { connectsTo: 'url' } } as const;

export const listMcpEvents = defineTool({
  name: 'list-mcp-events',
  sentence: ({ server, url }) => `Ask the server ${server} at ${quoted(url)} which events it has`,
  args: z.strictObject(place),
  ...usual,
  isForPeople: true,
  kind: 'read',
  run: (args, { powers, addresses = [], now }) => powerOf(powers, 'mcpEvents').read({ ...args, addresses, now }),
});

const POLL = 'poll-mcp-events';

/** A model that works for another job calls this in vain. @throws ProtocolError */
const checkIsStep = async (args: object, { powers, session = '' }: ToolContext): Promise<void> => {
  const job = await powerOf(powers, 'jobs').load(jobOf(session) ?? '');
  const { work } = job?.definition ?? {};
  const step = canonicalJson({ tool: POLL, args });
  if (work?.kind !== 'steps' || !work.steps.some((one) => canonicalJson(one) === step))
    throw new ProtocolError('events are read by a job whose step says so, and by nothing else');
};

export const pollMcpEvents = defineTool({
  name: POLL,
  sentence: ({ server, url, events }) => `Read the events ${quoted(events)} of the server ${server} at ${quoted(url)}`,
  args: z.strictObject({ ...place, events: z.string().check(z.regex(EVENT_NAMES)) }),
  ...usual,
  isMaintenance: true,
  kind: 'idempotent',
  run: async (args, context) => {
    const { powers, addresses = [], now } = context;
    await checkIsStep(args, context);
    return powerOf(powers, 'mcpEvents').read({ ...args, addresses, now });
  },
});

export const POLLING_TOOLS = [listMcpEvents, pollMcpEvents] as const;
