/**
 * Closes a signal after Act. The order is the guarantee: notices, the model's results and the next
 * turn are stored and published first. The write that takes the signal out of the index of
 * unfinished ones comes last, so that a repeat repairs a crash anywhere (I6).
 */
import { ConditionError } from '../../base/errors.ts';
import { acceptSignal, perceiveMessage } from '../../ledger/accept.ts';
import {
  advance,
  buildActionResult,
  endedAs,
  endSuspended,
  parseEffect,
  parseRecord,
  stateOfEffects,
} from '../../ledger/ledger.ts';
import type { SignalRecord, TurnReply, TurnToolCall } from '../../ledger/record.ts';
import { leaveTurn, type TurnEnding } from '../../ledger/session.ts';
import { copyToHead, parseDaySpend } from '../../money/day-spend.ts';
import type { Action } from '../../signal/action.ts';
import { hasWords, READ_ATTACHMENT } from '../../signal/attachment.ts';
import type { Decision, Effect } from '../../signal/decision.ts';
import { stepOf } from '../../signal/ids.ts';
import { buildChild, routeOf, type Signal, type SignalState } from '../../signal/signal.ts';
import { absent, allOf, anyOf, contains, type ItemChange, not, oneOf } from '../../store/condition.ts';
import { signalKeys } from '../../store/keys.ts';
import { summariseSession } from '../../tools/summarise-session.ts';
import type { ActDeps, ActTurn } from './act-context.ts';
import { loadLazy } from './act-context.ts';
import { type Done, runAfters } from './after.ts';
import { askForSummary } from './ask-summary.ts';
import { describeTurn } from './describe-turn.ts';

/** @param effects of the actions this delivery performed @param cards notices stored on the way */
export const finish = async (
  deps: ActDeps,
  turn: ActTurn,
  effects: readonly Effect[],
  cards: readonly Signal[],
): Promise<void> => {
  const { record, decision, others } = turn;
  const { signal } = record;
  const all = [...others, ...effects];
  // No later turn looks at the steps of a run, and there may be hundreds.
  let history = isStep(signal) ? undefined : buildHistory(turn, effects);
  const child = buildFeedback(deps, turn, effects);
  const state = stateAfter(decision, all);
  const done: Done = { effects, all, goesOn: child !== undefined, state };
  // 1. Publish the notices, and tell other systems.
  const told = [...cards, ...(await runAfters('notices', deps, turn, done))];
  for (const notice of told) await deps.publishPerceive(perceiveMessage(notice), 'notice');
  await runAfters('news', deps, turn, done);
  // 2. Return the results to the model, or hand the turn on if there are none.
  const accept = { table: deps.table, publish: deps.publishPerceive };
  if (child !== undefined) await acceptSignal(accept, child);
  else if (routeOf(signal.payload.sensor) === 'reason' && record.state !== 'suspended') {
    // An approved action comes back after its turn was handed on, and has none to end.
    const asked = await askForSummary(accept, signal, turn.head, turn.killSwitch, deps.now());
    const next = await leaveTurn(deps.table, signal, turn.head, { ...(await buildEnding(turn, all)), asked });
    // The next turn may begin before the record is moved, and must see what this one said.
    if (next !== undefined && history !== undefined) await addToRoot(deps, signal, history, decision.at);
    if (next !== undefined) history = undefined;
    if (next !== undefined) await deps.publishPerceive(perceiveMessage({ ...signal, id: next }), `turn:${signal.id}`);
  }
  // 3. Accept the signals that follow this one.
  const following = await runAfters('next', deps, turn, done);
  for (const next of following) await acceptSignal(accept, next);
  // 4. Move the record.
  const children = [...(child === undefined ? [] : [child]), ...following, ...told].map(({ id }) => id);
  const hasMoved = await closeRecord(deps, turn, history, state, children);
  if (state === 'suspended' && hasMoved && record.state !== 'suspended') await endIfRefused(deps, turn);
  // 5. The signal may have been the last of its turn.
  await runAfters('end', deps, turn, done);
};

