/**
 * The spans of one ended turn, from its stored records. Calls of models and tools follow the GenAI
 * conventions v0.1.0 (open-telemetry/semantic-conventions-genai); judgements and approvals are in
 * the namespace `passepartout`. Names, numbers and hashes only: words go along if `say` is given.
 * No span names a chat, a person, or an approval, whose id is a capability (I5). Pure.
 */
import type { Approval } from '../../core/approvals/approval.ts';
import { approvalRef } from '../../core/evidence/record-hash.ts';
import type { CollectedSignal } from '../../core/log/collect.ts';
import { isText } from '../../core/signal/action.ts';
import type { Attempt, Decision, Effect, JudgedAction, Outcome } from '../../core/signal/decision.ts';
import type { TraceEntry } from '../../core/signal/gate.ts';
import type { Payload } from '../../core/signal/signal.ts';
import { type Attributes, buildSpan, pseudonym, type Span, type SpanInput, traceIdOf } from './span.ts';

/** Leaves out of a text what no collector may have. */
export type Say = (text: string) => string;

export interface TracedTurn {
  /** The root comes first. */
  readonly signals: readonly CollectedSignal[];
  readonly salt: string;
  /** Absent if no words go along. */
  readonly say: Say | undefined;
}

/** A signal with what its spans share. */
interface Traced extends CollectedSignal {
  readonly say: Say | undefined;
  /** Those of its decision, with the hash and index of the leaf that proves it. */
  readonly decided: Attributes;
}

type Without = Omit<SpanInput, 'parent'>;

const ROOT = 'turn';

/** The conventions' names of providers that are called otherwise here. */
const PROVIDERS: Readonly<Record<string, string>> = { gemini: 'gcp.gemini' };

/** A model may call what there is not by any words. */
const toolOf = ({ action, facts }: Pick<JudgedAction, 'action' | 'facts'>): string | undefined =>
  facts.at(-1)?.isKnown === false && action.tool !== undefined ? 'unknown' : action.tool;

const wordsIn = (payload: Payload) => [
  ...('text' in payload ? [{ role: 'user', texts: payload.text.map(({ text }) => text) }] : []),
  ...('results' in payload ? [{ role: 'tool', texts: payload.results.map(({ output }) => output) }] : []),
];

const inputOf = (payload: Payload, say: Say): string =>
  JSON.stringify(
    wordsIn(payload).map(({ role, texts }) => ({
      role,
      parts: texts.map((text) => ({ type: 'text', content: say(text) })),
    })),
  );

const outputOf = ({ proposal }: Attempt, say: Say): string | undefined => {
  if (proposal === undefined) return undefined;
  const calls = proposal.calls.map(({ callId: id, tool: name, args }) => ({
    type: 'tool_call',
    id,
    name: say(name),
    arguments: say(JSON.stringify(args)),
  }));
  const texts = proposal.text === undefined ? [] : [{ type: 'text', content: say(proposal.text) }];
  return JSON.stringify([{ role: 'assistant', parts: [...texts, ...calls] }]);
};

const perceived = ({ record: { signal, state } }: Traced, end: number): Without => ({
  key: `${signal.id} perceive`,
  name: `perceive ${signal.payload.sensor}`,
  start: signal.receivedAt,
  end,
  attributes: {
    'passepartout.signal.id': signal.id,
    'passepartout.signal.sensor': signal.payload.sensor,
    'passepartout.signal.depth': signal.depth,
    'passepartout.signal.state': state,
  },
});

