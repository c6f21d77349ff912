/** Replaces the price that an effect paid by what it came to, in the write that settles it. */
import { ConditionError } from '../../base/errors.ts';
import { CONFLICT_TRIES_MAX } from '../../base/limits.ts';
import {
  type DaySpend,
  type Entry,
  parseDaySpend,
  parseEntry,
  shortName,
  spendKey,
  storedEntry,
  storedText,
} from '../../money/day-spend.ts';
import { rootOf } from '../../signal/ids.ts';
import type { Signal } from '../../signal/signal.ts';
import { type Condition, equals, type ItemChange } from '../../store/condition.ts';
import type { Key } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import type { Table } from '../../store/table.ts';

/** Undefined if the conversation's entry has left the counter: then the price stays. */
const planCorrection = (
  seen: DaySpend,
  { id, session }: Pick<Signal, 'id' | 'session'>,
  usd: number,
): { readonly change: ItemChange; readonly condition: Condition } | undefined => {
  const stored = storedEntry(seen, session);
  const entry = stored && parseEntry(stored.text);
  if (stored === undefined || entry === undefined || entry.usd + usd < 0) return undefined;
  // As `planEffect` counts: another turn keeps its own sum.
  const turnUsd = entry.turn === shortName(rootOf(id)) ? entry.turnUsd + usd : entry.turnUsd;
  const after: Entry = { ...entry, turnUsd, usd: entry.usd + usd };
  return {
    change: { set: { [stored.name]: storedText(session, after) }, add: { usd } },
    condition: { name: 'the conversation is as read', holds: equals(stored.name, stored.stored) },
  };
};

interface Settling {
  readonly key: Key;
  readonly change: ItemChange;
  readonly isOurs: Condition;
}

/** If others keep changing the counter, the price stays. @returns the price that counts now */
export const saveWithCost = async (
  table: Pick<Table, 'load' | 'update' | 'transact'>,
  signal: Pick<Signal, 'space' | 'id' | 'session'>,
  { key, change, isOurs }: Settling,
  { paid, cost, now }: { readonly paid: number; readonly cost: number; readonly now: number },
): Promise<number> => {
  const counter = spendKey(signal.space, now);
  for (let left = cost === paid ? 0 : CONFLICT_TRIES_MAX; left > 0; left -= 1) {
    const correction = planCorrection(parseDaySpend(await loadItem(table, counter)), signal, cost - paid);
    if (correction === undefined) break;
    const settled = { ...change, set: { ...change.set, costUsd: cost } };
    try {
      await table.transact([
        { kind: 'update', key, change: settled, condition: isOurs },
        { kind: 'update', key: counter, ...correction },
      ]);
      return cost;
    } catch (error) {
      if (!(error instanceof ConditionError) || error.condition === isOurs.name) throw error;
    }
  }
  await table.update(key, change, isOurs);
  return paid;
};