/** A person may have said no since the effects were read: no suspended signal was there to end. */
const endIfRefused = async ({ table, now }: ActDeps, { record: { signal }, decision }: ActTurn): Promise<void> => {
  const keys = decision.actions.map((_, n) => signalKeys.effect(signal.space, signal.id, n));
  const items = await table.load(keys, { isConsistent: true });
  const effects = items.flatMap((item) => (item === undefined ? [] : [parseEffect(signal.id, item)]));
  const asked = effects.filter(({ approvalId }) => approvalId !== undefined);
  // The delivery of an approved action ends the signal itself.
  if (asked.every(({ state }) => state === 'refused')) await endSuspended(table, signal, effects, now());
};

const stateAfter = ({ outcome }: Decision, effects: readonly Effect[]): SignalState => {
  if (outcome === 'drop') return 'dropped';
  return outcome === 'refuse' ? 'refused' : stateOfEffects(effects);
};

/** The data that the turn leaves on its session. */
const buildEnding = async (
  { record, decision, head, spend }: ActTurn,
  effects: readonly Effect[],
): Promise<TurnEnding> => {
  const { session, payload } = record.signal;
  const spent = { spend: copyToHead(parseDaySpend(spend), session, head?.spend) };
  if (payload.sensor !== 'session-summary') return spent;
  return { ...spent, ...(await loadLazy()).endSummary(decision, effects, payload.turns) };
};

/** The signal that tells the model every result that is not silent; undefined if none has ended. */
const buildFeedback = (deps: ActDeps, turn: ActTurn, effects: readonly Effect[]): Signal | undefined => {
  const { record, decision, others, approvals } = turn;
  const actionOf = ({ n }: Effect): Action | undefined => decision.actions[n]?.action;
  // No model asked for the steps of a job, so none hears of them. A file that came with a message
  // was read for the model. If that failed, its sender is told, and the model hears of it only if
  // there are words beside the file.
  const isHeard = effects.some(
    (effect) =>
      actionOf(effect)?.tool === READ_ATTACHMENT && (effect.state === 'done' || hasWords(record.signal.payload)),
  );
  if (decision.attemptCount === 0 && !isHeard) return undefined;
  const heard = effects.filter((effect) => isHeardByModel(deps, turn, actionOf(effect)));
  const ended = heard.filter((effect) => effect.state !== 'suspended' && !isToldByApproval(turn, effect));
  if (ended.length === 0) return undefined;
  // An action may be approved before its signal is suspended.
  const isResumed = approvals.size > 0 || effects.some(({ n }) => turn.effects.get(n)?.handedTo !== undefined);
  const suffix = isResumed ? resumedSuffix(heard) : '1';
  // The other results of the same answer are repeated: without them it would look as if nobody knew
  // them.
  const earlier = isResumed ? others.filter((effect) => isHeardByModel(deps, turn, actionOf(effect))) : [];
  const results = [...heard, ...earlier].map((effect) => buildActionResult(effect, actionOf(effect)));
  const sensor = ended.some(({ state }) => state === 'done') ? 'tool-output' : 'tool-error';
  return buildChild(record.signal, suffix, { sensor, results: results.sort((a, b) => a.n - b.n) }, deps.now());
};

/** A person may answer again while an answer to several is taken up: the count tells them apart. */
const resumedSuffix = ([first, ...rest]: readonly Effect[]): string =>
  `r${first?.n ?? 0}${rest.length === 0 ? '' : `-${rest.length + 1}`}`;

/** A signal of its own tells of a no or no answer, perhaps before this delivery. */
const isToldByApproval = ({ approvals }: ActTurn, { state, approvalId }: Effect): boolean =>
  state === 'refused' && approvalId !== undefined && !approvals.has(approvalId);

const isHeardByModel = ({ silent }: ActDeps, { run, stepRun }: ActTurn, action: Action | undefined): boolean => {
  if (action?.tool === READ_ATTACHMENT) return true;
  // A summary is the end of its turn, and so is an answer that a runbook asked for.
  if (action?.author !== 'model' || action.tool === summariseSession.name || stepRun !== undefined) return false;
  // A webhook that gets a job's answer is an end of its turn too.
  if (action.target === 'webhook' && run?.copies?.some(({ to }) => to === action.to)) return false;
  return !silent.has(action.target) && !silent.has(action.tool ?? '');
};

