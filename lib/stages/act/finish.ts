/**
 * Closing a signal after Act: results back to the model as one child, the turn handed on, and the record moved to what its
 * effects add up to. The order is the guarantee: children and hand-over are stored and published first, the write that
 * takes the signal out of the index of unfinished ones comes last, so that a crash anywhere is repaired by a repeat.
 */

import { ConditionError } from '../../base/errors.ts';
import type { Notice } from '../../judge/notices.ts';
import { acceptSignal, perceiveMessage } from '../../ledger/accept.ts';
import type { KillSwitch } from '../../ledger/kill-switch.ts';
import { advance, endedAs, parseRecord, stateOfEffects } from '../../ledger/ledger.ts';
import type { SessionHead, SignalRecord, TurnReply, TurnToolCall } from '../../ledger/record.ts';
import { leaveTurn, NOTHING_TO_SUMMARISE, type TurnEnding } from '../../ledger/session.ts';
import { copyToHead, parseDaySpend } from '../../money/day-spend.ts';
import { type Action, isText } from '../../signal/action.ts';
import type { Decision, Effect } from '../../signal/decision.ts';
import { buildChild, joinOrigins, routeOf, type Signal, type SignalState } from '../../signal/signal.ts';
import { absent, allOf, anyOf, type Change, contains, not, oneOf } from '../../store/condition.ts';
import { signalKeys } from '../../store/keys.ts';
import type { Item } from '../../store/table.ts';
import { summariseSession, summaryIdIn } from '../../tools/summarise-session.ts';
import { chargesOf } from '../spending.ts';
import type { ActDeps } from './act-deps.ts';
import { otherResults, resultOf } from './action-result.ts';
import { askForSummary } from './ask-summary.ts';
import type { Performed } from './perform.ts';

export interface Finished {
  readonly record: SignalRecord;
  readonly decision: Decision;
  readonly head: SessionHead | undefined;
  readonly killSwitch: KillSwitch | undefined;
  /** Effects of the decision's actions that this delivery was not about. */
  readonly others: readonly Effect[];
  readonly performed: readonly Performed[];
  /** The day's counter. */
  readonly spend: Item | undefined;
  /** Notices to publish: approval cards. */
  readonly cards: readonly Signal[];
}

export const finish = async (deps: ActDeps, finished: Finished): Promise<void> => {
  const { signal } = finished.record;
  const effects = [...finished.others, ...finished.performed.map((done) => done.effect)];
  const child = feedback(deps, finished);
  const told = [
    ...finished.cards,
    ...(await tellRefusals(deps, finished)),
    ...(await tellCommands(deps, finished)),
    ...(await tellOfChannel(deps, finished)),
  ];
  for (const notice of told) await deps.publishPerceive(perceiveMessage(notice), 'notice');
  if (child !== undefined) await acceptSignal({ table: deps.table, publish: deps.publishPerceive }, child);
  const isTurn = routeOf(signal.payload.sensor) === 'reason';
  // An approved action comes back after its turn was handed on: it has no turn to end.
  const isResumed = finished.record.state === 'suspended';
  if (isTurn && child === undefined && !isResumed) {
    const accept = { table: deps.table, publish: deps.publishPerceive };
    const asked = await askForSummary(accept, signal, finished.head, finished.killSwitch, deps.now());
    const next = await leaveTurn(deps.table, signal, finished.head, { ...endingOf(finished, effects), asked });
    if (next !== undefined) await deps.publishPerceive(perceiveMessage({ ...signal, id: next }), `turn:${signal.id}`);
  }
  const children = [...(child === undefined ? [] : [child.id]), ...told.map((notice) => notice.id)];
  await closeRecord(deps, finished, stateAfter(finished.decision, effects), children);
};

