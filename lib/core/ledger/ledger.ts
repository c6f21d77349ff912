/**
 * Moves each signal through its states by conditional writes. Each step is written before it is
 * published and finds what an earlier delivery left, so that a repeated message repeats only the
 * publish. Judgements are stored packed: evidence is kept for good and paid by the kilobyte.
 */

import { hashOf } from '../base/canonical.ts';
import { defined } from '../base/defined.ts';
import { ConditionError, PipelineError } from '../base/errors.ts';
import type { Action } from '../signal/action.ts';
import { Attempt, Decision, Effect, type JudgedAction } from '../signal/decision.ts';
import { FACT_DEFAULTS, type Facts } from '../signal/facts.ts';
import type { TraceEntry } from '../signal/gate.ts';
import type { ActMessage } from '../signal/messages.ts';
import type { ActionResult, Signal, SignalState } from '../signal/signal.ts';
import { absent, allOf, type Condition, equals, type ItemChange, oneOf, present } from '../store/condition.ts';
import { indexPartitions, signalKeys } from '../store/keys.ts';
import { parseStored } from '../store/parse-stored.ts';
import { putOnce } from '../store/put-once.ts';
import { queryAll } from '../store/query-all.ts';
import { type Item, isItem, type Table } from '../store/table.ts';
import { type EndedBecause, SignalRecord } from './record.ts';

export interface SignalRef {
  readonly space: string;
  readonly id: string;
}

const withoutKey = ({ pk: _pk, sk: _sk, ...rest }: Item): Item => rest;

export const parseRecord = (id: string, item: Item): SignalRecord => parseStored(item, SignalRecord, `signal ${id}`);
export const parseDecision = (id: string, item: Item): Decision =>
  parseStored(withoutKey(item), Decision, `decision of ${id}`);
export const parseAttempt = (id: string, item: Item): Attempt =>
  parseStored(withoutKey(item), Attempt, `attempt of ${id}`);

/** Moves a signal on from one of these states. @throws PipelineError if there is none */
export const advance = async (
  table: Pick<Table, 'update'>,
  ref: SignalRef,
  from: readonly SignalState[],
  change: ItemChange,
): Promise<{ readonly record: SignalRecord; readonly hasMoved: boolean }> => {
  const condition: Condition = { name: `signal is ${from.join(' or ')}`, holds: oneOf('state', from) };
  try {
    return {
      record: parseRecord(ref.id, await table.update(signalKeys.record(ref.space, ref.id), change, condition)),
      hasMoved: true,
    };
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    if (!isItem(error.current)) throw new PipelineError(`there is no signal ${ref.id}`, ref.id, false);
    return { record: parseRecord(ref.id, error.current), hasMoved: false };
  }
};

/** Ends or suspends a signal, which stays in the index until its records have their leaves. */
export const endedAs = (
  space: string,
  state: SignalState,
  now: number,
  reason = '',
  because?: EndedBecause,
): ItemChange => ({
  set: { state, awaitsLog: true, ...(reason === '' ? {} : { stateReason: reason }), ...defined({ because }) },
  setOnce: { unfinishedSpace: indexPartitions.unfinishedSignals(space), unfinishedAt: now },
  add: { ends: 1 },
});

/** Something of an ended or suspended signal changed: the log's writer looks at it again. */
export const noteForLog = async (table: Pick<Table, 'update'>, ref: SignalRef, now: number): Promise<void> => {
  const key = signalKeys.record(ref.space, ref.id);
  const marks = { awaitsLog: true, unfinishedSpace: indexPartitions.unfinishedSignals(ref.space), unfinishedAt: now };
  try {
    await table.update(
      key,
      { set: marks, add: { ends: 1 } },
      { name: 'signal exists, and is not in the index', holds: allOf(present('pk'), absent('unfinishedSpace')) },
    );
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    if (isItem(error.current)) await table.update(key, { add: { ends: 1 } });
  }
};

/** Stores a decision once: racing writers get the first. Nothing is done before it (I1). */
export const saveDecision = async (
  table: Pick<Table, 'put'>,
  ref: SignalRef,
  decision: Decision,
): Promise<Decision> => {
  const stored = await putOnce(table, signalKeys.decision(ref.space, ref.id), { ...packDecision(decision) });
  return stored === 'put' ? decision : parseDecision(ref.id, stored);
};

/** The message that asks Act to perform a stored decision: hashes only. */
export const actMessage = (signal: Pick<Signal, 'id' | 'space' | 'session'>, decision: Decision): ActMessage => ({
  stage: 'act',
  v: 1,
  space: signal.space,
  session: signal.session,
  signalId: signal.id,
  decisionHash: hashOf('decision', decision),
  actions: decision.actions.map((judged, n) => ({ n, hash: judged.hash })),
});

/** Stores a signal that code made, after its decision (a notice). */
export const saveDecidedSignal = async (
  table: Pick<Table, 'put'>,
  signal: Signal,
  recordItem: Item,
  decision: Decision,
): Promise<Decision> => {
  const stored = await saveDecision(table, signal, decision);
  await putOnce(table, signalKeys.record(signal.space, signal.id), recordItem);
  return stored;
};

