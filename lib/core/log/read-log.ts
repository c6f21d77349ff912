/**
 * Reads the log: its end, checkpoints, keys, and tiles and entries in the layout of C2SP
 * tlog-tiles. Full tiles are items of their own; a partial one is made of its entries, or of the
 * edge. Reads only; undefined means "not there".
 */

import { hash } from 'node:crypto';
import { hashOf } from '../base/canonical.ts';
import { HASH_BYTES, leafHash } from '../evidence/merkle.ts';
import { buildEntryBundle, TILE_WIDTH, type TileRef } from '../evidence/tiles.ts';
import type { GateSetContent } from '../gates/engine/gate-set-content.ts';
import { FORGOTTEN_PREFIX, GATE_SET_PREFIX, gateSetKeys, KEY_PREFIX, logKeys, skillKeys } from '../store/keys.ts';
import { loadItem, loadNamed } from '../store/load-named.ts';
import { parseStored } from '../store/parse-stored.ts';
import { queryAll } from '../store/query-all.ts';
import type { Item, ReadTable } from '../store/table.ts';
import {
  LogHead,
  StoredCheckpoint,
  StoredEdge,
  StoredForgotten,
  StoredGateSet,
  StoredKey,
  StoredTile,
  unpackEntries,
} from './stored.ts';

/** Checkpoints of one page: they fit one answer of Lambda. */
const CHECKPOINTS_PAGE_MAX = 500;

export const loadLogHead = async (table: ReadTable, space: string): Promise<LogHead | undefined> => {
  const item = await loadItem(table, logKeys.head(space));
  return item === undefined ? undefined : parseStored(item, LogHead);
};

/** The signed note of a size. */
export const loadCheckpoint = async (table: ReadTable, space: string, size: number): Promise<string | undefined> => {
  const item = await loadItem(table, logKeys.checkpoint(space, size));
  return item === undefined ? undefined : parseStored(item, StoredCheckpoint).note;
};

/** Checkpoints of more leaves than `after`, smallest first, one page. */
export const loadCheckpoints = async (
  table: ReadTable,
  space: string,
  after: number,
): Promise<readonly { readonly size: number; readonly note: string }[]> => {
  const skBetween = logKeys.checkpointsAfter(after);
  const page = await table.query({
    pk: logKeys.partition(space),
    skBetween,
    limit: CHECKPOINTS_PAGE_MAX,
    isConsistent: true,
  });
  return page.items.map((item) => parseStored(item, StoredCheckpoint)).map(({ size, note }) => ({ size, note }));
};

/** Tombstones of everything that was forgotten. */
export const loadForgotten = async (table: ReadTable, space: string): Promise<readonly StoredForgotten['fixed'][]> => {
  const { items } = await queryAll(table, { pk: logKeys.partition(space), skPrefix: FORGOTTEN_PREFIX });
  return items.map((item) => parseStored(item, StoredForgotten).fixed);
};

/** Verifier keys the log has had, oldest first. */
export const loadKeys = async (table: ReadTable, space: string): Promise<readonly string[]> => {
  const page = await table.query({ pk: logKeys.partition(space), skPrefix: KEY_PREFIX, isConsistent: true });
  return page.items.map((item) => parseStored(item, StoredKey).key);
};

/**
 * Gate sets that ever judged for the space: the fixed ones, as far as the log's writer saw them,
 * and those with gates of skills. The latter count only under the hash of their content.
 */
export const loadGateSets = async (table: ReadTable, space: string): Promise<readonly GateSetContent[]> => {
  const [fixed, ofSkills] = await Promise.all([
    queryAll(table, { pk: logKeys.partition(space), skPrefix: GATE_SET_PREFIX }),
    queryAll(table, { pk: gateSetKeys.partition(space) }),
  ]);
  return [
    ...fixed.items.map((item) => parseStored(item, StoredGateSet).content),
    ...ofSkills.items.flatMap((item) => {
      const content = StoredGateSet.safeParse(item).data?.content;
      return content !== undefined && hashOf('gate-set', content) === item.sk ? [content] : [];
    }),
  ];
};

/** The code of a skill's gate by its SHA-256; undefined if it is not there, or not what it was. */
export const loadGateCode = async (table: ReadTable, space: string, sha256: string): Promise<string | undefined> => {
  const text = (await loadItem(table, skillKeys.file(space, sha256)))?.text;
  return typeof text === 'string' && hash('sha256', text) === sha256 ? text : undefined;
};

/** Entries of one tile's width, as many as there are. */
const loadEntries = async (table: ReadTable, space: string, ref: TileRef): Promise<readonly Uint8Array[]> => {
  const first = ref.index * TILE_WIDTH;
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const skBetween = logKeys.entriesBetween(first, first + ref.width - 1);
    const page = await table.query({ pk: logKeys.partition(space), skBetween, isConsistent: true, cursor });
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return unpackEntries(items, first).slice(0, ref.width);
};

const loadHashes = async (table: ReadTable, space: string, ref: TileRef, level: number) => {
  const { full, edge } = await loadNamed(table, {
    full: logKeys.tile(space, level, ref.index),
    edge: logKeys.edge(space),
  });
  if (full !== undefined) return parseStored(full, StoredTile).bytes;
  if (level === 0) return Buffer.concat((await loadEntries(table, space, ref)).map(leafHash));
  // It may have become full meanwhile: then the edge is that of the next tile.
  const fullNow = await loadItem(table, logKeys.tile(space, level, ref.index));
  if (fullNow !== undefined) return parseStored(fullNow, StoredTile).bytes;
  return edge === undefined ? undefined : parseStored(edge, StoredEdge).partials[String(level)];
};

/** @returns the bytes of a tile, or of its first `width` hashes or entries */
export const loadTile = async (table: ReadTable, space: string, ref: TileRef): Promise<Uint8Array | undefined> => {
  if (ref.level === 'entries') {
    const entries = await loadEntries(table, space, ref);
    return entries.length < ref.width ? undefined : buildEntryBundle(entries);
  }
  const bytes = await loadHashes(table, space, ref, ref.level);
  const wanted = ref.width * HASH_BYTES;
  return bytes === undefined || bytes.length < wanted ? undefined : bytes.subarray(0, wanted);
};
