/**
 * Reads where the log stands: head and edge in one consistent request, and, once something is to be appended, the entries of the
 * last, partial tile: most runs find nothing to append. What does not agree with the head's compact range is a StoredItemError:
 * nothing is appended to a log that was tampered with.
 */

import { StoredItemError } from '../base/errors.ts';
import { appendLeaves, EMPTY_RANGE, isSameHash, leafHash } from '../evidence/merkle.ts';
import { TILE_WIDTH } from '../evidence/tiles.ts';
import { logKeys } from '../store/keys.ts';
import { loadNamed } from '../store/load-named.ts';
import type { Item, Table } from '../store/table.ts';
import type { LogState } from './append.ts';
import { LogHead, parseLogItem, rangeOf, StoredEdge, unpackEntries } from './stored.ts';

type ReadTable = Pick<Table, 'load' | 'query'>;

/** Entries of the tile that ends with the log. */
const loadLastEntries = async (table: ReadTable, space: string, size: number): Promise<readonly Uint8Array[]> => {
  const first = size - (size % TILE_WIDTH);
  if (first === size) return [];
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const skBetween = logKeys.entriesBetween(first, size - 1);
    const page = await table.query({ pk: logKeys.partition(space), skBetween, isConsistent: true, cursor });
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  const entries = unpackEntries(items, first);
  if (entries.length !== size - first)
    throw new StoredItemError('the log', `its last tile holds ${entries.length} entries, and should ${size - first}`);
  return entries;
};

const partialsOf = (item: Item | undefined, lowest: Uint8Array): readonly Uint8Array[] => {
  const above = item === undefined ? {} : parseLogItem(item, StoredEdge).partials;
  const levels = Math.max(0, ...Object.keys(above).map(Number));
  return [lowest, ...Array.from({ length: levels }, (_, at) => above[String(at + 1)] ?? new Uint8Array(0))];
};

/** What is read of a log before it is known whether anything is to be appended. */
export interface LogStart {
  readonly head: LogHead | undefined;
  readonly edgeItem: Item | undefined;
}

export const loadLogStart = async (table: ReadTable, space: string): Promise<LogStart> => {
  const { head, edge } = await loadNamed(table, { head: logKeys.head(space), edge: logKeys.edge(space) });
  return { head: head === undefined ? undefined : parseLogItem(head, LogHead), edgeItem: edge };
};

/** @throws StoredItemError where its items do not belong together */
export const loadLogState = async (table: ReadTable, space: string, start?: LogStart): Promise<LogState> => {
  const { head, edgeItem } = start ?? (await loadLogStart(table, space));
  const range = rangeOf(head);
  const hashes = (await loadLastEntries(table, space, range.size)).map(leafHash);
  const tail = appendLeaves(EMPTY_RANGE, hashes).hashes;
  const expected = range.hashes.slice(range.hashes.length - tail.length);
  if (!tail.every((hash, at) => isSameHash(hash, expected[at] ?? new Uint8Array(0))))
    throw new StoredItemError('the log', 'its last entries are not those its head commits to');
  return { space, head, edge: { range, partials: partialsOf(edgeItem, Buffer.concat(hashes)) } };
};
