/**
 * Restores a backup into a data folder without a table. Everything is written, checked and held
 * beside, and takes its name last. The space starts stopped, and first forgets what was since.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DATA_VERSION } from '../../../lib/core/base/data-version.ts';
import { loadLogHead } from '../../../lib/core/log/read-log.ts';
import type { Table } from '../../../lib/core/store/table.ts';
import { stopRestored } from '../../../lib/features/restore/restore.ts';
import { keepTokens, replaceFile, TABLE_NAME } from '../../local/data-folder.ts';
import { DATA_FILE } from '../../local/database.ts';
import { parseItem } from '../../local/table-server/attribute-value.ts';
import { closeStorage, makeEmptyFile, openStorage, type Storage, transact } from '../../local/table-server/storage.ts';
import {
  carryOut,
  createTable,
  type Table as FileTable,
  openTables,
  prepareItem,
  requireKey,
  TableDefinition,
  type Tables,
} from '../../local/table-server/tables.ts';
import { BackupFileError, type BackupHeader, type BackupLine } from '../backup/backup-lines.ts';
import { openRestoredFiles, type RestoredFiles } from '../backup/files.ts';
import { asAnchors, joinKnown, type KnownSpace, readKnown, saveKnown } from '../backup/known-anchors.ts';
import { withTable } from '../backup/with-table.ts';
import { type Checked, checkCopy } from './check-copy.ts';
import { nothingSeen, readRestored, type Seen, unprovenRows } from './restored-items.ts';
import { settleUnproven } from './settle-unproven.ts';

/** Items of one SQLite transaction: some megabytes. */
const RESTORE_ITEMS_AT_ONCE = 2_000;

export interface RestoreInput {
  /** The data folder; the caller holds its lock. */
  readonly folder: string;
  readonly file: string;
  readonly passphrase: string;
  /** A folder of anchors that went on after the backup, if somebody kept one. */
  readonly anchorsFolder?: string | undefined;
  /** Restores though a check found something. */
  readonly isForced: boolean;
  readonly now: () => number;
  readonly onProgress: (what: string) => void;
}

interface RestoredSpace extends Checked {
  readonly space: string;
  /** Objects that are forgotten again at the start. */
  readonly forgotten: number;
}

export interface Restored {
  readonly at: number;
  readonly items: number;
  readonly spaces: readonly RestoredSpace[];
  /** The folder has the key that signed the log. */
  readonly hasKey: boolean;
  /** Pictures that it holds. */
  readonly files: number;
}

/** The content of the lines beside items. */
interface FoundBackup {
  header: BackupHeader | undefined;
  readonly known: Map<string, KnownSpace>;
  readonly seen: Seen;
  logSigningKey: string | undefined;
  items: number;
}

/** A check found something: nothing was restored. */
export class RestoreCheckError extends Error {
  override readonly name: string = 'RestoreCheckError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('; '));
    this.problems = problems;
  }
}

const startTable = (tables: Tables, header: BackupHeader): FileTable => {
  if (header.dataVersion > DATA_VERSION)
    throw new BackupFileError(
      `it is of a newer release: its data is of version ${header.dataVersion}, and this release reads ${DATA_VERSION}`,
    );
  return createTable(tables, { ...TableDefinition.parse(header.table), TableName: TABLE_NAME });
};

const note = (found: FoundBackup, line: BackupLine): void => {
  if (line.type === 'anchor')
    found.known.set(line.space, joinKnown(found.known.get(line.space), { anchored: line.anchored, kept: [] }));
  if (line.type === 'forgotten')
    found.known.set(line.space, joinKnown(found.known.get(line.space), { anchored: undefined, kept: [line.kept] }));
  if (line.type === 'key') found.logSigningKey = line.logSigningKey;
};

type ItemLine = Extract<BackupLine, { type: 'item' }>;

