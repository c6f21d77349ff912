/**
 * Judges one line of `gates try`. Facts that a stack would give have neutral values: the space
 * runs, a model proposed it, every webhook is configured under the named address, every host is
 * public. Pure.
 */

import * as z from 'zod/mini';
import { defined } from '../../../lib/base/defined.ts';
import { JsonObject, readJson } from '../../../lib/base/json.ts';
import { BODY_BYTES_MAX } from '../../../lib/base/limits.ts';
import { GATE_SET } from '../../../lib/gates/engine/gate-set.ts';
import { beginRounds, judgeRound, settleRounds } from '../../../lib/gates/engine/verify.ts';
import { findCodeProblem } from '../../../lib/judge/code/find-code-problem.ts';
import { proposedCode } from '../../../lib/judge/code/proposed-code.ts';
import { completeAction } from '../../../lib/judge/complete-action.ts';
import { classTier, shellFacts } from '../../../lib/judge/gather-facts.ts';
import { NO_PAST } from '../../../lib/judge/policy/policy-domain.ts';
import type { SpacePolicy } from '../../../lib/judge/policy/space-policy.ts';
import { NO_TARGETS, type Targets } from '../../../lib/judge/policy/vouched.ts';
import { NO_RUNNERS, type Runners, runnerFacts } from '../../../lib/runner/runners.ts';
import { type Action, actionHash, isText, normaliseName, Target, ToolName } from '../../../lib/signal/action.ts';
import {
  type CommandClass,
  type Facts,
  type NetworkFacts,
  StoredFacts,
  type ToolEffects,
} from '../../../lib/signal/facts.ts';
import type { TraceEntry } from '../../../lib/signal/gate.ts';
import { isRunnerTool } from '../../../lib/signal/runner-tools.ts';
import { argumentProblems } from '../../../lib/tools/argument-problems.ts';
import { findTool } from '../../../lib/tools/catalogue.ts';
import { findDeclaredTool } from '../../../lib/tools/declared.ts';

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

const readString = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** A webhook call as a stack resolves it: the name as recipient, the address in canonical form. */
const buildWebhookAction = ({ args = {}, to, url, explanation }: TryLine['action']): Action => {
  const { target, webhook, url: named, ...rest } = args;
  const place = readString(target) ?? readString(webhook) ?? to ?? '';
  const address = readString(named) ?? url ?? (/^[a-z]+:/i.test(place) ? place : 'https://hooks.example.com/try');
  return {
    target: 'webhook',
    tool: WEBHOOK_TOOL,
    args: rest,
    to: place === '' ? 'try' : place,
    url: URL.parse(address)?.href ?? address,
    explanation,
    author: 'model',
  };
};

