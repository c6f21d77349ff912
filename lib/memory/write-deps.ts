/** What everything that commits needs: the space's table, its reader, and time and chance as functions. */
import type { Table } from '../store/table.ts';
import type { MemoryReader } from './read.ts';

export type WriteTable = Pick<Table, 'load' | 'put' | 'query' | 'transact' | 'update'>;

export interface WriteDeps {
  readonly table: WriteTable;
  readonly space: string;
  readonly reader: MemoryReader;
  /** Epoch milliseconds, for leases. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** At least 0, below 1. */
  readonly random: () => number;
  /** 128 random bits in hex. */
  readonly newToken: () => string;
  /** Told of every try that another writer spoilt. */
  readonly onConflict: () => void;
}