/** Reads the whole file into the table, some items at a time. @throws BackupFileError */
const readInto = async (storage: Storage, input: RestoreInput, files: RestoredFiles): Promise<FoundBackup> => {
  const found: FoundBackup = {
    header: undefined,
    known: new Map(),
    seen: nothingSeen(),
    logSigningKey: undefined,
    items: 0,
  };
  const tables = openTables(storage);
  let table: FileTable | undefined;
  let waiting: ItemLine[] = [];
  const flush = (into: FileTable): void => {
    transact(storage, () => {
      for (const { item: raw } of waiting) {
        const item = parseItem(raw);
        const key = requireKey(into.schema, item);
        carryOut(tables, { table: into, key, before: undefined, after: prepareItem(into, item) });
      }
    });
    found.items += waiting.length;
    waiting = [];
    input.onProgress(`${found.items} items`);
  };
  for await (const line of readRestored(input.file, input.passphrase, found.seen, input.now())) {
    if (line.type === 'header') {
      found.header = line;
      table = startTable(tables, line);
    }
    if (line.type === 'item') waiting.push(line);
    if (line.type === 'file') files.take(line);
    if (table !== undefined && (waiting.length >= RESTORE_ITEMS_AT_ONCE || line.type === 'end')) flush(table);
    note(found, line);
  }
  return found;
};

/** Checks a space, and holds it as an older copy. */
const holdSpace = async (
  table: Table,
  space: string,
  at: number,
  backedUp: KnownSpace | undefined,
  since: KnownSpace | undefined,
  seen: Seen,
  input: RestoreInput,
): Promise<RestoredSpace> => {
  const found = (await loadLogHead(table, space))?.checkpointSize ?? 0;
  // One of a longer log is of before an earlier restore: it says nothing about this one.
  const anchor = (backedUp?.anchored?.size ?? 0) > found ? undefined : backedUp?.anchored?.note;
  const now = input.now();
  const checked = await checkCopy({ table, space, at, now, anchor, onProgress: input.onProgress });
  if (checked.problems.length > 0 && !input.isForced) throw new RestoreCheckError(checked.problems);
  const settled = await settleUnproven({ table, space, now }, checked.signals);
  const rights = [...checked.rights, ...settled, ...unprovenRows(seen, space)];
  const known = joinKnown(backedUp, since);
  const anchored = Math.max(found, known.anchored?.size ?? 0);
  const deps = { table, space, anchors: asAnchors(known), now: input.now };
  const forgotten = await stopRestored(deps, { anchored, found, copiedAt: at, rights });
  return { space, forgotten, ...checked, rights };
};

const saveKey = (folder: string, logSigningKey: string | undefined): boolean => {
  const tokens = keepTokens(folder);
  if (logSigningKey === undefined) return false;
  replaceFile(join(folder, 'tokens.json'), JSON.stringify({ ...tokens, logSigningKey }));
  return true;
};

const removeDraft = (draft: string): void => {
  for (const end of ['', '-wal', '-journal', '-shm']) rmSync(`${draft}${end}`, { force: true });
};

export const hasTable = (folder: string): boolean => existsSync(join(folder, DATA_FILE));

/** @throws BackupFileError, RestoreCheckError; the folder has no table then, as before */
export const restoreFolder = async (input: RestoreInput): Promise<Restored> => {
  const { folder } = input;
  const draft = join(folder, `${DATA_FILE}.restored`);
  const anchors = join(folder, 'anchors');
  removeDraft(draft);
  makeEmptyFile(draft);
  const storage = openStorage(draft);
  const files = openRestoredFiles(folder);
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeStorage(storage);
    isOpen = false;
  };
  try {
    const { header, known, seen, items, logSigningKey } = await readInto(storage, input, files);
    const { spaces: names } = seen;
    const at = header?.at ?? 0;
    const here = await readKnown(anchors);
    const given = input.anchorsFolder === undefined ? undefined : await readKnown(input.anchorsFolder);
    const spaces = await withTable(storage, draft, async (table) => {
      const held: RestoredSpace[] = [];
      for (const space of names) {
        const since = joinKnown(here.get(space), given?.get(space));
        held.push(await holdSpace(table, space, at, known.get(space), since, seen, input));
      }
      return held;
    });
    close();
    for (const space of names)
      await saveKnown(anchors, space, joinKnown(known.get(space), joinKnown(given?.get(space), undefined)));
    const hasKey = saveKey(folder, logSigningKey);
    const kept = files.keep();
    renameSync(draft, join(folder, DATA_FILE));
    return { at, items, spaces, hasKey, files: kept };
  } finally {
    close();
    files.drop();
    removeDraft(draft);
  }
};
