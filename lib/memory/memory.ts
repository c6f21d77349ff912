/**
 * Memory of one space: remember, recall, list, load and forget objects in the table. A new object and its first version are
 * one transaction. The same effect never writes twice: its object's id follows from the effect. Reads are consistent, so
 * that what was remembered a moment ago is found. Fails with UnavailableError (try later), StoredItemError (an item of an
 * unknown schema version) or ProtocolError (what to remember does not fit); knows nothing of who may do what.
 */
import { allOf, type Condition, equals, IS_NEW, present } from '../aws/condition.ts';
import type { Item, Table } from '../aws/table.ts';
import { ConditionError, UnavailableError } from '../errors.ts';
import { CONFLICT_TRIES_MAX, MEMORY_RESULTS_MAX, MEMORY_SCAN_MAX } from '../limits.ts';
import { parseStored } from '../pipeline/record.ts';
import { memoryKeys, OBJECT_PREFIX, versionPrefix } from './keys.ts';
import {
  buildForgotten,
  buildNote,
  type ForgottenObject,
  type LiveObject,
  MemoryObject,
  type NewNote,
} from './object.ts';
import { pageOf } from './page.ts';
import { rankByWords } from './rank.ts';

export interface MemoryPage {
  readonly objects: readonly LiveObject[];
  /** Opaque; present when there is more. */
  readonly cursor?: string;
}

export interface Forget {
  readonly id: string;
  readonly signalId: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface Memory {
  /** Gives what is stored: after a repeat of the same effect that is the first one's object, even if forgotten since. */
  readonly remember: (note: NewNote) => Promise<MemoryObject>;
  /** Objects that share words with the query, best first, at most `limit` and never more than MEMORY_RESULTS_MAX. */
  readonly recall: (question: { readonly query: string; readonly limit: number }) => Promise<readonly LiveObject[]>;
  /** Newest first. @throws ProtocolError when the cursor is none this function gave. */
  readonly list: (page: { readonly limit: number; readonly cursor?: string | undefined }) => Promise<MemoryPage>;
  /** Erases content, tags and nonce of an object and its versions; `undefined` when there is no such object. */
  readonly forget: (what: Forget) => Promise<ForgottenObject | undefined>;
  readonly load: (id: string) => Promise<MemoryObject | undefined>;
}

type MemoryTable = Pick<Table, 'load' | 'put' | 'query' | 'transact'>;

const IS_VERSION: Condition = { name: 'the version exists', holds: present('pk') };
const isUnchangedSince = (version: number): Condition => ({
  name: `still live and version ${version}`,
  holds: allOf(equals('version', version), equals('state', 'live')),
});

const parseObject = (item: Item): MemoryObject => parseStored(`${item.pk} ${item.sk}`, item, MemoryObject);
const isLive = (object: MemoryObject): object is LiveObject => object.state === 'live';
const clamp = (limit: number): number => Math.max(1, Math.min(Math.trunc(limit), MEMORY_RESULTS_MAX));

/** Builds the memory of one space over the table. */
export const buildMemory = (table: MemoryTable, space: string): Memory => {
  const load = async (id: string): Promise<MemoryObject | undefined> => {
    const [item] = await table.load([memoryKeys.object(space, id)], { isConsistent: true });
    return item === undefined ? undefined : parseObject(item);
  };
  const queryAll = (skPrefix: string, itemsMax: number) =>
    queryUpTo(table, memoryKeys.partition(space), skPrefix, itemsMax);
  const loadLive = async () => (await queryAll(OBJECT_PREFIX, MEMORY_SCAN_MAX)).map(parseObject).filter(isLive);

  return {
    load,
    remember: async (note) => {
      const object = buildNote(note);
      try {
        await table.transact([
          { kind: 'put', key: memoryKeys.object(space, object.id), item: object, condition: IS_NEW },
          { kind: 'put', key: memoryKeys.version(space, object.id, 1), item: object, condition: IS_NEW },
        ]);
        return object;
      } catch (error) {
        if (!(error instanceof ConditionError)) throw error;
        // The effect was performed before, and its answer lost: what it stored is the answer.
        const stored = await load(object.id);
        if (stored === undefined) throw error;
        return stored;
      }
    },
    recall: async ({ query, limit }) => rankByWords(query, await loadLive()).slice(0, clamp(limit)),
    list: async ({ limit, cursor }) => pageOf(await loadLive(), clamp(limit), cursor),
    forget: async (what) => {
      // The object first: from then on no read shows it. A crash before the versions is mended by the effect's next try.
      const forgotten = await bury(table, space, load, what);
      if (forgotten === undefined) return undefined;
      for (const item of await queryAll(versionPrefix(what.id), Number.POSITIVE_INFINITY)) {
        const version = parseObject(item);
        if (isLive(version))
          await table.put(
            memoryKeys.version(space, version.id, version.version),
            buildForgotten(version, forgotten.tombstone),
            IS_VERSION,
          );
      }
      return forgotten;
    },
  };
};

/** Replaces the current object by its tombstone, from the version read; another writer in between means reading again. */
const bury = async (
  table: MemoryTable,
  space: string,
  load: Memory['load'],
  { id, signalId, now }: Forget,
): Promise<ForgottenObject | undefined> => {
  for (let tries = 0; tries < CONFLICT_TRIES_MAX; tries += 1) {
    const object = await load(id);
    if (object === undefined || object.state === 'forgotten') return object;
    const forgotten = buildForgotten(object, { forgottenAt: now, bySignal: signalId });
    try {
      await table.put(memoryKeys.object(space, id), forgotten, isUnchangedSince(object.version));
      return forgotten;
    } catch (error) {
      if (!(error instanceof ConditionError)) throw error;
    }
  }
  throw new UnavailableError('the memory object, which others keep changing,');
};

const queryUpTo = async (
  table: MemoryTable,
  pk: string,
  skPrefix: string,
  itemsMax: number,
): Promise<readonly Item[]> => {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const rest = itemsMax - items.length;
    const page = await table.query({
      pk,
      skPrefix,
      isConsistent: true,
      cursor,
      ...(Number.isFinite(rest) ? { limit: rest } : {}),
    });
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined && items.length < itemsMax);
  return items;
};
