/**
 * Reads one space's memory as of a commit. An object that a later or unfinished commit wrote is
 * read from its newest version that counts, so that no read sees half a commit. `buildLoadView`
 * keeps a replica in a warm process. Fails with UnavailableError or StoredItemError.
 */

import { KIB } from '../base/limits.ts';
import { loadItem } from '../store/load-named.ts';
import { queryAll } from '../store/query-all.ts';
import type { ReadTable, Table } from '../store/table.ts';
import { type CommitRecord, type Head, joinRecords, parseHead } from './commit.ts';
import { commitKeys, memoryKeys, OBJECT_PREFIX, versionPrefix } from './keys.ts';
import { type MemoryObject, parseObject, type RemovedObject } from './object.ts';

/** By id; missing objects are left out. */
export type Objects = ReadonlyMap<string, MemoryObject>;

/** Version queries at once: enough to hide the network's latency. */
const QUERIES_AT_ONCE = 8;

interface StoredVersion {
  readonly sk: string;
  readonly object: MemoryObject;
}

export interface MemoryReader {
  readonly loadHead: () => Promise<Head>;
  /** The objects as of the last commit, or of the commit that was last when the read began. */
  readonly loadMany: (ids: readonly string[], head: number) => Promise<Objects>;
  /** The objects as of any commit; reads versions only. */
  readonly loadVersions: (ids: readonly string[], commit: number) => Promise<Objects>;
  /** All versions of one object, oldest first. */
  readonly loadHistory: (id: string) => Promise<readonly StoredVersion[]>;
  readonly loadRecords: (first: number, last: number) => Promise<readonly CommitRecord[]>;
  /** Removed objects: reads all of memory. */
  readonly loadRemoved: (head: number) => Promise<readonly RemovedObject[]>;
  /** Current objects by id, until `isEnough` holds for those read. */
  readonly loadAll: (head: number, isEnough: (objects: readonly MemoryObject[]) => boolean) => Promise<AllObjects>;
}

interface AllObjects {
  readonly objects: readonly MemoryObject[];
  readonly isPartial: boolean;
}

interface ReadContext {
  readonly table: ReadTable;
  readonly pk: string;
}

const loadVersion = async ({ table, pk }: ReadContext, id: string, commit: number) => {
  const skBetween = memoryKeys.versionsUpTo(id, commit);
  const page = await table.query({ pk, skBetween, isDescending: true, limit: 1, isConsistent: true });
  const [item] = page.items;
  return item === undefined ? undefined : parseObject(item);
};

const loadVersions = async (context: ReadContext, ids: readonly string[], commit: number): Promise<Objects> => {
  const found = new Map<string, MemoryObject>();
  for (let first = 0; first < ids.length; first += QUERIES_AT_ONCE) {
    const some = ids.slice(first, first + QUERIES_AT_ONCE);
    for (const version of await Promise.all(some.map((id) => loadVersion(context, id, commit))))
      if (version !== undefined) found.set(version.id, version);
  }
  return found;
};

/** Objects of a later commit give way to their versions. */
const asOf = async (context: ReadContext, objects: readonly MemoryObject[], head: number): Promise<Objects> => {
  const later = objects.filter(({ commit }) => commit > head).map(({ id }) => id);
  const found = new Map(objects.filter(({ commit }) => commit <= head).map((object) => [object.id, object]));
  for (const [id, object] of await loadVersions(context, later, head)) found.set(id, object);
  return found;
};

export const buildReader = (table: ReadTable, space: string): MemoryReader => {
  const pk = memoryKeys.partition(space);
  const context = { table, pk };
  return {
    loadVersions: (ids, commit) => loadVersions(context, ids, commit),
    loadHead: async () => parseHead(await loadItem(table, commitKeys.head(space))),
    loadMany: async (ids, head) => {
      const keys = [...new Set(ids)].map((id) => memoryKeys.object(space, id));
      const items = await table.load(keys, { isConsistent: true });
      const objects = items.flatMap((item) => (item === undefined ? [] : [parseObject(item)]));
      return asOf(context, objects, head);
    },
    loadHistory: async (id) => {
      const { items } = await queryAll(table, { pk, skPrefix: versionPrefix(id) });
      return items.map((item) => ({ sk: String(item.sk), object: parseObject(item) }));
    },
    loadRecords: async (first, last) => {
      if (first > last) return [];
      const skBetween = commitKeys.between(first, last);
      return joinRecords((await queryAll(table, { pk: commitKeys.partition(space), skBetween })).items);
    },
    loadRemoved: async (head) => {
      const removed: MemoryObject[] = [];
      let cursor: string | undefined;
      do {
        const page = await table.query({ pk, skPrefix: OBJECT_PREFIX, isConsistent: true, cursor });
        removed.push(...page.items.filter(({ state }) => state === 'removed').map(parseObject));
        cursor = page.cursor;
      } while (cursor !== undefined);
      const known = await asOf(context, removed, head);
      return [...known.values()].filter((object) => object.state === 'removed');
    },
    loadAll: async (head, isEnough) => {
      const read: MemoryObject[] = [];
      let cursor: string | undefined;
      // Parsed page by page: memory does not fit twice into a small process.
      do {
        const page = await table.query({ pk, skPrefix: OBJECT_PREFIX, isConsistent: true, cursor });
        read.push(...page.items.map(parseObject));
        cursor = page.cursor;
      } while (cursor !== undefined && !isEnough(read));
      return { objects: [...(await asOf(context, read, head)).values()], isPartial: cursor !== undefined };
    },
  };
};

