/**
 * The lines of a backup of a deployed stack, read from a table that point-in-time recovery makes.
 */
import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { WholeTable } from '../../../lib/core/store/whole-table.ts';
import { BACKUP_FORMAT, type BackupLine } from './backup-lines.ts';

/** Items between two reports of progress. */
const PROGRESS_ITEMS = 1_000;

export interface StackSource {
  readonly table: WholeTable;
  /** Name of the running table: its keys and indexes are those of the backup. */
  readonly tableName: string;
  readonly copy: { readonly name: string; readonly at: number };
  readonly dataVersion: number;
  /** The pictures; none if absent. */
  readonly files?: AsyncIterable<BackupLine> | undefined;
  readonly onItems: (items: number) => void;
}

export const DataVersionItem = z.object({
  pk: z.object({ S: z.string().check(z.startsWith('data#')) }),
  version: z.object({ N: z.string() }),
});

export async function* stackLines({
  table,
  tableName,
  copy,
  dataVersion,
  files = undefined,
  onItems,
}: StackSource): AsyncGenerator<string> {
  const definition = await table.describe(tableName);
  const header = { format: BACKUP_FORMAT, version: 1, id: randomUUID(), at: copy.at, dataVersion, table: definition };
  yield JSON.stringify({ type: 'header', ...header });
  let items = 0;
  for await (const item of table.scan(copy.name)) {
    yield JSON.stringify({ type: 'item', item });
    items += 1;
    if (items % PROGRESS_ITEMS === 0) onItems(items);
  }
  onItems(items);
  if (files !== undefined) for await (const line of files) yield JSON.stringify(line);
  yield JSON.stringify({ type: 'end', items });
}
