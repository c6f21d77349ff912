/** Builds an attempt's prompt. Without readable settings no identity and no skills (I3). Pure. */

import { REASON_FEATURES } from '../../../features/reason.ts';
import { defined } from '../../base/defined.ts';
import { mayUseTool } from '../../gates/rules/access-table.ts';
import { rejectionReasons } from '../../judge/judge.ts';
import { whyOff } from '../../judge/rules-of-features.ts';
import { identityOf } from '../../ledger/owner-settings.ts';
import { parseDaySpend } from '../../money/day-spend.ts';
import { describeLeft } from '../../money/describe-left.ts';
import { buildPrompt, type Prompt } from '../../prompt/build-prompt.ts';
import type { PromptInput, SessionSummary } from '../../prompt/prompt-input.ts';
import { redactLogs } from '../../prompt/turn-section.ts';
import type { Decision, ShownSkill } from '../../signal/decision.ts';
import { whyNarrowed } from '../../signal/narrow-tools.ts';
import { findTool, onlyToolOf } from '../../tools/catalogue.ts';
import { toolsOf } from '../../tools/describe-tools.ts';
import { mcpToolDescriptions } from '../../tools/mcp-catalogue.ts';
import { type LoadedTurn, mayReadMemory } from './load-turn.ts';
import { loadLazy, type ReasonDeps, type TurnContext } from './reason-deps.ts';

/** A prompt, and a way to make it shorter for a provider with a smaller window. */
export interface TurnPrompt {
  readonly prompt: Prompt;
  /** @returns undefined if the prompt cannot be that short */
  readonly shrink: (tokensMax: number) => Prompt | undefined;
  /** The last one that `shrink` made. */
  readonly shrunk: () => Prompt | undefined;
}

/** @returns undefined if the person's words alone are more than a prompt may hold */
export const buildTurnPrompt = (context: TurnContext): TurnPrompt | undefined => {
  const prompt = buildPrompt(promptInput(context));
  if (prompt.kind === 'too-long') return undefined;
  let shrunk: Prompt | undefined;
  return {
    prompt,
    shrink: (tokensMax) => {
      const shorter = buildPrompt(promptInput(context, tokensMax, tokensMax));
      shrunk = shorter.kind === 'prompt' ? shorter : undefined;
      return shrunk;
    },
    shrunk: () => shrunk,
  };
};

/** The text that the turn is shown, with the tools that it and the job leave. */
export const shownSkill = ({ part, jobTools }: Pick<TurnContext, 'part' | 'jobTools'>): ShownSkill | undefined => {
  const ofJob = jobTools === undefined ? [] : [[...jobTools]];
  if (part?.shown === undefined) return jobTools && { name: 'job', hash: '', only: ofJob };
  const { name, hash, only: lists = [] } = part.shown;
  const only = [...lists, ...ofJob];
  return { name, hash, ...(only.length === 0 ? {} : { only }) };
};

/** Memory's position, object versions and skill that the answered prompt showed. */
export const shownIn = (
  context: TurnContext,
  { prompt, shrunk }: TurnPrompt,
  promptHash: string,
): Pick<Decision, 'memory' | 'seen' | 'skill'> => {
  const shorter = shrunk();
  const { seen } = shorter?.hash === promptHash ? shorter : prompt;
  return {
    ...defined({ memory: context.memory?.position, skill: shownSkill(context) }),
    ...(seen.length === 0 ? {} : { seen: [...seen] }),
  };
};

/** Offered by asker and chat, what features say, what is set, and the text the turn is shown. */
const isOffered = (
  { deps, turn: { asker, memory, owner, records }, part }: TurnContext,
  name: string,
  shown: ShownSkill | undefined,
): boolean =>
  mayUseTool(name, asker, memory.chat) &&
  part?.hasUse(name) !== false &&
  REASON_FEATURES.every(({ hasUse }) => hasUse?.(name, records) !== false) &&
  (findTool(name)?.effects?.asksService === undefined || deps.setup.services[name] !== undefined) &&
  (whyOff(name, owner.settings) ?? whyNarrowed(name, shown)) === undefined;

const promptInput = (
  context: TurnContext,
  tokensMax = context.deps.models.promptTokensMax,
  windowTokens = context.deps.models.windowTokens,
): PromptInput => {
  const { deps, turn, policy, memory, summary, part, rejected, spending } = context;
  const { identity, gateSet, budget } = deps;
  const { asker } = turn;
  const { settings, grantsInForce, rules } = turn.owner;
  const { signal } = turn.record;
  const last = rejected.at(-1);
  const shown = shownSkill(context);
  const tools = [
    ...toolsOf(signal.payload.sensor).filter(({ name }) => !policy.hiddenTools.has(name)),
    ...mcpToolDescriptions(turn.mcp),
  ]
    .filter(({ name }) => isOffered(context, name, shown))
    .map((tool) => {
      const more = REASON_FEATURES.map(({ describeMore }) => describeMore?.(tool.name, deps.setup) ?? '').join('');
      return more === '' ? tool : { ...tool, description: tool.description + more };
    });
  const who = identityOf(settings, identity);
  const toolNames = tools.map(({ name }) => name);
  return {
    now: deps.now(),
    zone: identity.zone,
    version: identity.version,
    providers: deps.models.names,
    gates: gateSet.gates.map((gate) => gate.name),
    gateSet: gateSet.version,
    ...who,
    mandates: [
      ...(part?.mandates(toolNames) ?? []),
      ...REASON_FEATURES.flatMap(({ mandates }) => mandates?.(toolNames, turn.records) ?? []),
    ],
    ...part?.prompt,
    tools,
    hasOnlyTool: onlyToolOf(signal.payload.sensor) !== undefined,
    memory: memory?.context,
    logs: redactLogs(turn.session.logs, deps.setup.secrets),
    history: turn.session.history,
    summary,
    turn: turn.steps,
    mailbox: turn.session.mailbox,
    rejection: last === undefined ? undefined : { n: last.n, reasons: rejectionReasons(last) },
    sessionStartedAt: turn.session.head?.startedAt ?? signal.receivedAt,
    tokensMax: Math.min(tokensMax, deps.models.promptTokensMax),
    modelTokens: deps.models.modelTokens,
    windowTokens,
    // Neither /budget and /grants nor the model tell a member about these.
    ...(asker === 'member'
      ? {}
      : {
          budgetLeft: describeLeft(parseDaySpend(spending.item), budget.caps, spending.account),
          grantsInForce,
          rules,
        }),
  };
};

/** The summary of turns that left the history, if memory may be read or the next is made of it. */
export const loadSummary = async (
  { setup }: Pick<ReasonDeps, 'setup'>,
  turn: Pick<LoadedTurn, 'record' | 'session' | 'memory' | 'asker'>,
): Promise<SessionSummary | undefined> => {
  const { signal } = turn.record;
  const isForNext = signal.payload.sensor === 'session-summary';
  if (turn.session.summaryItem === undefined || !(isForNext || mayReadMemory(turn))) return undefined;
  // Memory's objects are loaded only for turns that have some.
  const { readSummary } = await loadLazy();
  return readSummary(turn.session.summaryItem, turn.memory.head, signal, setup.privacyTags);
};
