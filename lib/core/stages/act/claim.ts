/**
 * Claims and settles effects, so that one delivery performs an action (I7). A claim is a
 * conditional write of the effect's row, with the facts and the trace of the last mile, before
 * anything is performed (I1, I4). It is a lease that ends with its invocation; after that a claimed
 * effect may have happened. It is `unknown` if it is `once`, or if a rule now forbids another try.
 *
 *   absent ──claim──► claimed ──settle──► done | failed | unknown | refused
 *   suspended ─claim + spend─┘    └─lease over─► once: unknown · idempotent: claimed again
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '../../base/defined.ts';
import { RetryLaterError, UnavailableError, WaitingError } from '../../base/errors.ts';
import { RECEIVE_COUNT_MAX, RETRY_BACKOFF_MS, SECOND_MS } from '../../base/limits.ts';
import { packEffect, type SignalRef } from '../../ledger/ledger.ts';
import { isText } from '../../signal/action.ts';
import type { ActuatorResult } from '../../signal/actuator.ts';
import type { Because } from '../../signal/because.ts';
import type { Effect } from '../../signal/decision.ts';
import type { Origin, Signal } from '../../signal/signal.ts';
import {
  absent,
  allOf,
  anyOf,
  below,
  type Condition,
  equals,
  IS_NEW,
  oneOf,
  type Predicate,
} from '../../store/condition.ts';
import { approvalKey, grantKey, indexPartitions, signalKeys } from '../../store/keys.ts';
import { putOnce } from '../../store/put-once.ts';
import type { Table, Write } from '../../store/table.ts';
import { wasWritten } from '../../store/update-if.ts';
import { type ActDeps, loadLazy, type Task } from './act-context.ts';

/** How long a claim outlives its invocation: more than clocks differ. */
const CLAIM_MARGIN_MS = 5 * SECOND_MS;

type EffectTable = Pick<Table, 'load' | 'put' | 'update' | 'transact'>;

/** @param remainingMs time the invocation has left */
export const claimedEffect = (
  base: Omit<Effect, 'state' | 'schemaVersion' | 'tries'>,
  { now, remainingMs, claim, tries }: { now: number; remainingMs: number; claim: string; tries: number },
): Effect => ({
  ...base,
  schemaVersion: 1,
  state: 'claimed',
  claimedAt: now,
  leaseUntil: now + remainingMs + CLAIM_MARGIN_MS,
  claim,
  tries,
});

const mayBeClaimedAgain = (now: number): Condition => ({
  name: 'effect is free: suspended, given up for a retry, or its lease is over',
  holds: anyOf(
    absent('pk'),
    allOf(equals('state', 'suspended'), absent('handedTo')),
    allOf(equals('state', 'claimed'), below('leaseUntil', now)),
    allOf(equals('state', 'unknown'), equals('resolution', 'retry')),
  ),
});

/**
 * - `first`: the effect has no row yet
 * - `again`: its earlier claim has lapsed or was given back; an approval it needed was spent by
 *   that claim
 * - `grant`: it has no row yet, and one use of its grant is spent in the same transaction
 * - `spend`: it was suspended, and its approval is spent in the same transaction
 */
export type ClaimKind = 'first' | 'again' | 'spend' | 'grant';

/** An effect that waits for its channel has an index of its own, also while it is tried. */
const waitingMarks = (space: string, since: number | undefined): object =>
  since === undefined ? {} : { unfinishedSpace: indexPartitions.waitingEffects(space), unfinishedAt: since };

export interface ClaimPlan {
  readonly now: number;
  readonly kind: ClaimKind;
  /** Writes that pay for the effect, in the same transaction. */
  readonly payment?: readonly Write[];
}

/** @returns false if another delivery holds or settled it, or the payment changed */
export const claimEffect = async (
  table: EffectTable,
  ref: SignalRef,
  effect: Effect,
  { now, kind, payment = [] }: ClaimPlan,
): Promise<boolean> => {
  const key = signalKeys.effect(ref.space, ref.id, effect.n);
  const marks = kind === 'first' || kind === 'again' ? claimMarks(ref.space, effect) : {};
  const item = { ...packEffect(effect), ...marks };
  const claim: Extract<Write, { kind: 'put' }> = { kind: 'put', key, item, condition: claimCondition(kind, now) };
  const spending = spendConsent(ref.space, effect, now, kind);
  return wasWritten(
    spending === undefined && payment.length === 0
      ? table.put(key, item, claim.condition)
      : table.transact([...(spending === undefined ? [] : [spending]), claim, ...payment]),
  );
};

const claimMarks = (space: string, { state, waitingSince }: Effect): object =>
  state === 'claimed' ? waitingMarks(space, waitingSince) : {};

const claimCondition = (kind: ClaimKind, now: number): Condition => {
  switch (kind) {
    case 'first':
    case 'grant':
      return IS_NEW;
    case 'spend':
      return { name: 'effect waits for a person', holds: allOf(equals('state', 'suspended'), absent('handedTo')) };
    case 'again':
      return mayBeClaimedAgain(now);
  }
};

