/**
 * Loads the signal that began a turn: its later ones are sent by the system, on behalf of whoever
 * began it.
 */

import { parseRecord } from '../../ledger/ledger.ts';
import type { Signal } from '../../signal/signal.ts';
import { signalKeys } from '../../store/keys.ts';
import type { Table } from '../../store/table.ts';

/** The signal itself where it is a root, or where its root is gone. */
export const loadRoot = async (table: Pick<Table, 'load'>, signal: Signal): Promise<Signal> => {
  if (signal.id === signal.root) return signal;
  const [item] = await table.load([signalKeys.record(signal.space, signal.root)]);
  return item === undefined ? signal : parseRecord(signal.root, item).signal;
};
