/**
 * Judges one line of `gates try`, with the facts that a stack would gather. What only a stack knows
 * has neutral values: it runs, a model proposed the action, every webhook is configured under the
 * named address, every MCP tool is let in, every host is public, nothing happened before. Pure.
 */

import * as z from 'zod/mini';
import { defined } from '../../../lib/core/base/defined.ts';
import { JsonObject, readJson } from '../../../lib/core/base/json.ts';
import { BODY_BYTES_MAX } from '../../../lib/core/base/limits.ts';
import { GATE_SET } from '../../../lib/core/gates/engine/gate-set.ts';
import { completeAction } from '../../../lib/core/judge/complete-action.ts';
import type { FactSources } from '../../../lib/core/judge/fact-sources.ts';
import { judgeAction } from '../../../lib/core/judge/judge.ts';
import type { SpacePolicy } from '../../../lib/core/judge/space-policy.ts';
import { type Action, normaliseName, Target, ToolName } from '../../../lib/core/signal/action.ts';
import type { CommandClass } from '../../../lib/core/signal/facts.ts';
import type { TraceEntry } from '../../../lib/core/signal/gate.ts';
import { mcpToolName } from '../../../lib/core/signal/mcp-name.ts';
import { type McpCatalogue, NO_MCP } from '../../../lib/core/tools/mcp-catalogue.ts';
import type { Webhooks } from '../../../lib/core/tools/webhooks.ts';
import { TRIED_RECORDS } from '../features.ts';

const NormalName = z.pipe(z.string(), z.transform(normaliseName));

const TryLine = z.object({
  action: z.strictObject({
    target: z.pipe(NormalName, Target),
    tool: z.optional(z.pipe(NormalName, ToolName)),
    args: z.optional(JsonObject),
    text: z.optional(z.string()),
    to: z.optional(z.string()),
    url: z.optional(z.string()),
    explanation: z._default(z.string(), ''),
  }),
  tainted: z._default(z.boolean(), false),
  session: z.optional(z.string()),
});
type TryLine = z.infer<typeof TryLine>;

export interface Tried {
  /** `modify`: it passes, but only in the changed form given as `action`. */
  readonly verdict: 'pass' | 'modify' | 'ask' | 'block';
  /** The gates that said so. */
  readonly by: readonly string[];
  readonly trace: readonly TraceEntry[];
  /** The action that would be performed, if a gate changed it. */
  readonly action?: Action;
  /** Only for a command, with the reasons in fixed words. */
  readonly class?: CommandClass;
  readonly because?: readonly string[];
}

/** Nothing is sent to it. An address of TEST-NET would be refused as not public. */
const PUBLIC_ADDRESS = '93.184.215.14';
const WEBHOOK_TOOL = 'call-webhook';
/** The name by which a policy calls every tool of another server. */
const MCP_TOOL = 'mcp-call';

const readString = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** A webhook call as a stack resolves it: the name as recipient, the address in canonical form. */
const buildWebhookAction = ({ args = {}, to, url, explanation }: TryLine['action']): Action => {
  const { target, webhook, url: named, ...rest } = args;
  const place = readString(target) ?? readString(webhook) ?? to ?? '';
  const address = readString(named) ?? url ?? (/^[a-z]+:/i.test(place) ? place : 'https://hooks.example.com/try');
  const name = normaliseName(place === '' ? 'try' : place);
  return {
    target: 'webhook',
    tool: WEBHOOK_TOOL,
    args: { webhook: name, ...rest },
    to: name,
    url: URL.parse(address)?.href ?? address,
    explanation,
    author: 'model',
  };
};

const buildMcpAction = ({ args = {}, explanation }: TryLine['action']): Action => {
  const { server, tool, ...rest } = args;
  const to = `mcp-${server}`;
  const name = mcpToolName(String(server), String(tool)) ?? 'unknown-tool';
  return {
    target: 'webhook',
    tool: name,
    args: rest,
    to,
    url: `https://${server}.example.com/mcp`,
    explanation,
    author: 'model',
  };
};

const buildAction = ({ action }: TryLine): Action => {
  if (action.tool === WEBHOOK_TOOL) return buildWebhookAction(action);
  if (action.tool === MCP_TOOL) return buildMcpAction(action);
  const { target, tool, args, text, to, url, explanation } = action;
  const isWords = target !== 'tool' && target !== 'webhook';
  return {
    target,
    ...defined({ tool, args, text }),
    ...(to === undefined ? (isWords ? { to: 'owner' } : {}) : { to }),
    ...defined({ url }),
    explanation,
    author: 'model',
  };
};

