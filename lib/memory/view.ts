/**
 * A replica of one space's memory at one commit, kept in a warm process and moved on by what changed since: one request for
 * the head, one for the commits, one for the objects. Cold, or far behind, it reads everything in pages. It is exactly
 * memory as of `number`; where memory is larger than a process may hold, it has a part of it and says so.
 */
import { KIB } from '../base/limits.ts';
import type { Head } from './commit.ts';
import type { MemoryObject } from './object.ts';
import type { MemoryReader, Objects } from './read.ts';

/** Memory objects held in one process: a life's notes twice over, and some 60 MB; past it the view says that it is partial. */
export const MEMORY_SCAN_MAX = 20_000;
/** Characters of all contents held in one process: with what is built to find them, some 60 MB of the smallest function's 128. */
const MEMORY_VIEW_CHARS_MAX = 6 * 1024 * KIB;
/** Commits a view goes forward over before it reads everything anew, and changed objects likewise. */
const MEMORY_VIEW_STEPS_MAX = 1_000;

export interface MemoryView {
  /** The commit it shows. */
  readonly number: number;
  /** Hash of that commit's record. */
  readonly hash: string;
  /** Forgotten ones too; none that was removed. */
  readonly objects: Objects;
  /** True where memory holds more than this. */
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

/** The ids that changed since; `undefined` where reading everything anew is cheaper. */
const changedSince = async (reader: MemoryReader, from: number, to: number): Promise<readonly string[] | undefined> => {
  if (to - from > MEMORY_VIEW_STEPS_MAX) return undefined;
  const records = await reader.loadRecords(from + 1, to);
  const ids = new Set(records.flatMap(({ changes }) => changes.map(({ id }) => id)));
  return ids.size > MEMORY_VIEW_STEPS_MAX ? undefined : [...ids];
};

/** Gives memory as it is now, or as of a head that was just read. Calls may overlap; each gives a whole view of its own. */
export const buildLoadView = (reader: MemoryReader): ((known?: Head) => Promise<MemoryView>) => {
  let last: MemoryView | undefined;
  const loading = new Map<string, Promise<MemoryView>>();
  /**
   * Once for all who ask while it goes on: a large memory read for each of many turns fits no
   * process.
   */
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
