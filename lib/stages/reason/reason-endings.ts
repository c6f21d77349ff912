/** How Reason ends: the decision that stands, or a refusal with a notice that says why, in words for whoever asked. */

import type { LlmError } from '../../base/errors.ts';
import { buildPolicyVersion } from '../../judge/judge.ts';
import { type Notice, notices } from '../../judge/notices.ts';
import { buildNoticeDecision } from '../../judge/notify.ts';
import type { SpacePolicy } from '../../judge/policy/space-policy.ts';
import { packAttempt } from '../../ledger/ledger.ts';
import { NOTHING_TO_SUMMARISE } from '../../ledger/session.ts';
import { awaySince, isEverybodyAway } from '../../llm/provider-health.ts';
import type { CapCheck } from '../../money/plan-reservation.ts';
import type { Attempt, Decision } from '../../signal/decision.ts';
import type { ReplyRoute, Sensor, Signal } from '../../signal/signal.ts';
import { signalKeys } from '../../store/keys.ts';
import { putOnce } from '../../store/put-once.ts';
import type { Item, Table } from '../../store/table.ts';
import type { LoadedTurn } from './load-turn.ts';
import type { ReasonDeps } from './reason-ports.ts';
import { refuseOverBudget } from './refuse-over-budget.ts';
import { KEYS_REFUSED, refusedWork } from './tell-refused-key.ts';

export const refuse = async (
  deps: ReasonDeps,
  signal: Signal,
  why: string,
  said: readonly Notice[],
  attemptCount = 0,
): Promise<Decision> => ({
  ...(await buildNoticeDecision({ gateSet: deps.gateSet, now: deps.now() }, signal, 'refuse', why, said)),
  attemptCount,
});

/** Why the model is not asked at all; undefined where it is. */
export const refuseUnasked = async (deps: ReasonDeps, turn: LoadedTurn): Promise<Decision | undefined> => {
  const { signal } = turn.record;
  if (turn.isStopped) return refuse(deps, signal, STOPPED, [notices.isStopped()]);
  const because = turn.head?.stoppedBecause;
  if (because !== undefined) {
    const notice = notices.isSessionStopped(because);
    return refuse(deps, { ...signal, reply: stopRoute(signal) }, 'the conversation is stopped', [notice]);
  }
  if (signal.payload.sensor === 'session-summary' && turn.steps.length === 0)
    return refuse(deps, signal, NOTHING_TO_SUMMARISE, [notices.nothingToSummarise()]);
  const said = refusedWork(turn, deps.budget.providers, deps.now());
  return said === undefined ? undefined : refuse(deps, signal, KEYS_REFUSED, said);
};

const STOPPED = 'the kill switch is on';

/** A stop that came while the model was thinking. */
export const refuseStopped = (deps: ReasonDeps, signal: Signal, attemptCount: number): Promise<Decision> =>
  refuse(deps, signal, STOPPED, [notices.isStopped()], attemptCount);

/** Who asked is told; of a webhook, or an approval that ended, only the record tells: the owner heard of the stop itself. */
const stopRoute = ({ payload, reply }: Signal): ReplyRoute =>
  ASKED_BY_PEOPLE.includes(payload.sensor) ? reply : { target: 'system', to: '' };

const ASKED_BY_PEOPLE: readonly Sensor[] = ['user-input', 'chat-message', 'tool-output', 'tool-error'];

export const overBudget = async (
  deps: ReasonDeps,
  { record: { signal }, rootPayload, spending }: LoadedTurn,
  over: CapCheck,
  attemptCount: number,
): Promise<Decision> => {
  const context = { gateSet: deps.gateSet, now: deps.now() };
  const said = { table: deps.table, homeChat: deps.budget.homeChat };
  if (spending.mayUseReserve && (over.cap === 'day' || over.cap === 'tokens')) deps.onDaySpent?.();
  return {
    ...(await refuseOverBudget(said, context, signal, rootPayload.sensor, over, spending.quotas)),
    attemptCount,
  };
};

export const noAnswer = ({ id }: Signal, { troubles }: LlmError): Notice =>
  troubles.at(-1)?.fault === 'policy' ? notices.withheld(id) : notices.noModel(id);

/** A message is tried for so long while every model is away: later than that, nobody waits. */
export const MODEL_WAIT_MS = 10 * 60_000;

/** No model can be reached, and the signal is tried again later. */
export interface Waits {
  readonly kind: 'waits';
  /** Epoch milliseconds. */
  readonly since: number;
  readonly mayBeBilled: boolean;
}

/**
 * A signal waits for a model since its own arrival or the beginning of the outage, whichever came
 * later. Undefined when it is not to be tried again: a refused key does not mend itself, and
 * summaries have tries of their own.
 */
export const planWait = (
  { record: { signal, modelWait } }: LoadedTurn,
  { troubles, billed }: LlmError,
  item: Item,
  now: number,
): Waits | undefined => {
  if (!isEverybodyAway(troubles) || signal.payload.sensor === 'session-summary') return undefined;
  const since = modelWait?.since ?? Math.max(signal.receivedAt, awaySince(item, now) ?? now);
  return now < since + MODEL_WAIT_MS ? { kind: 'waits', since, mayBeBilled: billed.length > 0 } : undefined;
};

/** The same decision, and texts of our own beside what the model proposed. */
export const withNotices = async (
  deps: ReasonDeps,
  signal: Signal,
  decision: Decision,
  said: readonly Notice[],
): Promise<Decision> => {
  if (said.length === 0) return decision;
  const context = { gateSet: deps.gateSet, now: deps.now() };
  const { actions } = await buildNoticeDecision(context, signal, 'act', '', said);
  return { ...decision, actions: [...decision.actions, ...actions] };
};

export const acceptedDecision = (
  deps: ReasonDeps,
  signal: Signal,
  policy: SpacePolicy,
  attempt: Attempt,
): Decision => ({
  schemaVersion: 1,
  signalId: signal.id,
  at: deps.now(),
  outcome: 'act',
  reason: '',
  gateSet: deps.gateSet.version,
  policyVersion: buildPolicyVersion(deps.gateSet, policy.hash),
  // The judged actions are the decision's own: they are not stored a second time with the attempt.
  attempt: { ...attempt, judged: [] },
  attemptCount: attempt.n,
  actions: attempt.judged,
});

/** The first of two racing deliveries stays; its attempt is the one that was paid for and stored. */
export const saveAttempt = async (table: Pick<Table, 'put'>, signal: Signal, attempt: Attempt): Promise<void> => {
  await putOnce(table, signalKeys.attempt(signal.space, signal.id, attempt.n), { ...packAttempt(attempt) });
};