/** Spends the approval or a use of the grant: neither this nor the claim happens alone (I5). */
const spendConsent = (
  space: string,
  { approvalId = '', grantId = '', actionHash }: Effect,
  now: number,
  kind: ClaimKind,
): Write | undefined => {
  const isNotExpired: Predicate = (p) => `${p.name('expiresAtMs')} > ${p.value(now)}`;
  if (kind === 'spend')
    return {
      kind: 'update',
      key: approvalKey(space, approvalId),
      change: { set: { state: 'spent', spentAt: now }, remove: ['unfinishedSpace', 'unfinishedAt'] },
      condition: {
        name: 'approval is approved, for this action, and has not expired',
        holds: allOf(equals('state', 'approved'), equals('actionHash', actionHash), isNotExpired),
      },
    };
  if (kind === 'grant')
    return {
      kind: 'update',
      key: grantKey(space, grantId),
      change: { add: { uses: 1 } },
      condition: {
        name: 'grant is live, has uses left, and has not expired',
        holds: allOf(equals('state', 'live'), (p) => `${p.name('uses')} < ${p.name('usesMax')}`, isNotExpired),
      },
    };
  return undefined;
};

/** While the table does not answer: with the client's tries, a quarter of Act's time. */
const SETTLE_WAITS_MS = [500, 1_000, 2_000, 4_000] as const;

const saveAfterOutage = async (save: () => Promise<unknown>): Promise<void> => {
  for (const waitMs of SETTLE_WAITS_MS) {
    try {
      await save();
      return;
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      await sleep(waitMs);
    }
  }
  await save();
};

export type Settlement = Pick<Effect, 'state'> & {
  readonly output?: string;
  /** In place of an output that was forgotten before it came. */
  readonly outputHash?: string;
  readonly reason?: string;
  readonly because?: Because;
  readonly leaseUntil?: number;
  readonly isReleased?: true;
  readonly waitingSince?: number;
  readonly sentIds?: number[];
  readonly outputOrigin?: Origin;
  readonly handedTo?: { runner: string; until: number };
};

/**
 * Ends a claim, if it is still the current one. Only this process knows whether the effect came
 * about, so a table that does not answer is asked again for some seconds: afterwards the effect
 * would count as `unknown`.
 */
export const settleEffect = async (
  table: EffectTable,
  ref: SignalRef & Pick<Signal, 'session'>,
  effect: Effect,
  settlement: Settlement,
  now: number,
  /** The cost, if it differs from the payment; micro-dollars. */
  cost?: number,
): Promise<Effect> => {
  const isHanded = effect.handedTo !== undefined;
  const isOurs: Condition = {
    name: 'claim is the current one',
    // Not settled by another delivery: the log may have the effect already.
    holds: allOf(
      effect.claim === undefined ? absent('claim') : equals('claim', effect.claim),
      equals('state', isHanded ? 'suspended' : 'claimed'),
    ),
  };
  const isEnded = settlement.state !== 'claimed' && settlement.state !== 'suspended';
  const marks =
    settlement.state === 'unknown'
      ? { unfinishedSpace: indexPartitions.unknownEffects(ref.space), unfinishedAt: now }
      : waitingMarks(ref.space, settlement.waitingSince);
  const isMarked = effect.waitingSince !== undefined && isEnded && settlement.state !== 'unknown';
  const gone = [...(isMarked ? ['unfinishedSpace', 'unfinishedAt'] : []), ...(isHanded ? ['handedTo'] : [])];
  const remove = gone.length > 0 ? { remove: gone } : {};
  const settled = { ...settlement, ...(isEnded ? { settledAt: now } : {}) };
  const key = signalKeys.effect(ref.space, ref.id, effect.n);
  const change = { set: { ...settled, ...marks }, ...remove };
  let costUsd = effect.costUsd;
  const save = async (): Promise<void> => {
    if (cost === undefined || costUsd === undefined) await table.update(key, change, isOurs);
    else
      costUsd = await (await loadLazy()).saveWithCost(
        table,
        ref,
        { key, change, isOurs },
        { paid: costUsd, cost, now },
      );
  };
  await wasWritten(saveAfterOutage(save));
  const { handedTo: _over, ...rest } = effect;
  return { ...rest, ...settled, ...defined({ costUsd }) };
};

/** Records an effect that is not performed, or by this very write. An existing row stays. */
export const recordEffect = async (table: EffectTable, ref: SignalRef, effect: Effect): Promise<void> => {
  await putOnce(table, signalKeys.effect(ref.space, ref.id, effect.n), { ...packEffect(effect) });
};

/** Whether an earlier try may have been carried out: its claim ended without saying so. */
export const isInDoubt = (effect: Effect | undefined): boolean =>
  effect?.state === 'claimed' && effect.isReleased !== true;