/** An object as it is now; undefined if there is none, or it was removed. */
export const loadCurrent = async (reader: MemoryReader, id: string): Promise<MemoryObject | undefined> => {
  const { number } = await reader.loadHead();
  const object = (await reader.loadMany([id], number)).get(id);
  return object?.state === 'removed' ? undefined : object;
};

/** One object in its newest form, perhaps of a commit that is still under way: to be shown. */
export const loadObject = async (
  table: Pick<Table, 'load'>,
  space: string,
  id: string,
): Promise<MemoryObject | undefined> => {
  const item = await loadItem(table, memoryKeys.object(space, id));
  return item === undefined ? undefined : parseObject(item);
};

/** Objects held in one process, some 60 MB: twice a life's notes. Beyond it the view is partial. */
export const MEMORY_SCAN_MAX = 20_000;
/** Characters held in one process: some 60 of 128 MB, with the search index. */
const MEMORY_VIEW_CHARS_MAX = 6 * 1024 * KIB;
/** Commits, and changed objects, that a view goes forward; beyond it reading anew is cheaper. */
const MEMORY_VIEW_STEPS_MAX = 1_000;

export interface MemoryView {
  /** The commit it shows. */
  readonly number: number;
  readonly hash: string;
  /** Includes forgotten objects, not removed ones. */
  readonly objects: Objects;
  /** Memory holds more than this. */
  readonly isPartial: boolean;
}

const charsOf = (object: MemoryObject): number => (object.state === 'live' ? object.content.length : 0);

const isFull = (objects: readonly MemoryObject[]): boolean =>
  objects.length >= MEMORY_SCAN_MAX ||
  objects.reduce((sum, object) => sum + charsOf(object), 0) >= MEMORY_VIEW_CHARS_MAX;

const loadCold = async (reader: MemoryReader, { number, hash }: Head): Promise<MemoryView> => {
  const { objects, isPartial } = await reader.loadAll(number, isFull);
  const shown = objects.filter(({ state }) => state !== 'removed').slice(0, MEMORY_SCAN_MAX);
  return {
    number,
    hash,
    objects: new Map(shown.map((object) => [object.id, object])),
    isPartial: isPartial || objects.length > MEMORY_SCAN_MAX,
  };
};

/** Ids that changed since; undefined if reading anew is cheaper. */
const changedSince = async (reader: MemoryReader, from: number, to: number): Promise<readonly string[] | undefined> => {
  if (to - from > MEMORY_VIEW_STEPS_MAX) return undefined;
  const records = await reader.loadRecords(from + 1, to);
  const ids = new Set(records.flatMap(({ changes }) => changes.map(({ id }) => id)));
  return ids.size > MEMORY_VIEW_STEPS_MAX ? undefined : [...ids];
};

/** Memory now, or at a head just read: a few requests for the changes. Calls may overlap. */
export const buildLoadView = (reader: MemoryReader): ((known?: Head) => Promise<MemoryView>) => {
  let last: MemoryView | undefined;
  const loading = new Map<string, Promise<MemoryView>>();
  /** Shared by all callers meanwhile: a process cannot hold a large memory several times. */
  const loadColdOnce = (head: Head): Promise<MemoryView> => {
    const view = loading.get(head.hash) ?? loadCold(reader, head).finally(() => loading.delete(head.hash));
    loading.set(head.hash, view);
    return view;
  };
  return async (known) => {
    const head = known ?? (await reader.loadHead());
    const from = last;
    if (from !== undefined && from.number === head.number && from.hash === head.hash) return from;
    const ids =
      from === undefined || from.isPartial || from.number > head.number
        ? undefined
        : await changedSince(reader, from.number, head.number);
    if (from === undefined || ids === undefined) {
      last = await loadColdOnce(head);
      return last;
    }
    const changed = await reader.loadMany(ids, head.number);
    const objects = new Map(from.objects);
    for (const id of ids) {
      const object = changed.get(id);
      if (object === undefined || object.state === 'removed') objects.delete(id);
      else objects.set(id, object);
    }
    last = { number: head.number, hash: head.hash, objects, isPartial: objects.size > MEMORY_SCAN_MAX };
    return last;
  };
};
