/**
 * Reads of one space's memory as of a commit. The head is read first; an object written by a later commit, or by one that is
 * still being written, is then read from its newest version that counts: nothing is ever seen by halves. All reads are
 * consistent. Fails with UnavailableError (try later) or StoredItemError (an item of an unknown schema version).
 */

import { loadItem } from '../store/load-named.ts';
import type { Item, Query, Table } from '../store/table.ts';
import { type CommitRecord, type Head, joinRecords, parseHead } from './commit.ts';
import { commitKeys, memoryKeys, OBJECT_PREFIX, versionPrefix } from './keys.ts';
import type { MemoryObject } from './object.ts';
import { parseObject } from './stored.ts';

export type ReadTable = Pick<Table, 'load' | 'query'>;

/** Objects by id; one that is not there is not in it. */
export type Objects = ReadonlyMap<string, MemoryObject>;

/** Version queries under way at once: enough to hide the way there and back. */
const QUERIES_AT_ONCE = 8;

export interface StoredVersion {
  readonly sk: string;
  readonly object: MemoryObject;
}

export interface MemoryReader {
  readonly loadHead: () => Promise<Head>;
  /** As of a commit that is the last one, or was when this began. */
  readonly loadMany: (ids: readonly string[], head: number) => Promise<Objects>;
  /** As of any commit; from the versions alone, so that cost does not depend on what is current. */
  readonly loadVersions: (ids: readonly string[], commit: number) => Promise<Objects>;
  /** Every version of one object, oldest first. */
  readonly loadHistory: (id: string) => Promise<readonly StoredVersion[]>;
  /** Records of the commits from `first` to `last`, in order. */
  readonly loadRecords: (first: number, last: number) => Promise<readonly CommitRecord[]>;
  /** Current objects in the order of their ids, as of the head, until `isEnough` says so of those read. */
  readonly loadAll: (head: number, isEnough: (objects: readonly MemoryObject[]) => boolean) => Promise<AllObjects>;
}

export interface AllObjects {
  readonly objects: readonly MemoryObject[];
  readonly isPartial: boolean;
}

export const queryAll = async (
  table: Pick<Table, 'query'>,
  query: Omit<Query, 'cursor' | 'isConsistent'>,
  isEnough: (items: readonly Item[]) => boolean = () => false,
): Promise<{ readonly items: readonly Item[]; readonly isPartial: boolean }> => {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await table.query({ ...query, isConsistent: true, cursor });
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined && !isEnough(items));
  return { items, isPartial: cursor !== undefined };
};

export const buildReader = (table: ReadTable, space: string): MemoryReader => {
  const pk = memoryKeys.partition(space);

  const loadVersion = async (id: string, commit: number): Promise<MemoryObject | undefined> => {
    const skBetween = memoryKeys.versionsUpTo(id, commit);
    const page = await table.query({ pk, skBetween, isDescending: true, limit: 1, isConsistent: true });
    const [item] = page.items;
    return item === undefined ? undefined : parseObject(item);
  };

  const loadVersions = async (ids: readonly string[], commit: number): Promise<Objects> => {
    const found = new Map<string, MemoryObject>();
    for (let first = 0; first < ids.length; first += QUERIES_AT_ONCE) {
      const some = ids.slice(first, first + QUERIES_AT_ONCE);
      for (const version of await Promise.all(some.map((id) => loadVersion(id, commit))))
        if (version !== undefined) found.set(version.id, version);
    }
    return found;
  };

  /** Those of a later commit give way to their versions. */
  const asOf = async (objects: readonly MemoryObject[], head: number): Promise<Objects> => {
    const later = objects.filter(({ commit }) => commit > head).map(({ id }) => id);
    const found = new Map(objects.filter(({ commit }) => commit <= head).map((object) => [object.id, object]));
    for (const [id, object] of await loadVersions(later, head)) found.set(id, object);
    return found;
  };

  return {
    loadVersions,
    loadHead: async () => parseHead(await loadItem(table, commitKeys.head(space))),
    loadMany: async (ids, head) => {
      const keys = [...new Set(ids)].map((id) => memoryKeys.object(space, id));
      const items = await table.load(keys, { isConsistent: true });
      return asOf(
        items.flatMap((item) => (item === undefined ? [] : [parseObject(item)])),
        head,
      );
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
    loadAll: async (head, isEnough) => {
      const read: MemoryObject[] = [];
      let cursor: string | undefined;
      do {
        const page = await table.query({ pk, skPrefix: OBJECT_PREFIX, isConsistent: true, cursor });
        read.push(...page.items.map(parseObject));
        cursor = page.cursor;
      } while (cursor !== undefined && !isEnough(read));
      const isPartial = cursor !== undefined;
      return { objects: [...(await asOf(read, head)).values()], isPartial };
    },
  };
};