/** Moves the record, and adds to what later turns see. @returns whether this delivery did */
const closeRecord = async (
  deps: ActDeps,
  { record: { signal, state: before }, decision }: ActTurn,
  history: History | undefined,
  state: SignalState,
  children: readonly string[],
): Promise<boolean> => {
  const isRoot = signal.id === signal.root;
  if (!isRoot && history !== undefined) await addToRoot(deps, signal, history, decision.at);
  const ending = endedAs(signal.space, state, deps.now(), decision.reason);
  const added = isRoot && history !== undefined ? addHistory(history) : {};
  // A late delivery never suspends again what was suspended, and approved, meanwhile.
  const isFirst = state === 'suspended' && before !== 'suspended';
  const from: readonly SignalState[] = ['perceived', 'reasoned', ...(isFirst ? [] : (['suspended'] as const))];
  const { record, hasMoved } = await advance(deps.table, signal, from, {
    ...ending,
    ...added,
    add: { ...ending.add, ...(added.add ?? {}), ...(children.length > 0 ? { children: new Set(children) } : {}) },
  });
  // It was given up as dead while its answer went out: later turns see the answer all the same.
  if (!hasMoved && isRoot && history !== undefined) await addToRoot(deps, signal, history, decision.at);
  await eraseLate(deps, record, decision.at);
  return hasMoved;
};

const isStep = ({ id }: Signal): boolean => stepOf(id) !== undefined;

/** Erases replies that were decided before their words were forgotten. */
const eraseLate = async (
  { table, now }: ActDeps,
  { signal, forgottenAt, replies }: SignalRecord,
  decidedAt: number,
): Promise<void> => {
  if (forgottenAt === undefined || decidedAt > forgottenAt || replies === undefined) return;
  const { eraseReplies, noteErasure } = await loadLazy();
  await noteErasure(table, signal.space, now());
  await table.update(signalKeys.record(signal.space, signal.id), { set: { replies: eraseReplies(replies) } });
};

/** The part of this signal that later turns see. */
interface History {
  readonly replies: readonly TurnReply[];
  readonly toolCalls: readonly TurnToolCall[];
  /** Each is added once. */
  readonly counted: ReadonlySet<string>;
}

/** An action that waited is added once more when it ends. */
const buildHistory = (turn: ActTurn, performed: readonly Effect[]): History | undefined => {
  const { record, decision } = turn;
  const { actions } = decision;
  const { id } = record.signal;
  const hasWaited = ({ n, state, approvalId }: Effect): boolean =>
    state !== 'suspended' && (approvalId ?? turn.effects.get(n)?.handedTo) !== undefined;
  const nameOf = (effect: Effect): string => (hasWaited(effect) ? `${id}#${effect.n}` : id);
  const effects = performed.filter((effect) => record.counted?.has(nameOf(effect)) !== true);
  const { replies, toolCalls } = describeTurn(actions, effects);
  const counted = new Set(effects.map(nameOf));
  return replies.length === 0 && toolCalls.length === 0 ? undefined : { replies, toolCalls, counted };
};

const addHistory = ({ replies, toolCalls, counted }: History): ItemChange => ({
  append: { ...(replies.length > 0 ? { replies } : {}), ...(toolCalls.length > 0 ? { toolCalls } : {}) },
  add: { counted },
});

/** A later signal of the turn adds its part to the root's record, once. */
const addToRoot = async (deps: ActDeps, signal: Signal, history: History, decidedAt: number): Promise<void> => {
  const isNotCounted = {
    name: 'not counted yet',
    holds: allOf(
      oneOf('sk', ['record']),
      anyOf(absent('counted'), allOf(...[...history.counted].map((name) => not(contains('counted', name))))),
    ),
  };
  try {
    const key = signalKeys.record(signal.space, signal.root);
    const item = await deps.table.update(key, addHistory(history), isNotCounted);
    await eraseLate(deps, parseRecord(signal.root, item), decidedAt);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
  }
};
