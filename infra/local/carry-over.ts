/**
 * Copies the table of an earlier release, a file of the dynoxide server, into our own file: all of
 * it or nothing. The old file is only read, and stays as the way back until something is forgotten.
 */

import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import * as z from 'zod/mini';
import { findProcess } from './data-folder.ts';
import { type Item, parseItem } from './table-server/attribute-value.ts';
import {
  closeStorage,
  describeStorageError,
  makeEmptyFile,
  openStorage,
  TableFileError,
  transact,
} from './table-server/storage.ts';
import { carryOut, createTable, openTables, prepareItem, requireKey } from './table-server/tables.ts';

/** The old table and its log. */
export const OLD_FILES = ['table.db', 'table.db-wal', 'table.db-shm'] as const;

const Definition = z.object({
  key_schema: z.string(),
  attribute_definitions: z.string(),
  gsi_definitions: z.nullable(z.string()),
});
const ItemText = z.object({ item_json: z.string() });

const parse = (text: string): unknown => JSON.parse(text);

/** CreateTable's input for the old table; undefined when the file holds no such table. */
const readDefinition = (old: DatabaseSync, tableName: string): object | undefined => {
  const row: Record<string, SQLOutputValue> | undefined = old
    .prepare('SELECT key_schema, attribute_definitions, gsi_definitions FROM _tables WHERE table_name = ?')
    .get(tableName);
  if (row === undefined) return undefined;
  const { key_schema, attribute_definitions, gsi_definitions } = Definition.parse(row);
  return {
    TableName: tableName,
    KeySchema: parse(key_schema),
    AttributeDefinitions: parse(attribute_definitions),
    GlobalSecondaryIndexes: gsi_definitions === null ? [] : parse(gsi_definitions),
  };
};

/** A server that is told to end locks its file for a moment, to bring its log into it. */
const LEFTOVER_MS = 10_000;

/**
 * Ends the database servers that a crash of the earlier release left on its file. It alone started
 * a program of this name with this argument, and only on Linux.
 */
const endLeftovers = (from: string): void => {
  const numbers = process.platform === 'linux' ? readdirSync('/proc').map(Number).filter(Number.isInteger) : [];
  for (const pid of numbers) {
    const command = findProcess(pid)?.command ?? '';
    if (/^\S*dynoxide serve /.test(command) && command.endsWith(` --db-path ${from}`)) process.kill(pid);
  }
};

/** @returns how many items were copied; undefined when there was no table in the old file */
const copy = (from: string, draft: string, tableName: string): number | undefined => {
  const old = new DatabaseSync(from, { timeout: LEFTOVER_MS });
  try {
    const definition = readDefinition(old, tableName);
    if (definition === undefined) return undefined;
    makeEmptyFile(draft);
    const storage = openStorage(draft);
    try {
      return transact(storage, () => {
        const tables = openTables(storage, (change) => change());
        const table = createTable(tables, definition);
        let items = 0;
        for (const row of old.prepare(`SELECT item_json FROM "${tableName}"`).iterate()) {
          const item: Item = parseItem(parse(ItemText.parse(row).item_json));
          const key = requireKey(table.schema, item);
          carryOut(tables, { table, key, before: undefined, after: prepareItem(table, item) });
          items += 1;
        }
        return items;
      });
    } finally {
      closeStorage(storage);
    }
  } finally {
    old.close();
  }
};

/**
 * @param file our own, which does not exist yet when there is something to do
 * @returns what to tell the person; undefined when there was nothing to carry over
 * @throws TableFileError when the old file cannot be read
 */
export const carryOver = (
  input: { readonly folder: string; readonly tableName: string },
  file: string,
): string | undefined => {
  const { folder, tableName } = input;
  const from = join(folder, OLD_FILES[0]);
  if (existsSync(file) || !existsSync(from)) return undefined;
  const draft = `${file}.carried`;
  try {
    rmSync(draft, { force: true });
    endLeftovers(from);
    const items = copy(from, draft, tableName);
    if (items === undefined) return undefined;
    renameSync(draft, file);
    return (
      `carried ${items} items over from ${from}, which is kept until something is forgotten; ` +
      `the way back: stop, move ${file} away, and start the earlier release`
    );
  } catch (error) {
    const problem = describeStorageError(from, error);
    throw problem === undefined ? error : new TableFileError(problem.sentence, { cause: error });
  }
};