const ADDRESS = /^\d+\.\d+\.\d+\.\d+$|^\[.*\]$/;

const resolveAddress = (address: string): string[] => {
  const host = URL.parse(address)?.hostname ?? '';
  if (host === '') return [];
  if (ADDRESS.test(host)) return [host.replace(/^\[|\]$/g, '')];
  return /(^|\.)localhost\.?$/.test(host) ? ['127.0.0.1'] : [PUBLIC_ADDRESS];
};

/** Rules about the hour are tried at noon (UTC). */
const NOON = 12 * 3_600_000;

/** The server of the action, with the tool that it names. */
const mcpOf = ({ to = '', tool = '', url = '' }: Action, remote: unknown): McpCatalogue => ({
  ...NO_MCP,
  servers: [
    {
      name: to.replace(/^mcp-/, ''),
      url,
      by: '',
      at: 0,
      accepted: [{ remote: String(remote), name: tool, description: '', inputSchema: { type: 'object' }, hash: '' }],
    },
  ],
});

interface TriedUnder {
  readonly policy: SpacePolicy | undefined;
  readonly webhookCalls: Webhooks['webhookCalls'];
}

const sourcesOf = (
  { action: typed, tainted, session = '' }: TryLine,
  action: Action,
  { policy, webhookCalls }: TriedUnder,
): FactSources => ({
  stage: 'reason',
  now: NOON,
  space: 'try',
  // A text is an answer.
  reply: { target: action.target === 'telegram' ? 'telegram' : 'console', to: action.to ?? '' },
  session,
  origin: tainted ? 'outside' : 'owner',
  turn: { askedBy: 'approver' },
  earlier: { table: { load: async (keys) => keys.map(() => undefined) } },
  setup: {
    webhookCalls,
    webhookUrls: action.target === 'webhook' ? { [action.to ?? '']: action.url ?? '' } : {},
    resolveAddresses: async (url) => resolveAddress(url),
  },
  state: {
    policyVersion: GATE_SET.version,
    chatMemory: 'open',
    records: TRIED_RECORDS,
    ...(typed.tool === MCP_TOOL && { mcp: mcpOf(action, typed.args?.tool) }),
    ...defined({ policy }),
  },
});

const judge = async (line: TryLine, under: TriedUnder): Promise<Tried> => {
  const built = buildAction(line);
  const sources = sourcesOf(line, built, under);
  const { action, outcome, trace, facts } = await judgeAction(GATE_SET, await completeAction(built, sources), sources);
  const isChanged = trace.some((entry) => entry.verdict === 'modify');
  const shell = facts.at(-1)?.shell;
  const verdict = outcome === 'pass' && isChanged ? 'modify' : outcome;
  const by = trace.filter((entry) => entry.verdict === verdict && verdict !== 'pass');
  return {
    verdict,
    by: [...new Set(by.map((entry) => entry.gate))],
    trace,
    ...defined({ class: shell?.class, because: shell?.because }),
    ...(isChanged && verdict !== 'block' ? { action } : {}),
  };
};

const EXAMPLE =
  '{"action":{"target":"tool","tool":"remember","args":{"text":"milk"},"explanation":"The owner asked for it."}}';

/** A line that is no action. The error holds nothing of its content and may be printed anywhere. */
export interface Untriable {
  readonly error: string;
}

/**
 * @param line JSON as `gates try` reads it
 * @param policy also in force
 * @param webhookCalls webhooks that are configured; none if absent. Never rejects.
 */
export const tryLine = async (
  line: string,
  policy?: SpacePolicy,
  webhookCalls: Webhooks['webhookCalls'] = {},
): Promise<Tried | Untriable> => {
  if (Buffer.byteLength(line) > BODY_BYTES_MAX) return { error: `the line is longer than ${BODY_BYTES_MAX} bytes` };
  const value = readJson(line);
  if (value === undefined) return { error: 'the line is not JSON' };
  const parsed = TryLine.safeParse(value);
  if (parsed.success) return judge(parsed.data, { policy, webhookCalls });
  const where = parsed.error.issues.map((issue) => issue.path.join('.') || 'the line');
  return { error: `not an action to try: ${[...new Set(where)].join(', ')}; such as ${EXAMPLE}` };
};