/** What the turn leaves on its session. */
const endingOf = (finished: Finished, effects: readonly Effect[]): TurnEnding => {
  const { record, decision, head } = finished;
  const { signal } = record;
  const [lastCall] = chargesOf([decision.attempt]);
  const spend = copyToHead(parseDaySpend(finished.spend), signal.session, head?.spend);
  const spent = { lastCall, spend };
  if (signal.payload.sensor !== 'session-summary') return spent;
  const summarised = signal.payload.turns;
  if (decision.reason === NOTHING_TO_SUMMARISE) return { ...spent, summarised };
  const id = effects
    .map(({ state, output = '' }) => (state === 'done' ? summaryIdIn(output) : undefined))
    .find(Boolean);
  const until = summarised.at(-1);
  return id === undefined || until === undefined ? spent : { ...spent, summary: { id, until }, summarised };
};

/** Loaded here: a plain turn tells nothing. */
const tell = async (
  { table, gateSet, now }: ActDeps,
  parent: Signal,
  suffix: string,
  notice: Notice,
): Promise<Signal> => {
  const { saveNotice } = await import('../../judge/notify.ts');
  return (await saveNotice(table, { gateSet, now: now() }, parent, suffix, notice)).signal;
};

/** A reply that only the last mile refused would leave its person without a word. Whoever stopped everything just now knows. */
const tellRefusals = async (deps: ActDeps, finished: Finished): Promise<readonly Signal[]> => {
  const { signal } = finished.record;
  const notices: Signal[] = [];
  for (const { effect } of finished.performed) {
    const action = finished.decision.actions[effect.n]?.action;
    const isReply = action !== undefined && action.author === 'model' && isText(action);
    if (!isReply || effect.state !== 'refused' || finished.killSwitch?.isStopped === true) continue;
    const { notices: templates } = await import('../../judge/notices.ts');
    const isForgotten = finished.decision.forgottenAt !== undefined;
    const notice = isForgotten
      ? templates.forgottenMeanwhile(signal.id)
      : templates.refused(signal.id, [effect.reason ?? '']);
    notices.push(await tell(deps, signal, `refused-${effect.n}`, notice));
  }
  return notices;
};

/** A person's command, and what code does by itself, is answered with what became of it; no model is asked about it. */
const tellCommands = async (deps: ActDeps, finished: Finished): Promise<readonly Signal[]> => {
  const { signal } = finished.record;
  const notices: Signal[] = [];
  for (const { effect, outputOrigin } of finished.performed) {
    const action = finished.decision.actions[effect.n]?.action;
    const isAnswered = action?.author === 'owner' || (action?.author === 'code' && !isText(action));
    if (!isAnswered || effect.state === 'suspended' || effect.state === 'claimed') continue;
    const said = effect.output ?? effect.reason ?? '';
    const { notices: templates } = await import('../../judge/notices.ts');
    const notice = templates.commandResult(action.tool ?? '', effect.state, said, outputOrigin);
    notices.push(await tell(deps, signal, `result-${effect.n}`, notice));
  }
  return notices;
};

/** A text that waited for its channel, or may be lost, is rare. */
const tellOfChannel = async (deps: ActDeps, finished: Finished): Promise<readonly Signal[]> => {
  if (finished.performed.every(({ effect }) => effect.waitingSince === undefined && effect.state !== 'unknown'))
    return [];
  const { tellChannel } = await import('./tell-channel.ts');
  return tellChannel(deps, finished);
};

const stateAfter = (decision: Decision, effects: readonly Effect[]): SignalState => {
  if (decision.outcome === 'drop') return 'dropped';
  if (decision.outcome === 'refuse') return 'refused';
  return stateOfEffects(effects);
};

/** What the model is told: every result that is not silent, once all have ended or wait for a person. */
const feedback = (deps: ActDeps, finished: Finished): Signal | undefined => {
  const { signal } = finished.record;
  const told = finished.performed.filter(({ effect }) => isTold(deps, finished.decision.actions[effect.n]?.action));
  const actions = finished.decision.actions.map(({ action }) => action);
  const own = told.map(({ effect, outputOrigin }) => resultOf(effect, outputOrigin, actions[effect.n]));
  const ended = own.filter((result) => result.state !== 'suspended');
  if (ended.length === 0) return undefined;
  const isResumed = finished.record.state === 'suspended';
  const suffix = isResumed ? `r${told[0]?.effect.n ?? 0}` : '1';
  const sensor = ended.some((result) => result.state === 'done') ? 'tool-output' : 'tool-error';
  const others = isResumed ? finished.others.filter(({ n }) => isTold(deps, actions[n])) : [];
  const results = [...own, ...otherResults(others, actions)].sort((a, b) => a.n - b.n);
  return buildChild(signal, suffix, { sensor, results }, deps.now());
};