const buildAction = ({ action }: TryLine): Action => {
  if (action.tool === WEBHOOK_TOOL) return buildWebhookAction(action);
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

const buildNetworkFacts = (action: Action): NetworkFacts | null => {
  const address = action.target === 'webhook' ? action.url : undefined;
  if (address === undefined) return null;
  return { isConfigured: true, configuredUrl: address, addresses: resolveAddress(address), isLoopbackAllowed: false };
};

type ToolFacts = Pick<Facts, 'isKnown' | 'tier' | 'argumentProblems' | 'effects'>;

/** Knows the catalogue's tools and the declared ones; any other tool is unknown. */
const buildToolFacts = (action: Action): ToolFacts => {
  if (isText(action)) return { isKnown: true, tier: 'allow', argumentProblems: [] };
  const name = action.tool ?? '';
  const tool = findTool(name) ?? findDeclaredTool(name);
  if (tool === undefined) return { isKnown: false, tier: 'deny', argumentProblems: [] };
  const problems = name === WEBHOOK_TOOL ? [] : argumentProblems(tool, action.args ?? {});
  return { isKnown: true, tier: tool.tier, argumentProblems: [...problems], ...defined({ effects: tool.effects }) };
};

/** Facts that are the same for every line. The others have their defaults (`FACT_DEFAULTS`). */
const NEUTRAL: Facts = StoredFacts.parse({
  schemaVersion: 1,
  stage: 'reason',
  now: 0,
  space: 'try',
  actionHash: '',
  tier: 'deny',
  origin: 'owner',
  policyVersion: GATE_SET.version,
});

/** Rules about the hour are tried at noon (UTC). */
const NOON = 12 * 3_600_000;

interface TriedUnder {
  readonly isTainted: boolean;
  readonly session: string;
  readonly policy: SpacePolicy | undefined;
  readonly targets: Targets;
}

/** A webhook call has the name and body that a stack would give it. */
const askPolicy = (
  action: Action,
  { isTainted, session, policy, targets }: TriedUnder,
  shell: Facts['shell'],
): Partial<Facts> => {
  const byClass = shell === null ? {} : { tier: classTier(shell.class) ?? 'ask' };
  if (policy === undefined) return byClass;
  const { body = {} } = action.args ?? {};
  const to = normaliseName(action.to ?? '');
  const shown = action.tool === WEBHOOK_TOOL ? { ...action, to, args: { webhook: to, body } } : action;
  const origin = isTainted ? 'outside' : 'owner';
  const { tier, reason } = policy.rule({
    space: 'try',
    action: shown,
    targets,
    origin,
    session,
    now: NOON,
    isPlainReply: isText(action),
    shell,
    past: NO_PAST,
  });
  return tier === undefined ? byClass : { tier, policyReason: reason };
};

/** A machine for tools that need one: it names one folder to work in, below a home to read. */
const RUNNERS: Runners = {
  ...NO_RUNNERS,
  runners: [
    {
      name: 'try',
      publicKey: '',
      slot: 1,
      pairedAt: 0,
      seenAt: 0,
      pairedBy: '',
      isPaused: false,
      allow: {
        hash: '0'.repeat(64),
        home: '/home/you',
        read: ['/home/you'],
        write: ['/home/you/work'],
        programs: [],
        hasNetwork: false,
      },
    },
  ],
};

/** A call for that machine, with its paths as a stack would give them. */
const onMachine = (action: Action): Promise<Action> =>
  completeAction(action, { now: 0, reply: { target: 'system', to: '' }, state: { runners: RUNNERS } });

const findMachineFacts = async (
  action: Action,
  effects: ToolEffects | undefined,
): Promise<Pick<Facts, 'shell' | 'runner'>> => {
  const runner = runnerFacts(RUNNERS, 'try');
  return { shell: await shellFacts(action, effects, runner), ...(isRunnerTool(action.tool) && { runner }) };
};

const findCodeFacts = async (action: Action, effects: ToolEffects | undefined): Promise<Partial<Facts>> => {
  const code = proposedCode(action, effects);
  const codeProblem = code === undefined ? undefined : await findCodeProblem(code);
  return defined({ codeProblem });
};

const gatherFacts = async (action: Action, under: TriedUnder): Promise<Facts> => {
  const tool = buildToolFacts(action);
  const machine = await findMachineFacts(action, tool.effects);
  return {
    ...NEUTRAL,
    ...(await findCodeFacts(action, tool.effects)),
    ...tool,
    ...machine,
    ...askPolicy(action, under, machine.shell),
    actionHash: actionHash(action),
    isPlainReply: isText(action),
    network: buildNetworkFacts(action),
    origin: under.isTainted ? 'outside' : 'owner',
  };
};

const judge = async (action: Action, under: TriedUnder): Promise<Tried> => {
  let rounds = beginRounds(action);
  while (rounds.outcome === 'modify') {
    rounds = judgeRound(GATE_SET, rounds, await gatherFacts(rounds.action, under));
  }
  const settled = settleRounds(rounds);
  const isChanged = settled.trace.some((entry) => entry.verdict === 'modify');
  const shell = settled.facts.at(-1)?.shell;
  const verdict = settled.outcome === 'pass' && isChanged ? 'modify' : settled.outcome;
  const by = settled.trace.filter((entry) => entry.verdict === verdict && verdict !== 'pass');
  return {
    verdict,
    by: [...new Set(by.map((entry) => entry.gate))],
    trace: settled.trace,
    ...defined({ class: shell?.class, because: shell?.because }),
    ...(isChanged && verdict !== 'block' ? { action: settled.action } : {}),
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
 * @param targets what is declared of webhooks; nothing if absent. Never rejects.
 */
export const tryLine = async (
  line: string,
  policy?: SpacePolicy,
  targets: Targets = NO_TARGETS,
): Promise<Tried | Untriable> => {
  if (Buffer.byteLength(line) > BODY_BYTES_MAX) return { error: `the line is longer than ${BODY_BYTES_MAX} bytes` };
  const value = readJson(line);
  if (value === undefined) return { error: 'the line is not JSON' };
  const parsed = TryLine.safeParse(value);
  if (parsed.success) {
    const { tainted: isTainted, session = '' } = parsed.data;
    const action = buildAction(parsed.data);
    return judge(isRunnerTool(action.tool) ? await onMachine(action) : action, { isTainted, session, policy, targets });
  }
  const where = parsed.error.issues.map((issue) => issue.path.join('.') || 'the line');
  return { error: `not an action to try: ${[...new Set(where)].join(', ')}; such as ${EXAMPLE}` };
};
