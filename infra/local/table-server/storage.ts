/**
 * The rows of all tables in one SQLite file (or in memory). An acknowledged transaction survives
 * the end of the process: it is in the write-ahead log. Nobody else may open the file meanwhile.
 */

import { accessSync, closeSync, constants, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { PassepartoutError } from '../../../lib/core/base/errors.ts';
import type { KeyRange } from './condition-expression.ts';
import type { StoredKey } from './tables.ts';

/** `passing`: trying again may help. `damaged`: the file is no longer what was written. */
export interface StorageProblem {
  readonly kind: 'passing' | 'damaged';
  readonly sentence: string;
}

/** The table's file cannot be used: said at the start. */
export class TableFileError extends PassepartoutError {
  override readonly name: string = 'TableFileError';
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, false, options);
  }
}

const PUT_BACK = 'Put a copy of it back, or move it away to begin with an empty table.';
const READ_ONLY = 'cannot be written: it or its folder is read-only. Let its owner write both.';
/** By SQLite's primary result codes. */
const PASSING: Readonly<Record<number, string>> = {
  5: 'is in use by another process. End that process first.',
  8: READ_ONLY,
  13: 'cannot be written: the disk is full. Make room: work goes on by itself.',
  14: READ_ONLY,
};
/** The file is corrupt; the file is no database. */
const DAMAGED = [11, 26];

const codeOf = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;

