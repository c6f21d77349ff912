/**
 * The lines of a backup of a local data folder, of a stopped stack's table or a running one's copy.
 */
import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { loadDefinitions, type Storage, scanRows } from '../../local/table-server/storage.ts';
import { TableDefinition } from '../../local/table-server/tables.ts';
import { BACKUP_FORMAT, type BackupLine } from './backup-lines.ts';
import type { KnownSpace } from './known-anchors.ts';

export interface LocalSource {
  readonly storage: Storage;
  /** The moment that the table is of, epoch milliseconds. */
  readonly at: number;
  readonly known: ReadonlyMap<string, KnownSpace>;
  /** Absent if the person set it, and keeps it. */
  readonly logSigningKey: string | undefined;
  /** The pictures; none if absent. */
  readonly files?: AsyncIterable<BackupLine> | undefined;
  readonly onItems: (items: number) => void;
}

/** All rows: SQLite's word for no limit. */
const NO_LIMIT = -1;
/** Items between two reports of progress. */
const PROGRESS_ITEMS = 5_000;

const VersionItem = z.object({ pk: z.object({ S: z.string() }), version: z.object({ N: z.string() }) });

const findTable = (storage: Storage) => {
  const [table] = loadDefinitions(storage);
  if (table === undefined) throw new Error('the file holds no table');
  return table;
};

const write = (line: BackupLine): string => JSON.stringify(line);

const PREFIX = 'data#';

const findDataVersions = (storage: Storage, table: number): ReadonlyMap<string, number> => {
  const versions = new Map<string, number>();
  for (const { text } of scanRows(storage, table, { hash: PREFIX, range: '' }, NO_LIMIT)) {
    const parsed = VersionItem.safeParse(JSON.parse(text));
    if (!parsed.success || !parsed.data.pk.S.startsWith(PREFIX)) break;
    versions.set(parsed.data.pk.S.slice(PREFIX.length), Number(parsed.data.version.N));
  }
  return versions;
};

/** @throws Error if the file holds no table */
export const findSpaces = (storage: Storage): readonly string[] => [
  ...findDataVersions(storage, findTable(storage).id).keys(),
];

/** @throws Error if the file holds no table */
export async function* localLines(source: LocalSource): AsyncGenerator<string> {
  const { storage, at, known, logSigningKey, files, onItems } = source;
  const table = findTable(storage);
  const definition = TableDefinition.parse(JSON.parse(table.json));
  const dataVersion = Math.max(1, ...findDataVersions(storage, table.id).values());
  yield write({
    type: 'header',
    format: BACKUP_FORMAT,
    version: 1,
    id: randomUUID(),
    at,
    dataVersion,
    table: definition,
  });
  for (const [space, { anchored, kept }] of known) {
    if (anchored !== undefined) yield write({ type: 'anchor', space, anchored });
    for (const each of kept) yield write({ type: 'forgotten', space, kept: each });
  }
  if (logSigningKey !== undefined) yield write({ type: 'key', logSigningKey });
  let items = 0;
  for (const { text } of scanRows(storage, table.id, undefined, NO_LIMIT)) {
    // The text of an item is JSON already.
    yield `{"type":"item","item":${text}}`;
    items += 1;
    if (items % PROGRESS_ITEMS === 0) onItems(items);
  }
  onItems(items);
  if (files !== undefined) for await (const line of files) yield write(line);
  yield write({ type: 'end', items });
}
