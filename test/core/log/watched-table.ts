/**
 * A table that tells of each operation once it is done, before whoever asked for it goes on; and
 * whether it was a commit.
 */
import type { Table } from '../../../lib/core/store/table.ts';

export const watchTable = (table: Table, onDone: (isCommit: boolean) => Promise<void>): Table => {
  const after =
    <A extends readonly unknown[], R>(operation: (...args: A) => Promise<R>, isCommit: boolean) =>
    async (...args: A): Promise<R> => {
      const result = await operation(...args);
      await onDone(isCommit);
      return result;
    };
  return {
    load: after(table.load, false),
    query: after(table.query, false),
    queryIndex: after(table.queryIndex, false),
    put: after(table.put, false),
    update: after(table.update, false),
    transact: after(table.transact, true),
  };
};