/** The stored time of an attempt is the moment it was asked at. */
const asked = ({ record: { signal }, say }: Traced, attempt: Attempt, end: number): Without => {
  const { n, at, provider, model, inputTokens, cachedTokens, outputTokens, cost, problem, because } = attempt;
  return {
    key: `${signal.id} attempt ${n}`,
    name: `chat ${model}`,
    kind: 'client',
    start: at,
    end,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': PROVIDERS[provider] ?? provider,
      'gen_ai.request.model': model,
      'gen_ai.usage.input_tokens': inputTokens,
      'gen_ai.usage.cache_read.input_tokens': cachedTokens,
      'gen_ai.usage.output_tokens': outputTokens,
      'gen_ai.input.messages': say && inputOf(signal.payload, say),
      'gen_ai.output.messages': say && outputOf(attempt, say),
      'passepartout.signal.id': signal.id,
      'passepartout.attempt': n,
      'passepartout.attempt.tier': attempt.tier,
      'passepartout.attempt.is_vote': attempt.isVote,
      'passepartout.prompt.hash': attempt.promptHash,
      'passepartout.cost.micro_usd': cost?.usd,
    },
    error: problem === undefined ? undefined : (because?.code ?? '_OTHER'),
  };
};

interface Judgement extends Pick<JudgedAction, 'action' | 'facts' | 'hash' | 'trace'> {
  readonly outcome: Outcome;
}

const judged = (
  { decided, say }: Traced,
  { action, facts, hash, trace, outcome }: Judgement,
  { key, stage, at }: { readonly key: string; readonly stage: 'reason' | 'act'; readonly at: number },
): Without => ({
  key,
  name: `judge ${toolOf({ action, facts }) ?? 'text'}`,
  start: at,
  end: at,
  attributes: {
    ...decided,
    'passepartout.stage': stage,
    'passepartout.verdict': outcome,
    'passepartout.action.hash': hash,
    'passepartout.action.target': action.target,
    'passepartout.action.tool': toolOf({ action, facts }),
    'passepartout.action.author': action.author,
  },
  events: trace.map(({ gate, verdict, reason }) => ({
    name: 'passepartout.gate',
    attributes: {
      'passepartout.gate.name': gate,
      'passepartout.gate.verdict': verdict,
      'passepartout.gate.reason': say === undefined || reason === '' ? undefined : say(reason),
    },
  })),
});

const outcomeOf = (trace: readonly TraceEntry[]): Outcome => {
  const verdicts = trace.map(({ verdict }) => verdict);
  if (verdicts.includes('block')) return 'block';
  return verdicts.includes('ask') ? 'ask' : 'pass';
};

/** The provider's id of the call, if the model called its tool once. */
const callIdOf = ({ attempt }: Decision, tool: string | undefined): string | undefined => {
  const calls = attempt?.proposal?.calls.filter((call) => call.tool === tool) ?? [];
  return calls.length === 1 ? calls[0]?.callId : undefined;
};

const performed = ({ record, marks, say }: Traced, decision: Decision, effect: Effect, end: number): Without => {
  const { n, state, actionHash, claimedAt = end, because, output, costUsd } = effect;
  const one = decision.actions[n];
  const tool = one && toolOf(one);
  const isCall = one !== undefined && !isText(one.action);
  const isWrong = state === 'failed' || state === 'unknown';
  const ofCall: Attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool,
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': callIdOf(decision, tool),
    'gen_ai.tool.call.arguments': say && one && say(JSON.stringify(one.action.args ?? {})),
    'gen_ai.tool.call.result': output === undefined ? undefined : say?.(output),
  };
  return {
    key: `${record.signal.id} effect ${n}`,
    name: isCall ? `execute_tool ${tool}` : `deliver ${effect.actuator}`,
    start: claimedAt,
    end,
    attributes: {
      ...(isCall ? ofCall : {}),
      'passepartout.signal.id': record.signal.id,
      'passepartout.effect.state': state,
      'passepartout.effect.tries': effect.tries,
      'passepartout.effect.hash': marks[`effect#${n}`]?.hash,
      'passepartout.effect.leaf': marks[`effect#${n}`]?.index,
      'passepartout.action.hash': actionHash,
      'passepartout.cost.micro_usd': costUsd,
    },
    error: isWrong ? (because?.code ?? state) : undefined,
  };
};

