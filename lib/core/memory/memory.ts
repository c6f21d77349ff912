/**
 * Memory of one space: objects in trees, commits, snapshots, rollback, forgetting. Every change is
 * one commit, and the same effect never makes two. Reads are consistent, as of one commit. It does
 * not know who may do what. `Memory` is for tools, `MemoryStore` has everything.
 * Fails with UnavailableError, StoredItemError or ProtocolError (the request does not fit).
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildChangeMemory, type ChangeMemory, type Forget } from './change-memory.ts';
import type { WriteDeps, WriteTable } from './commit-writes.ts';
import { buildGoBack, type GoBack } from './go-back.ts';
import { buildMemoryHistory, type MemoryHistory } from './history.ts';
import type { ForgottenObject, LiveObject, MemoryObject, NewNote, RemovedObject } from './object.ts';
import { pageOf, visibleOf } from './outline.ts';
import { buildLoadView, buildReader, loadCurrent, type MemoryView, type Objects } from './read.ts';
import { buildRecall, clampResults, type Recall } from './recall.ts';
import { buildCommit } from './write.ts';

interface MemoryPage {
  readonly objects: readonly LiveObject[];
  /** Opaque; absent on the last page. */
  readonly cursor?: string;
}

/** Objects for which it holds are left out, with all below them. */
type IsHidden = (object: LiveObject) => boolean;

export interface Memory {
  /** Gives the stored object; after a repeat the first one, even if it was forgotten since. */
  readonly remember: (note: NewNote) => Promise<MemoryObject>;
  /** Objects that the query names by id, then those that share words with it, best first. */
  readonly recall: Recall;
  /** Newest first. @throws ProtocolError if this list never gave the cursor */
  readonly list: (page: {
    readonly limit: number;
    readonly cursor?: string | undefined;
    readonly isHidden?: IsHidden;
    /** Objects for which it does not hold are left out; what is below them stays. */
    readonly isListed?: (object: LiveObject) => boolean;
  }) => Promise<MemoryPage>;
  /**
   * Erases the words of an object, its subtree and all their versions; hashes and tombstones stay.
   * @returns the first tombstone after a repeat; undefined if there is no such object
   */
  readonly forget: (what: Forget) => Promise<ForgottenObject | undefined>;
  /** Undefined if there is none, or it was removed. */
  readonly load: (id: string) => Promise<MemoryObject | undefined>;
}

export interface MemoryStore extends Memory, Omit<ChangeMemory, 'remember' | 'forget'>, GoBack, MemoryHistory {
  /** All of memory now; cheap in a warm process. */
  readonly view: () => Promise<MemoryView>;
  /** Objects as they are stored now, read afresh; removed and forgotten ones too. */
  readonly loadMany: (ids: readonly string[]) => Promise<Objects>;
  /** Objects that no view shows any more: a rollback or a mend removed them. */
  readonly loadRemoved: () => Promise<readonly RemovedObject[]>;
}

/** The part of memory that answers to people need. */
export type MemoryReads = Pick<
  MemoryStore,
  'view' | 'recall' | 'audit' | 'diff' | 'resolve' | 'snapshots' | 'head' | 'planRollback' | 'load' | 'commitsAfter'
>;

/** Replaced by tests. */
export type MemoryOptions = Partial<Pick<WriteDeps, 'now' | 'sleep' | 'random' | 'newToken' | 'onConflict'>>;

const nothingHidden: IsHidden = () => false;

/** Keep it while the process lives: later calls move its view on. */
export const buildMemory = (table: WriteTable, space: string, options: MemoryOptions = {}): MemoryStore => {
  const reader = buildReader(table, space);
  const deps: WriteDeps = {
    table,
    space,
    reader,
    now: Date.now,
    sleep: (ms) => sleep(ms),
    random: Math.random,
    newToken: () => randomBytes(16).toString('hex'),
    onConflict: () => undefined,
    ...options,
  };
  const view = buildLoadView(reader);
  const changeDeps = { ...deps, commit: buildCommit(deps), view };
  const history = buildMemoryHistory({ table, space, reader, view });

  return {
    ...history,
    ...buildGoBack(changeDeps),
    ...buildChangeMemory(changeDeps),
    view,
    load: (id) => loadCurrent(reader, id),
    loadMany: async (ids) => (ids.length === 0 ? new Map() : reader.loadMany(ids, (await reader.loadHead()).number)),
    loadRemoved: async () => reader.loadRemoved((await reader.loadHead()).number),
    recall: buildRecall(view, deps.now),
    list: async ({ limit, cursor, isHidden = nothingHidden, isListed = () => true }) => {
      const { objects } = await view();
      return pageOf(visibleOf(objects, isHidden).filter(isListed), clampResults(limit), cursor);
    },
  };
};
