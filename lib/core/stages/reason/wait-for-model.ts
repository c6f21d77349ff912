/**
 * Decides whether a signal waits for a model that cannot be reached. It keeps its turn; its record
 * says since when it waits and when it is tried again. `publish-wait.ts` stores and publishes that.
 */

import { type LlmError, type ProviderFault, RetryLaterError } from '../../base/errors.ts';
import type { ModelWait } from '../../ledger/record.ts';
import { awaySince, isEverybodyAway } from '../../llm/provider-health.ts';
import type { ReasonMessage } from '../../signal/messages.ts';
import type { Item } from '../../store/table.ts';
import type { LoadedTurn } from './load-turn.ts';

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

export const pauseBefore = (tries: number, mayBeBilled: boolean): number =>
  mayBeBilled ? (BILLED_RETRY_MS[tries - 1] ?? BILLED_RETRY_MS_MAX) : (MODEL_RETRY_MS[tries - 1] ?? MODEL_RETRY_MS_MAX);

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
  readonly since: number;
  readonly mayBeBilled: boolean;
  /** How the last of those failed that were asked. */
  readonly fault: ProviderFault | undefined;
}

/** Since arrival or outage, the later. Undefined if it is not to be tried again. */
export const planWait = (
  { record: { signal, modelWait } }: LoadedTurn,
  { troubles, billed }: LlmError,
  item: Item,
  now: number,
): ModelAway | undefined => {
  if (!isEverybodyAway(troubles) || signal.payload.sensor === 'session-summary') return undefined;
  const since = modelWait?.since ?? Math.max(signal.receivedAt, awaySince(item, now) ?? now);
  const { fault } = troubles.findLast((one) => one.fault !== 'unasked') ?? {};
  return now < since + MODEL_WAIT_MS ? { kind: 'away', since, mayBeBilled: billed.length > 0, fault } : undefined;
};