const approved = ({ record, marks }: Traced, approval: Approval): Without => {
  const { state, asks = [], createdAt, decidedAt, endedAt, expiresAtMs, actionHash, policyVersion } = approval;
  const reference = approvalRef(approval.id);
  const mark = marks[`approval#${reference}`];
  return {
    key: `${record.signal.id} approval ${reference}`,
    name: 'approval',
    start: createdAt,
    end: decidedAt ?? endedAt ?? expiresAtMs,
    attributes: {
      'passepartout.signal.id': record.signal.id,
      'passepartout.approval.state': state,
      'passepartout.approval.gates': asks.map(({ gate }) => gate),
      'passepartout.approval.hash': mark?.hash,
      'passepartout.approval.leaf': mark?.index,
      'passepartout.action.hash': actionHash,
      'passepartout.policy.version': policyVersion,
    },
  };
};

/** Rejected attempts are rows of their own; the last stands with the decision. */
const attemptsOf = ({ attempts, decision }: CollectedSignal['records']): readonly Attempt[] => {
  const last = decision?.attempt;
  const all = last === undefined || attempts.some(({ n }) => n === last.n) ? attempts : [...attempts, last];
  return all.toSorted((a, b) => a.at - b.at);
};

const spansOf = (traced: Traced): readonly Without[] => {
  const { records, record } = traced;
  const { decision, effects, approvals } = records;
  const { id, receivedAt } = record.signal;
  const attempts = attemptsOf(records);
  const decidedAt = decision?.at ?? attempts.at(-1)?.at ?? receivedAt;
  const ofAttempts = attempts.flatMap((attempt, index) => {
    const end = attempts[index + 1]?.at ?? decidedAt;
    const key = `${id} attempt ${attempt.n} judge`;
    return [
      asked(traced, attempt, end),
      ...attempt.judged.map((one, n) => judged(traced, one, { key: `${key} ${n}`, stage: 'reason', at: end })),
    ];
  });
  const ofDecision = (decision?.actions ?? []).map((one, n) =>
    judged(traced, one, { key: `${id} judge ${n}`, stage: 'reason', at: decidedAt }),
  );
  const ofEffects = effects.flatMap((effect) => {
    const one = decision?.actions[effect.n];
    if (decision === undefined || one === undefined) return [];
    const { n, trace, facts, actionHash, claimedAt, settledAt, state } = effect;
    const end = settledAt ?? claimedAt ?? decidedAt;
    const judgement = { action: one.action, facts, hash: actionHash, trace, outcome: outcomeOf(trace) };
    return [
      judged(traced, judgement, { key: `${id} judge ${n} again`, stage: 'act', at: claimedAt ?? end }),
      ...(state === 'refused' ? [] : [performed(traced, decision, effect, end)]),
    ];
  });
  return [
    perceived(traced, attempts[0]?.at ?? decidedAt),
    ...ofAttempts,
    ...ofDecision,
    ...approvals.map((approval) => approved(traced, approval)),
    ...ofEffects,
  ];
};

/** The first span is that of the turn, all others are below it. */
export const buildSpans = ({ signals, salt, say }: TracedTurn): readonly Span[] => {
  const [root] = signals;
  if (root === undefined) return [];
  const { space, id, session, receivedAt } = root.record.signal;
  const below = signals.flatMap((one) => {
    const { decision } = one.records;
    const decided = {
      'passepartout.signal.id': one.record.signal.id,
      'passepartout.decision.hash': one.marks.decision?.hash,
      'passepartout.decision.leaf': one.marks.decision?.index,
      'passepartout.gate_set.version': decision?.gateSet,
      'passepartout.policy.version': decision?.policyVersion,
    };
    return spansOf({ ...one, say, decided });
  });
  const isDead = signals.some(({ record }) => record.state === 'dead-lettered');
  const turn: Without = {
    key: ROOT,
    name: 'invoke_agent passepartout',
    start: receivedAt,
    end: Math.max(...below.map(({ end }) => end)),
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'passepartout',
      'gen_ai.conversation.id': pseudonym(salt, session),
      'passepartout.signal.id': id,
    },
    error: isDead ? 'dead-lettered' : undefined,
  };
  const traceId = traceIdOf(space, id);
  return [buildSpan(traceId, turn), ...below.map((one) => buildSpan(traceId, { ...one, parent: ROOT }))];
};