export const noteChildren = async (
  table: Pick<Table, 'update'>,
  ref: SignalRef,
  children: readonly string[],
): Promise<void> => {
  if (children.length === 0) return;
  await table.update(
    signalKeys.record(ref.space, ref.id),
    { add: { children: new Set(children) } },
    { name: 'signal exists', holds: equals('sk', 'record') },
  );
};

export const parseEffect = (signalId: string, item: Item): Effect => {
  const { unfinishedSpace: _space, unfinishedAt: _at, ...rest } = withoutKey(item);
  return parseStored(rest, Effect, `effect of ${signalId}`);
};

/** Since when an effect waits for its channel; undefined if it does not wait. */
export const waitsSince = (effect: Effect | undefined): number | undefined =>
  effect?.state === 'claimed' && effect.isReleased === true ? effect.waitingSince : undefined;

/** The output of an action, or why it has none; both, if it was ended while it ran. */
export const outputOf = ({ state, output, reason, handedTo }: Effect): string => {
  if (state === 'suspended')
    return handedTo === undefined ? 'waiting for a person to approve it' : `waiting for the machine ${handedTo.runner}`;
  // A machine's own text may begin with the reason.
  const isBoth = state !== 'done' && output !== undefined && reason !== undefined && !output.includes(reason);
  return isBoth ? `${reason}\n${output}` : (output ?? reason ?? '');
};

/** The result of an action, as the model hears it. */
export const buildActionResult = (effect: Effect, action: Action | undefined): ActionResult => ({
  n: effect.n,
  ...defined({ tool: action?.tool }),
  state: effect.state === 'claimed' ? 'unknown' : effect.state,
  output: outputOf(effect),
  origin: effect.outputOrigin ?? 'agent',
});

/** State of a signal whose actions have all ended or are suspended. */
export const stateOfEffects = (effects: readonly Pick<Effect, 'state'>[]): SignalState => {
  if (effects.some((effect) => effect.state === 'suspended')) return 'suspended';
  if (effects.length > 0 && effects.every((effect) => effect.state === 'refused')) return 'refused';
  return 'acted';
};

/** Ends a suspended signal if none of its actions is suspended or under way any more. */
export const endSuspended = async (
  table: Pick<Table, 'update'>,
  signal: Signal,
  effects: readonly Effect[],
  now: number,
): Promise<void> => {
  const isOpen = effects.some(({ state }) => state === 'suspended' || state === 'claimed');
  const { hasMoved } = isOpen
    ? { hasMoved: false }
    : await advance(table, signal, ['suspended'], endedAs(signal.space, stateOfEffects(effects), now));
  // Another action may be approved and under way: then the signal stays in the index, unmarked, and
  // that delivery ends it. It may also have ended before, as a dead letter.
  if (!hasMoved) await noteForLog(table, signal, now);
};

export const packTrace = (trace: readonly TraceEntry[]): readonly (string | TraceEntry)[] =>
  trace.map((entry) => (entry.verdict === 'pass' && entry.reason === '' ? entry.gate : entry));

const isDefault = (name: string, value: unknown): boolean =>
  Object.hasOwn(FACT_DEFAULTS, name) && JSON.stringify(Reflect.get(FACT_DEFAULTS, name)) === JSON.stringify(value);

export const packFacts = (facts: readonly Facts[]): readonly object[] =>
  facts.map((one) => Object.fromEntries(Object.entries(one).filter(([name, value]) => !isDefault(name, value))));

const packJudged = (judged: JudgedAction): object => ({
  ...judged,
  trace: packTrace(judged.trace),
  facts: packFacts(judged.facts),
});

const packAttemptIn = (attempt: Attempt): object => ({ ...attempt, judged: attempt.judged.map(packJudged) });

export const packAttempt = (attempt: Attempt) => ({
  ...attempt,
  judged: JSON.stringify(attempt.judged.map(packJudged)),
});

export const packDecision = (decision: Decision) => ({
  ...decision,
  ...(decision.attempt === undefined ? {} : { attempt: JSON.stringify(packAttemptIn(decision.attempt)) }),
  actions: JSON.stringify(decision.actions.map(packJudged)),
});

export const packEffect = (effect: Effect) => ({
  ...effect,
  trace: JSON.stringify(packTrace(effect.trace)),
  facts: JSON.stringify(packFacts(effect.facts)),
});

/** Pages read of one signal: its attempts, decision and effects always fit. */
const SIGNAL_PAGES_MAX = 16;

/** All items of one signal. @param pagesMax `Infinity` for a caller that may miss none */
export const loadPartition = async (
  table: Pick<Table, 'query'>,
  space: string,
  id: string,
  pagesMax: number = SIGNAL_PAGES_MAX,
): Promise<readonly Item[]> => {
  const query = { pk: signalKeys.partition(space, id) };
  return (await queryAll(table, query, (_, pages) => pages >= pagesMax)).items;
};
