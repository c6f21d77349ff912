/**
 * Accepts signals from outside: stored first, published second, then the ingress says yes (I6). A
 * repeat is published again only while its record is still `received`. If the store or queue does
 * not answer, the ingress says 503 and the sender tries again.
 */

import { canonicalJson } from '../base/canonical.ts';
import { ConditionError } from '../base/errors.ts';
import { SWEEP_BACKOFF_MS } from '../base/limits.ts';
import { resetsAt } from '../money/day-spend.ts';
import type { PerceiveMessage } from '../signal/messages.ts';
import type { Signal } from '../signal/signal.ts';
import { IS_NEW } from '../store/condition.ts';
import { signalKeys } from '../store/keys.ts';
import { parseStored } from '../store/parse-stored.ts';
import { putOnce } from '../store/put-once.ts';
import type { Publish } from '../store/queue.ts';
import type { Table } from '../store/table.ts';
import { leaveOutTypedKey, takesNoKey } from '../text/typed-key.ts';
import {
  accountsOf,
  type Counted,
  fullAccount,
  limitOf,
  noteRefused,
  type QuotaAccount,
  retryConflicts,
  takeWrite,
} from './quota.ts';
import { buildRecordItem, type MessageNumber, SignalRecord } from './record.ts';

export interface AcceptDeps {
  readonly table: Pick<Table, 'put'>;
  readonly publish: Publish<PerceiveMessage>;
}

/** `repeated`: the same fact was accepted before. `differs`: another one, under the same id. */
export type Acceptance = 'accepted' | 'repeated' | 'differs';

/** Erased words, and a notice in place of a message, can be compared with nothing. */
const isSameFact = ({ signal: { payload }, forgottenAt }: SignalRecord, again: Signal): boolean =>
  forgottenAt !== undefined ||
  payload.sensor === 'over-quota' ||
  canonicalJson(payload) === canonicalJson(again.payload);

export const acceptSignal = async (deps: AcceptDeps, signal: Signal, number?: MessageNumber): Promise<Acceptance> => {
  const item = buildRecordItem(signal, 'received', signal.receivedAt + SWEEP_BACKOFF_MS[0], number);
  const stored = await putOnce(deps.table, signalKeys.record(signal.space, signal.id), item);
  if (stored === 'put') {
    await deps.publish(perceiveMessage(signal), 'perceive:0');
    return 'accepted';
  }
  const record = parseStored(stored, SignalRecord, `signal ${signal.id}`);
  const { state, round } = record;
  if (state === 'received') await deps.publish(perceiveMessage(signal), `perceive:${round}`);
  return isSameFact(record, signal) ? 'repeated' : 'differs';
};

export const perceiveMessage = (signal: Pick<Signal, 'space' | 'session' | 'id'>): PerceiveMessage => ({
  stage: 'perceive',
  v: 1,
  space: signal.space,
  session: signal.session,
  signalId: signal.id,
});

export interface AdmitDeps extends AcceptDeps {
  readonly table: Pick<Table, 'put' | 'update' | 'transact'>;
}

export interface Refused {
  readonly kind: 'refused';
  readonly account: QuotaAccount;
  readonly limit: number;
  readonly resetsAt: number;
}

/** Unserved chats and pairing codes have bounds of their own. */
const UNCOUNTED: readonly string[] = ['unpaired-chat', 'pairing'];

/** A key that a person typed in such a command is stored nowhere (I11). */
const withoutKey = (signal: Signal): Signal => {
  const { payload } = signal;
  if (payload.sensor !== 'command' || !takesNoKey(payload.name, payload.rest)) return signal;
  return { ...signal, payload: { ...payload, rest: leaveOutTypedKey(payload.rest) } };
};

/**
 * Counts a signal on its sender's accounts in the very transaction that stores it, so that a repeat
 * is not counted twice. A signal over a quota is not stored; the day's first becomes a signal that
 * only says so.
 * @throws UnavailableError, ContendedError: it is unknown whether the signal was stored
 */
export const admitSignal = async (
  deps: AdmitDeps,
  given: Signal,
  number?: MessageNumber,
): Promise<Acceptance | Refused> => {
  const signal = withoutKey(given);
  const { sensor } = signal.payload;
  const accounts = UNCOUNTED.includes(sensor) ? [] : accountsOf(signal);
  if (accounts.length === 0) return acceptSignal(deps, signal, number);
  const now = signal.receivedAt;
  // A stop has its own quota: messages never use it up.
  const what = sensor === 'interrupt' ? 'stops' : 'messages';
  const stored = await storeCounted(deps.table, signal, { accounts, what, number });
  if (stored === 'repeated') return acceptSignal(deps, signal);
  if (stored === 'stored') {
    await deps.publish(perceiveMessage(signal), 'perceive:0');
    return 'accepted';
  }
  const full = stored;
  const limit = limitOf(full, what);
  if (await noteRefused(deps.table, signal.space, full, { id: signal.id, what }, now))
    await acceptSignal(deps, { ...signal, payload: { sensor: 'over-quota', account: full.kind, limit } });
  return { kind: 'refused', account: full, limit, resetsAt: resetsAt(now) };
};

/** @returns the account that is full, if one is */
const storeCounted = async (
  table: AdmitDeps['table'],
  signal: Signal,
  { accounts, what, number }: { accounts: readonly QuotaAccount[]; what: Counted; number: MessageNumber | undefined },
): Promise<'stored' | 'repeated' | QuotaAccount> => {
  const { space, id, receivedAt } = signal;
  const item = buildRecordItem(signal, 'received', receivedAt + SWEEP_BACKOFF_MS[0], number);
  const counts = accounts.map((account) => takeWrite(space, account, { [what]: 1 }, receivedAt));
  try {
    await retryConflicts(() =>
      table.transact([{ kind: 'put', key: signalKeys.record(space, id), item, condition: IS_NEW }, ...counts]),
    );
    return 'stored';
  } catch (error) {
    const full = fullAccount(error, accounts);
    if (full !== undefined) return full;
    if (error instanceof ConditionError && error.condition === IS_NEW.name) return 'repeated';
    throw error;
  }
};
