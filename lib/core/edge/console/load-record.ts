/** One signal as it is stored. */
import { SignalRecord } from '../../ledger/record.ts';
import { signalKeys } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import { parseStored } from '../../store/parse-stored.ts';
import type { Table } from '../../store/table.ts';
import { noSuchSignal, parseSignalId } from './router.ts';

/** @throws HttpError 404 */
export const loadRecord = async (table: Pick<Table, 'load'>, space: string, id = ''): Promise<SignalRecord> => {
  const item = await loadItem(table, signalKeys.record(space, parseSignalId(id)));
  if (item === undefined) throw noSuchSignal();
  return parseStored(item, SignalRecord, `signal ${id}`);
};