const isWritable = (path: string): boolean => {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

/** Undefined for an error that is not SQLite's: a bug should look like a bug. */
export const describeStorageError = (file: string, error: unknown): StorageProblem | undefined => {
  const code = codeOf(error);
  if (code === undefined) return undefined;
  if (DAMAGED.includes(code))
    return { kind: 'damaged', sentence: `${file} is damaged (${String(error)}). ${PUT_BACK}` };
  const other = `cannot be read or written (${String(error)}). Check the disk: work goes on by itself.`;
  return { kind: 'passing', sentence: `${file} ${PASSING[code] ?? other}` };
};

/** A new, private file at this place, instead of whatever is there. */
export const makeEmptyFile = (file: string): void => {
  rmSync(file, { force: true });
  // A log left by a file that was removed would be taken for this one's.
  rmSync(`${file}-wal`, { force: true });
  closeSync(openSync(file, 'wx', 0o600));
};

const create = (file: string): void => {
  const draft = `${file}.draft`;
  makeEmptyFile(draft);
  closeStorage(openStorage(draft));
  rmSync(`${file}-wal`, { force: true });
  renameSync(draft, file);
};

const open = (file: string): Storage => {
  if (!existsSync(file)) create(file);
  if (statSync(file).size === 0)
    throw new TableFileError(`${file} is empty, though a table was written there. ${PUT_BACK}`);
  if (![file, dirname(file)].every(isWritable)) throw new TableFileError(`${file} ${READ_ONLY}`);
  const storage = openStorage(file);
  const damage = findDamage(storage);
  if (damage === undefined) return storage;
  closeStorage(storage);
  throw new TableFileError(`${file} is damaged (${damage}). ${PUT_BACK}`);
};

/** Opens a file that is whole, or makes it. @throws TableFileError with the sentence to show */
export const openTableFile = (file: string): Storage => {
  if (file === IN_MEMORY) return openStorage(file);
  try {
    return open(file);
  } catch (error) {
    const problem = describeStorageError(file, error);
    throw problem === undefined ? error : new TableFileError(problem.sentence, { cause: error });
  }
};

export interface StoredItem {
  /** JSON of the item. */
  readonly text: string;
  readonly bytes: number;
}

export interface IndexEntry extends StoredItem {
  readonly index: string;
  readonly key: StoredKey;
}

export interface RangeQuery extends KeyRange {
  readonly table: number;
  /** Undefined for the table itself. */
  readonly index: string | undefined;
  readonly isDescending: boolean;
  readonly rowsMax: number;
  /** Rows come behind this one. */
  readonly after: { readonly range: string; readonly key: StoredKey } | undefined;
}

export const IN_MEMORY = ':memory:';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS tables (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, definition TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS items (
    id INTEGER PRIMARY KEY, tab INTEGER NOT NULL, pk TEXT NOT NULL, sk TEXT NOT NULL, bytes INTEGER NOT NULL, item TEXT NOT NULL);
  CREATE UNIQUE INDEX IF NOT EXISTS items_by_key ON items (tab, pk, sk);
  CREATE TABLE IF NOT EXISTS entries (
    tab INTEGER NOT NULL, name TEXT NOT NULL, hash TEXT NOT NULL, range TEXT NOT NULL, pk TEXT NOT NULL, sk TEXT NOT NULL,
    bytes INTEGER NOT NULL, item TEXT NOT NULL, PRIMARY KEY (tab, name, hash, range, pk, sk)) WITHOUT ROWID;
`;

/** Erased bytes are written over at once, and again when the file is compacted. */
const SETTINGS = 'PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8000;';
/** One process, so no shared memory file; NORMAL: the log is flushed at checkpoints. */
const FILE_SETTINGS = 'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;';

type Columns = Record<string, SQLOutputValue>;

const textIn = (row: Columns, column: string): string => {
  const value = row[column];
  if (typeof value !== 'string') throw new Error(`the column ${column} holds no text`);
  return value;
};
const numberIn = (row: Columns, column: string): number => Number(row[column]);
const toItem = (row: Columns): StoredItem => ({ text: textIn(row, 'item'), bytes: numberIn(row, 'bytes') });

const selectRange = ({ table, index, hash, bounds, isDescending, rowsMax, after }: RangeQuery) => {
  const [from, range] = index === undefined ? ['items', 'sk'] : ['entries', 'range'];
  const values: SQLInputValue[] = [table, ...(index === undefined ? [] : [index]), hash];
  const where = ['tab = ?', ...(index === undefined ? ['pk = ?'] : ['name = ?', 'hash = ?'])];
  for (const [operator, text] of bounds) {
    where.push(`${range} ${operator} ?`);
    values.push(text);
  }
  const order = isDescending ? 'DESC' : 'ASC';
  if (after !== undefined) {
    const past = isDescending ? '<' : '>';
    where.push(index === undefined ? `sk ${past} ?` : `(range, pk, sk) ${past} (?, ?, ?)`);
    values.push(...(index === undefined ? [after.key.range] : [after.range, after.key.hash, after.key.range]));
  }
  const by = index === undefined ? `sk ${order}` : `range ${order}, pk ${order}, sk ${order}`;
  values.push(rowsMax);
  return { sql: `SELECT item, bytes FROM ${from} WHERE ${where.join(' AND ')} ORDER BY ${by} LIMIT ?`, values };
};

const FIND_ITEM = 'SELECT item, bytes FROM items WHERE tab = ? AND pk = ? AND sk = ?';
const INSERT_ITEM = 'INSERT INTO items (tab, pk, sk, bytes, item) VALUES (?, ?, ?, ?, ?)';
const UPDATE_ITEM = 'UPDATE items SET bytes = ?, item = ? WHERE tab = ? AND pk = ? AND sk = ?';
const REMOVE_ITEM = 'DELETE FROM items WHERE tab = ? AND pk = ? AND sk = ?';
const ADD_ENTRY = 'INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)';
const REMOVE_ENTRY = 'DELETE FROM entries WHERE tab = ? AND name = ? AND hash = ? AND range = ? AND pk = ? AND sk = ?';
const SAVE_DEFINITION =
  'INSERT INTO tables (name, definition) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET definition = excluded.definition';
const MEASURE =
  'SELECT coalesce(sum(bytes), 0) AS bytes FROM items JOIN tables ON tables.id = items.tab ' +
  'WHERE tables.name = ? AND pk = ? AND sk >= ? AND sk < ?';

export interface Storage {
  readonly database: DatabaseSync;
  /** Prepared once, by their SQL. */
  readonly statements: Map<string, StatementSync>;
}

/** Opens the file, which must be whole or absent. @throws what SQLite throws */
export const openStorage = (file: string): Storage => {
  const database = new DatabaseSync(file);
  // First of all: a file that was read before it was locked would get a file of shared memory
  // beside it.
  if (file !== IN_MEMORY) database.exec(FILE_SETTINGS);
  database.exec(SETTINGS);
  database.exec(SCHEMA);
  // A file that cannot be written is found out now.
  database.exec('BEGIN IMMEDIATE; ROLLBACK');
  return { database, statements: new Map() };
};

export const closeStorage = ({ database }: Storage): void => database.close();

const prepare = ({ database, statements }: Storage, sql: string): StatementSync => {
  const known = statements.get(sql);
  if (known !== undefined) return known;
  const made = database.prepare(sql);
  statements.set(sql, made);
  return made;
};

const readRows = function* (storage: Storage, sql: string, values: readonly SQLInputValue[]): Iterable<StoredItem> {
  for (const row of prepare(storage, sql).iterate(...values)) yield toItem(row);
};

export const loadDefinitions = (storage: Storage): readonly { readonly id: number; readonly json: string }[] =>
  prepare(storage, 'SELECT id, definition FROM tables')
    .all()
    .map((row) => ({ id: numberIn(row, 'id'), json: textIn(row, 'definition') }));

/** @returns the table's number */
export const saveDefinition = (storage: Storage, name: string, json: string): number => {
  prepare(storage, SAVE_DEFINITION).run(name, json);
  return numberIn(prepare(storage, 'SELECT id FROM tables WHERE name = ?').get(name) ?? {}, 'id');
};

export const findRow = (storage: Storage, table: number, { hash, range }: StoredKey): StoredItem | undefined => {
  const row = prepare(storage, FIND_ITEM).get(table, hash, range);
  return row === undefined ? undefined : toItem(row);
};

export const insertRow = (storage: Storage, table: number, key: StoredKey, { text, bytes }: StoredItem): void =>
  void prepare(storage, INSERT_ITEM).run(table, key.hash, key.range, bytes, text);

export const updateRow = (storage: Storage, table: number, key: StoredKey, { text, bytes }: StoredItem): void =>
  void prepare(storage, UPDATE_ITEM).run(bytes, text, table, key.hash, key.range);

export const removeRow = (storage: Storage, table: number, key: StoredKey): void =>
  void prepare(storage, REMOVE_ITEM).run(table, key.hash, key.range);

/** @param item the key of the item that the entry stands for */
export const addEntry = (storage: Storage, table: number, { index, key, text, bytes }: IndexEntry, item: StoredKey) =>
  void prepare(storage, ADD_ENTRY).run(table, index, key.hash, key.range, item.hash, item.range, bytes, text);

export const removeEntry = (storage: Storage, table: number, { index, key }: IndexEntry, item: StoredKey) =>
  void prepare(storage, REMOVE_ENTRY).run(table, index, key.hash, key.range, item.hash, item.range);

export const queryRows = (storage: Storage, query: RangeQuery): Iterable<StoredItem> => {
  const { sql, values } = selectRange(query);
  return readRows(storage, sql, values);
};

/** Rows of a table by their keys, behind one of them. */
export const scanRows = (storage: Storage, table: number, after: StoredKey | undefined, rowsMax: number) => {
  const values = after === undefined ? [] : [after.hash, after.range];
  const where = after === undefined ? 'tab = ?' : 'tab = ? AND (pk, sk) > (?, ?)';
  const sql = `SELECT item, bytes FROM items WHERE ${where} ORDER BY pk, sk LIMIT ?`;
  return readRows(storage, sql, [table, ...values, rowsMax]);
};

/** @returns the bytes of the items of one partition whose sort key begins so */
export const measureRows = (storage: Storage, table: string, pk: string, prefix: string): number =>
  numberIn(prepare(storage, MEASURE).get(table, pk, prefix, `${prefix}\u{10ffff}`) ?? {}, 'bytes');

/** Keeps all that `work` writes, or nothing of it. */
export const transact = <T>({ database }: Storage, work: () => T): T => {
  database.exec('BEGIN');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // Some failures (a full disk) have ended the transaction already.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
};

/** @returns a problem that SQLite finds in the file, if there is one */
export const findDamage = (storage: Storage): string | undefined => {
  const row = prepare(storage, 'PRAGMA quick_check(1)').get();
  const found = row === undefined ? 'no answer' : textIn(row, 'quick_check');
  return found === 'ok' ? undefined : found.replaceAll(/\s+/g, ' ');
};

/** Rewrites the file, so that nothing of what was erased is left in it or in its log. */
export const compactStorage = ({ database }: Storage): void => database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