const isTold = (deps: ActDeps, action: Action | undefined): boolean => {
  // A summary is the end of its turn: there is nothing to go on with.
  if (action?.author !== 'model' || action.tool === summariseSession.name) return false;
  return !deps.silent.has(action.target) && !deps.silent.has(action.tool ?? '');
};

/** Moves the record and, in the same write, adds to what later turns see of this one. */
const closeRecord = async (
  deps: ActDeps,
  finished: Finished,
  state: SignalState,
  children: readonly string[],
): Promise<void> => {
  const { signal } = finished.record;
  const summary = summarise(finished);
  const noted = children.length > 0 ? { children: new Set(children) } : {};
  const ending = endedAs(signal.space, state, deps.now(), finished.decision.reason);
  const isRoot = signal.id === signal.root;
  const counted = isRoot && summary !== undefined ? withSummary(summary, signal.id) : {};
  const { at } = finished.decision;
  if (!isRoot && summary !== undefined) await addToRoot(deps, signal, summary, at);
  const { record } = await advance(deps.table, signal, ['perceived', 'reasoned', 'suspended'], {
    ...ending,
    ...counted,
    add: { ...ending.add, ...(counted.add ?? {}), ...noted },
  });
  await eraseLate(deps, record, at);
};

/** What was decided before its words were forgotten must not be in what later turns see. */
const eraseLate = async (deps: ActDeps, { signal, forgottenAt, replies }: SignalRecord, at: number): Promise<void> => {
  if (forgottenAt === undefined || at > forgottenAt || replies === undefined) return;
  const { eraseReplies } = await import('../forget/erase.ts');
  const erased = eraseReplies(replies);
  await deps.table.update(signalKeys.record(signal.space, signal.id), { set: { replies: erased } });
};

interface Summary {
  readonly replies: readonly TurnReply[];
  readonly toolCalls: readonly TurnToolCall[];
}

/** Notices are left out: cards and refusals never enter history (I5). */
const summarise = (finished: Finished): Summary | undefined => {
  const acted = finished.performed.flatMap(({ effect }) => {
    const judged = finished.decision.actions[effect.n];
    return judged?.action.author === 'model' ? [{ judged, effect }] : [];
  });
  const replies = acted
    .filter(({ judged, effect }) => isText(judged.action) && effect.state === 'done')
    .map(({ judged }) => ({
      text: judged.action.text ?? '',
      origin: joinOrigins(['agent', ...judged.facts.map((facts) => facts.origin)]),
    }));
  const toolCalls = acted
    .filter(({ judged }) => !isText(judged.action))
    .map(({ judged, effect }) => ({ tool: judged.action.tool ?? '', state: effect.state }));
  return replies.length === 0 && toolCalls.length === 0 ? undefined : { replies, toolCalls };
};

const withSummary = (summary: Summary, countedId: string): Change => ({
  append: {
    ...(summary.replies.length > 0 ? { replies: summary.replies } : {}),
    ...(summary.toolCalls.length > 0 ? { toolCalls: summary.toolCalls } : {}),
  },
  add: { counted: new Set([countedId]) },
});

/** A later signal of the turn adds its part to the root's record, once. */
const addToRoot = async (deps: ActDeps, signal: Signal, summary: Summary, at: number): Promise<void> => {
  try {
    const item = await deps.table.update(
      signalKeys.record(signal.space, signal.root),
      withSummary(summary, signal.id),
      {
        name: 'not counted yet',
        holds: allOf(oneOf('sk', ['record']), anyOf(absent('counted'), not(contains('counted', signal.id)))),
      },
    );
    await eraseLate(deps, parseRecord(signal.root, item), at);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
  }
};
