/**
 * Waiting for a model that cannot be reached. The signal keeps its turn; its record says since when
 * it waits and when it is tried again. Each try is a message of its own, so that waiting uses up no
 * deliveries. Whoever asked is told once. A repeat of any step finds the stored wait and publishes
 * the same again.
 */

import { ConditionError, type LlmError, RetryLaterError } from '../../base/errors.ts';
import { SWEEP_BACKOFF_MS } from '../../base/limits.ts';
import { notices } from '../../judge/notices.ts';
import { saveNotice } from '../../judge/notify.ts';
import { actMessage, parseRecord } from '../../ledger/ledger.ts';
import type { ModelWait } from '../../ledger/record.ts';
import { awaySince, isEverybodyAway } from '../../llm/provider-health.ts';
import { childId } from '../../signal/ids.ts';
import type { ReasonMessage } from '../../signal/messages.ts';
import { absent, allOf, type Condition, equals } from '../../store/condition.ts';
import { signalKeys } from '../../store/keys.ts';
import { type Item, isItem } from '../../store/table.ts';
import type { LoadedTurn } from './load-turn.ts';
import type { ReasonDeps } from './reason-deps.ts';
import { isBackground } from './refuse.ts';

/** A message is tried for so long while every model is away: later than that, nobody waits. */
export const MODEL_WAIT_MS = 10 * 60_000;

/**
 * Pauses before the next tries, milliseconds: a short outage is noticed soon. There are eight at
 * most, because Lambda ends a chain of messages in which one function runs about 16 times.
 */
const MODEL_RETRY_MS = [5_000, 15_000, 40_000] as const;
const MODEL_RETRY_MS_MAX = 120_000;
/** Pauses if failed calls may be billed: each is booked at its worst case, so there are few. */
const BILLED_RETRY_MS = [5_000, 60_000, 120_000] as const;
const BILLED_RETRY_MS_MAX = 240_000;

const pauseBefore = (tries: number, mayBeBilled: boolean): number =>
  mayBeBilled ? (BILLED_RETRY_MS[tries - 1] ?? BILLED_RETRY_MS_MAX) : (MODEL_RETRY_MS[tries - 1] ?? MODEL_RETRY_MS_MAX);

const NOTICE = 'model-away';

/** @throws RetryLaterError while the try is not due: the same message is seen again then */
export const checkDue = ({ retry }: ReasonMessage, now: number): void => {
  const earlyMs = (retry?.dueAt ?? now) - now;
  if (earlyMs > 0) throw new RetryLaterError('no model could be reached', Math.min(earlyMs, BILLED_RETRY_MS_MAX));
};

/**
 * The stored wait for a later try than this message is. The delivery that stored it may have died
 * before it asked for that try, or this message came twice.
 */
export const findLaterWait = (
  { retry }: ReasonMessage,
  { record: { modelWait }, decision }: LoadedTurn,
): ModelWait | undefined =>
  decision === undefined && retry !== undefined && retry.tries < (modelWait?.tries ?? 0) ? modelWait : undefined;

/** No model can be reached, and the signal is to be tried again. */
export interface ModelAway {
  readonly kind: 'away';
  /** Epoch milliseconds. */
  readonly since: number;
  readonly mayBeBilled: boolean;
}

/**
 * Waits from the signal's arrival or the beginning of the outage, whichever came later.
 * @returns undefined if it is not to be tried again: the time is over, a key is refused, or it is a
 * summary, which has tries of its own
 */
export const planWait = (
  { record: { signal, modelWait } }: LoadedTurn,
  { troubles, billed }: LlmError,
  item: Item,
  now: number,
): ModelAway | undefined => {
  if (!isEverybodyAway(troubles) || signal.payload.sensor === 'session-summary') return undefined;
  const since = modelWait?.since ?? Math.max(signal.receivedAt, awaySince(item, now) ?? now);
  return now < since + MODEL_WAIT_MS ? { kind: 'away', since, mayBeBilled: billed.length > 0 } : undefined;
};

/** Stores when the next try is due, and asks for it. */
export const waitForModel = async (
  deps: ReasonDeps,
  turn: LoadedTurn,
  message: ReasonMessage,
  { since, mayBeBilled }: ModelAway,
): Promise<void> => {
  const { modelWait } = turn.record;
  const now = deps.now();
  const tries = (modelWait?.tries ?? 0) + 1;
  const next: ModelWait = {
    since,
    tries,
    dueAt: Math.min(now + pauseBefore(tries, mayBeBilled), since + MODEL_WAIT_MS),
  };
  const wait = await saveWait(deps, turn, next);
  if (wait !== undefined) await publishWait(deps, turn, message, wait);
};

const isToBeTold = ({ record: { signal }, rootPayload }: LoadedTurn): boolean =>
  !isBackground(signal, rootPayload.sensor);

/** @returns the stored wait, ours or a faster delivery's; undefined if the signal has gone on */
const saveWait = async (deps: ReasonDeps, turn: LoadedTurn, next: ModelWait): Promise<ModelWait | undefined> => {
  const { signal, modelWait } = turn.record;
  const isAsRead: Condition = {
    name: 'the signal waits as it was read',
    holds: allOf(
      equals('state', 'perceived'),
      modelWait === undefined ? absent('modelWait') : equals('modelWait', { ...modelWait }),
    ),
  };
  // The sweep looks at it only if the try itself must have been lost.
  const set = { modelWait: next, unfinishedAt: next.dueAt + SWEEP_BACKOFF_MS[0] };
  const add = isToBeTold(turn) ? { add: { children: new Set([childId(signal.id, NOTICE)]) } } : {};
  try {
    await deps.table.update(signalKeys.record(signal.space, signal.id), { set, ...add }, isAsRead);
    return next;
  } catch (error) {
    if (!(error instanceof ConditionError) || !isItem(error.current)) throw error;
    const { state, modelWait: stored } = parseRecord(signal.id, error.current);
    return state === 'perceived' ? stored : undefined;
  }
};

/** Tells the sender, and asks for the next try. The queues drop a repeated message. */
export const publishWait = async (
  deps: ReasonDeps,
  turn: LoadedTurn,
  message: ReasonMessage,
  { since, tries, dueAt }: ModelWait,
): Promise<void> => {
  const { signal } = turn.record;
  if (isToBeTold(turn)) {
    const notice = notices.modelAway(clockTime(since + MODEL_WAIT_MS, deps.identity.zone), signal.id);
    const context = { gateSet: deps.gateSet, now: deps.now() };
    const saved = await saveNotice(deps.table, context, signal, NOTICE, notice);
    await deps.publishAct(actMessage(saved.signal, saved.decision), 'act:0');
  }
  await deps.publishReason({ ...message, retry: { tries, dueAt } }, `wait:${tries}`);
};

/** `14:05 CET` */
const clockTime = (at: number, zone: string): string => {
  const options = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const;
  try {
    return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone }).format(at);
  } catch {
    return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(at);
  }
};
