/**
 * Admits a signal that came from outside: counts it on the accounts of whoever sent it, in the very
 * transaction that stores it, so that a repeat is not counted twice. The owner's are not counted.
 * One that is too many is not stored; the day's first of them becomes a signal that only says so.
 */

import { ConditionError } from '../base/errors.ts';
import { SWEEP_BACKOFF_MS } from '../base/limits.ts';
import { resetsAt } from '../money/day-spend.ts';
import type { Signal } from '../signal/signal.ts';
import { IS_NEW } from '../store/condition.ts';
import { signalKeys } from '../store/keys.ts';
import type { Table } from '../store/table.ts';
import { type Acceptance, type AcceptDeps, acceptSignal, perceiveMessage } from './accept.ts';
import { accountsOf, type Counted, limitOf, type QuotaAccount, takeWrite } from './quota.ts';
import { buildRecordItem } from './record.ts';
import { fullAccount, noteRefused, retryConflicts } from './take-quota.ts';

export interface AdmitDeps extends AcceptDeps {
  readonly table: Pick<Table, 'put' | 'update' | 'transact'>;
}

export interface Refused {
  readonly kind: 'refused';
  readonly account: QuotaAccount;
  readonly limit: number;
  /** Epoch milliseconds. */
  readonly resetsAt: number;
}

/** Chats that are not served, and pairing codes, have bounds of their own. */
const UNCOUNTED: readonly string[] = ['unpaired-chat', 'pairing'];

/** @throws UnavailableError, ContendedError: it is not known whether it was stored. */
export const admitSignal = async (deps: AdmitDeps, signal: Signal): Promise<Acceptance | Refused> => {
  const { sensor } = signal.payload;
  const accounts = UNCOUNTED.includes(sensor) ? [] : accountsOf(signal);
  if (accounts.length === 0) return acceptSignal(deps, signal);
  const now = signal.receivedAt;
  // A stop has a bound of its own, so that no number of messages takes it away.
  const what = sensor === 'interrupt' ? 'stops' : 'messages';
  const stored = await storeCounted(deps.table, signal, accounts, what);
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

/** @returns the account that has no room, where one has none. */
const storeCounted = async (
  table: AdmitDeps['table'],
  signal: Signal,
  accounts: readonly QuotaAccount[],
  what: Counted,
): Promise<'stored' | 'repeated' | QuotaAccount> => {
  const { space, id, receivedAt } = signal;
  const item = buildRecordItem(signal, 'received', receivedAt + SWEEP_BACKOFF_MS[0]);
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