/** It is in doubt, or a part of it was sent. */
export const isBegun = (effect: Effect | undefined): boolean => isInDoubt(effect) || (effect?.sentIds ?? []).length > 0;

/** Gives the claim back. Released: nothing was performed under it or before. */
export const giveBack = (isReleased: boolean): Settlement => ({
  state: 'claimed',
  leaseUntil: 0,
  ...(isReleased ? { isReleased } : {}),
});

/** How a try ends that comes to nothing. If an earlier one is in doubt, nobody knows the end. */
export const endTry = (state: 'failed' | 'refused', reason: string, inDoubt: boolean, because?: Because): Settlement =>
  inDoubt
    ? { state: 'unknown', reason: `it was begun before, and may be done: ${reason}` }
    : { state, reason, ...defined({ because }) };

/** Settles by what the actuator says. @throws RetryLaterError if the claim is given back */
export const settleResult = async (
  deps: ActDeps,
  { signal, judged, effect }: Task,
  row: Effect,
  result: ActuatorResult,
): Promise<Effect> => {
  const now = deps.now();
  // An earlier try that nobody knows the end of may be what was paid for.
  const cost = 'costUsd' in result && !isInDoubt(effect) ? result.costUsd : undefined;
  const code = 'because' in result ? defined({ because: result.because }) : {};
  const settle = (settlement: Parameters<typeof settleEffect>[3]) =>
    settleEffect(
      deps.table,
      signal,
      row,
      { ...code, ...settlement },
      now,
      settlement.state === 'claimed' ? undefined : cost,
    );
  switch (result.state) {
    case 'done':
      return settle({ state: 'done', output: result.output, outputOrigin: result.origin });
    case 'failed':
    case 'refused':
    case 'unknown': {
      const { output } = result;
      const written = output === undefined || output === '' ? {} : { output, outputOrigin: 'outside' as const };
      return settle({ state: result.state, reason: result.reason, ...written });
    }
    case 'handed':
      return settle({ state: 'suspended', handedTo: { runner: result.runner, until: result.until } });
    case 'retry': {
      const wait = isText(judged.action) ? planWait(row, result, now) : undefined;
      if (wait !== undefined) {
        await settle(wait);
        await postponeSweep(deps.table, signal, wait.leaseUntil);
        throw new WaitingError(result.reason, wait.leaseUntil - now);
      }
      if (row.waitingSince !== undefined) return settle({ state: 'failed', reason: `${result.reason} for a day` });
      const inDoubt = result.isInDoubt === true || isInDoubt(effect);
      if (row.tries >= RECEIVE_COUNT_MAX)
        return settle(endTry('failed', `${result.reason} (${row.tries} tries)`, inDoubt));
      await settle({ ...giveBack(!inDoubt), ...(inDoubt ? {} : { reason: result.reason }) });
      const usualMs = RETRY_BACKOFF_MS[Math.min(row.tries, RETRY_BACKOFF_MS.length) - 1] ?? RETRY_BACKOFF_MS[0];
      throw new RetryLaterError(result.reason, result.afterMs ?? usualMs);
    }
    default: {
      const never: never = result;
      return never;
    }
  }
};

/** First and longest wait of an unsent text; between, as long again as it has waited. */
const UNSENT_WAIT_MS_MIN = 5_000;
const UNSENT_WAIT_MS_MAX = 5 * 60_000;
/** How long a text is of use after its first try. */
const UNSENT_TEXT_MS_MAX = 24 * 3_600_000;

/** A text surely not sent waits for its channel; undefined once it has waited too long. */
const planWait = (row: Effect, result: Extract<ActuatorResult, { state: 'retry' }>, now: number) => {
  const { afterMs = 0, reason, sentIds = [] } = result;
  const waitingSince = row.waitingSince ?? now;
  const waitedMs = now - waitingSince;
  if (waitedMs >= UNSENT_TEXT_MS_MAX) return undefined;
  const ownMs = Math.min(Math.max(waitedMs, UNSENT_WAIT_MS_MIN), UNSENT_WAIT_MS_MAX);
  const leaseUntil = now + Math.max(ownMs, afterMs);
  const sent = sentIds.length === 0 ? {} : { sentIds: [...sentIds] };
  return {
    state: 'claimed',
    leaseUntil,
    isReleased: true,
    waitingSince,
    reason,
    ...sent,
  } as const;
};

/** While a text waits, the sweep counts no tries and looks only when the next try is due. */
export const postponeSweep = async (
  table: Pick<Table, 'update'>,
  { space, id }: Signal,
  dueAt: number,
): Promise<void> => {
  await table.update(
    signalKeys.record(space, id),
    { set: { unfinishedSpace: indexPartitions.unfinishedSignals(space), unfinishedAt: dueAt, sweeps: 0 } },
    { name: 'signal is under way', holds: oneOf('state', ['perceived', 'reasoned', 'suspended']) },
  );
};
