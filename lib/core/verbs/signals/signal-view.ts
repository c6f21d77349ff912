/** Builds the view of a signal for GET /api/signals/<id>. Pure. */
import { asShown } from '../../approvals/as-shown.ts';
import { isOpenCard } from '../../approvals/similar.ts';
import { defined } from '../../base/defined.ts';
import { SETTINGS_SEEN } from '../../ledger/live-settings.ts';
import { stateReasonOf } from '../../ledger/record.ts';
import { type Action, isText } from '../../signal/action.ts';
import type { Attempt, Decision, Effect, JudgedAction } from '../../signal/decision.ts';
import { isStepId } from '../../signal/ids.ts';
import { isFinal } from '../../signal/signal.ts';
import { defang } from '../../text/tappable.ts';
import { handedWords, isHanded, type ShownState, shownStateOf } from './plain-words.ts';
import type { StoredSignal } from './stored-signal.ts';
import type {
  AttemptView,
  DecisionView,
  EffectOutcome,
  EffectView,
  ShownEffectState,
  SignalView,
  TurnView,
} from './view.ts';

/** The fixed texts that say that nothing was done, by their templates (`notices.ts`). */
const REFUSALS: ReadonlySet<string> = new Set([
  // Commands.
  ...['unknown-command', 'usage', 'not-set', 'not-shown', 'may-not-command', 'not-in-this-group'],
  ...['may-not-change-memory', 'code-ended', 'wrong-code', 'still-forgetting'],
  // Stops.
  ...[
    'may-not-resume',
    'resume-usage',
    'session-stopped-again',
    'session-not-stopped',
    'is-stopped',
    'nothing-stopped',
  ],
  // Approvals and grants.
  ...['no-such-approval', 'may-not-approve', 'approval-stale', 'approval-outdated', 'approval-stopped'],
  ...[
    'approval-session-stopped',
    'similar-stale',
    'may-not-send-again',
    'read-already',
    'not-your-question',
    'answered-already',
  ],
]);

const CARD_TEXT = '[approval card]';

/** An action without the capability of a card and without a card's text. */
export const showAction = (action: Action): Action => {
  const { card, ...rest } = action;
  return card === undefined ? action : { ...rest, text: CARD_TEXT };
};

const showAttempt = (attempt: Attempt): AttemptView => ({
  n: attempt.n,
  at: attempt.at,
  provider: attempt.provider,
  model: attempt.model,
  ...defined({
    tier: attempt.tier,
    tierBecause: attempt.tierBecause,
    failures: attempt.failures,
    inputTokens: attempt.inputTokens,
    outputTokens: attempt.outputTokens,
    turnUsd: attempt.cost?.turnUsd,
  }),
  proposal: attempt.proposal ?? null,
  ...defined({ problem: attempt.problem, isVote: attempt.isVote }),
  trace: attempt.judged.flatMap((judged, n) => judged.trace.map((entry) => ({ ...entry, n }))),
});

/** Certainly not sent, and tried again. */
const isWaiting = ({ state, isReleased }: Effect): boolean => state === 'claimed' && isReleased === true;

const isPastLease = (effect: Effect, now: number): boolean =>
  effect.state === 'claimed' && !isWaiting(effect) && (effect.leaseUntil ?? 0) < now;

export const showEffectState = (effect: Effect, now: number): ShownEffectState => {
  if (isHanded(effect)) return 'handed';
  return isWaiting(effect) ? 'waiting' : isPastLease(effect, now) ? 'unknown' : effect.state;
};

const claimReason = (effect: Effect, now: number): string | undefined => {
  if (isHanded(effect)) return handedWords(effect.handedTo);
  return isPastLease(effect, now) ? 'it was begun, and whether it ended is not known' : undefined;
};

const showEffect = (effect: Effect, isCard: boolean, now: number): EffectView => {
  const reason = effect.reason ?? claimReason(effect, now);
  return {
    n: effect.n,
    actuator: effect.actuator,
    state: showEffectState(effect, now),
    actionHash: effect.actionHash,
    trace: effect.trace,
    tries: effect.tries,
    ...defined({ reason }),
    ...(effect.output === undefined || isCard ? {} : { output: effect.output }),
    ...defined({
      grantId: effect.grantId,
      resolution: effect.resolution,
      claimedAt: effect.claimedAt,
      settledAt: effect.settledAt,
    }),
  };
};

/** Memory objects, and the version of the stored settings. */
const shownBy = ({ seen }: Decision): Pick<DecisionView, 'seen' | 'settingsVersion'> => {
  const objects = seen?.filter(({ id }) => id !== SETTINGS_SEEN) ?? [];
  const settingsVersion = seen?.find(({ id }) => id === SETTINGS_SEEN)?.version;
  return { ...(objects.length === 0 ? {} : { seen: objects }), ...defined({ settingsVersion }) };
};

const showDecision = (
  stored: StoredSignal,
  decision: Decision,
  sentenceOf: (action: Action) => string,
  now: number,
): DecisionView => ({
  gateSet: decision.gateSet,
  policyVersion: decision.policyVersion,
  at: decision.at,
  outcome: decision.outcome,
  reason: decision.reason,
  ...shownBy(decision),
  ...defined({ memory: decision.memory, skill: decision.skill, consensus: decision.consensus }),
  attempts: stored.attempts.map(showAttempt),
  actions: decision.actions.map((judged, n) => {
    const effect = stored.effects.find((candidate) => candidate.n === n);
    return {
      n,
      sentence: sentenceOf(showAction(judged.action)),
      action: asShown({ action: showAction(judged.action), signalId: stored.record.signal.id }),
      actionHash: judged.hash,
      state: effect === undefined ? 'pending' : showEffectState(effect, now),
      trace: judged.trace,
    };
  }),
});

