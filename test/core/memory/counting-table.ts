/**
 * A table that counts what it is asked, as DynamoDB charges it: a batch of up to 100 keys is a
 * request, a transaction one.
 */
import type { Table } from '../../../lib/core/store/table.ts';

export interface RequestCounts {
  reads: number;
  writes: number;
  /** Bytes of the JSON written. */
  bytes: number;
}

const KEYS_PER_REQUEST = 100;

export const countingTable = (table: Table) => {
  const counts: RequestCounts = { reads: 0, writes: 0, bytes: 0 };
  const wrote = (value: unknown): void => {
    counts.writes += 1;
    counts.bytes += JSON.stringify(value).length;
  };
  const counting: Table = {
    load: (keys, options) => {
      counts.reads += Math.ceil(keys.length / KEYS_PER_REQUEST);
      return table.load(keys, options);
    },
    query: (query) => {
      counts.reads += 1;
      return table.query(query);
    },
    queryIndex: (query) => {
      counts.reads += 1;
      return table.queryIndex(query);
    },
    put: (key, item, condition) => {
      wrote(item);
      return table.put(key, item, condition);
    },
    update: (key, change, condition) => {
      wrote(change);
      return table.update(key, change, condition);
    },
    transact: (writes) => {
      wrote(writes);
      return table.transact(writes);
    },
  };
  /** Counts the requests of an operation. */
  const during = async (operation: () => Promise<unknown>): Promise<RequestCounts> => {
    const before = { ...counts };
    await operation();
    return {
      reads: counts.reads - before.reads,
      writes: counts.writes - before.writes,
      bytes: counts.bytes - before.bytes,
    };
  };
  return { counting, during };
};