interface Reply {
  readonly text: string;
  readonly at: number;
}

const repliesOf = (stored: StoredSignal): readonly Reply[] =>
  stored.effects.flatMap((effect): Reply[] => {
    const action = stored.decision?.actions[effect.n]?.action;
    if (effect.state !== 'done' || action === undefined || !isText(action) || action.edits !== undefined) return [];
    const isCard = action.author === 'code' && isOpenCard(action.template);
    const { text = '' } = isCard ? { text: CARD_TEXT } : showAction(action);
    // Telegram shows these links as code; a terminal cannot.
    return [{ text: action.links === undefined ? text : defang(text, action.links), at: effect.settledAt ?? 0 }];
  });

/** An action of it needs a yes: none that a machine has, or that was just decided. */
const needsPerson = ({ record, effects }: StoredSignal): boolean =>
  record.state === 'suspended' && effects.some((effect) => effect.state === 'suspended' && !isHanded(effect));

const turnOf = (signals: readonly StoredSignal[]): SignalView['turn'] => {
  const found = new Set(signals.map((stored) => stored.record.signal.id));
  const isMissingOne = signals.some((stored) => turnChildrenOf(stored).some((id) => !found.has(id)));
  const isOpen = (stored: StoredSignal) => !isFinal(stored.record.state) && !needsPerson(stored);
  if (isMissingOne || signals.some(isOpen)) return 'running';
  return signals.some(needsPerson) ? 'waiting' : 'ended';
};

/** A tool's result is a child signal, except of silent actuators and for a summary. */
const mayContinue = (stored: StoredSignal): boolean =>
  stored.record.state === 'acted' &&
  stored.record.signal.payload.sensor !== 'session-summary' &&
  childrenOf(stored).length === 0 &&
  (stored.decision?.actions ?? []).some((judged) => !isText(judged.action));

/** Ids of what a signal caused, in the order of their numbers. */
const childrenOf = (stored: StoredSignal): readonly string[] =>
  [...(stored.record.children ?? [])].sort((left, right) => left.localeCompare(right, 'en', { numeric: true }));

/** Those children that belong to the same turn: each step of a run is a turn of its own. */
export const turnChildrenOf = (stored: StoredSignal): readonly string[] =>
  childrenOf(stored).filter((id) => !isStepId(id));

const isRefusal = ({ action }: JudgedAction): boolean =>
  action.author === 'code' && REFUSALS.has(action.template ?? '');

const outcomeOf = ({ record, decision, effects }: StoredSignal): EffectOutcome | undefined => {
  if (!isFinal(record.state)) return undefined;
  const has = (state: Effect['state']): boolean => effects.some((effect) => effect.state === state);
  if (has('unknown')) return 'unknown';
  if (record.state === 'dead-lettered' || has('failed')) return 'failed';
  return record.state === 'refused' || has('refused') || decision?.actions.some(isRefusal) === true
    ? 'refused'
    : 'done';
};

/** The record of a model's turn is not written again for its decision: that one says it itself. */
const stateOf = ({ record, decision }: StoredSignal): ShownState =>
  record.state === 'perceived' && decision !== undefined ? 'reasoned' : shownStateOf(record);

/** How far a turn is, and what was answered. @param descendants nearest first */
export const buildTurnView = (stored: StoredSignal, descendants: readonly StoredSignal[]): TurnView => {
  const { signal } = stored.record;
  const turn = [stored, ...descendants];
  return {
    id: signal.id,
    state: stateOf(stored),
    session: signal.session,
    sender: signal.sender.id,
    receivedAt: signal.receivedAt,
    replies: turn
      .flatMap(repliesOf)
      .sort((left, right) => left.at - right.at)
      .map((reply) => reply.text),
    turn: turnOf(turn),
    isTurnClosed: turnOf(turn) === 'ended' && !turn.some(mayContinue),
    ...defined({ outcome: outcomeOf(stored) }),
  };
};

/** All of a turn, with the sentence that names each action. @param now epoch milliseconds */
export const buildSignalView = (
  stored: StoredSignal,
  turn: TurnView,
  sentenceOf: (action: Action) => string,
  now: number,
): SignalView => {
  const { signal } = stored.record;
  const isCard = (n: number) => stored.decision?.actions[n]?.action.card !== undefined;
  return {
    ...turn,
    ...defined({ stateReason: stateReasonOf(stored.record, stored.decision !== undefined) }),
    source: signal.source,
    sensor: signal.payload.sensor,
    root: signal.root,
    ...defined({ parent: signal.parent }),
    depth: signal.depth,
    text: 'text' in signal.payload ? signal.payload.text : [],
    decision: stored.decision === undefined ? null : showDecision(stored, stored.decision, sentenceOf, now),
    ...(stored.decision === undefined && stored.attempts.length > 0
      ? { attempts: stored.attempts.map(showAttempt) }
      : {}),
    effects: stored.effects.map((effect) => showEffect(effect, isCard(effect.n), now)),
    ...(stored.changes.length === 0 ? {} : { changes: stored.changes }),
    children: childrenOf(stored),
    ...(stored.unreadable.length === 0 ? {} : { unreadable: stored.unreadable }),
  };
};
