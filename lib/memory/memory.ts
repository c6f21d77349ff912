/**
 * Memory of one space over the table: objects in trees, commits, snapshots, rollback, forgetting, time travel. Every
 * change is one commit under the space's head, and the same effect never makes two. Reads are consistent, as of one commit.
 * Fails with UnavailableError (try later), StoredItemError (an item of an unknown schema version) or ProtocolError (what is
 * asked for does not fit); knows nothing of who may do what. `Memory` is what tools use, `MemoryStore` everything.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { MEMORY_RESULTS_MAX } from '../base/limits.ts';
import { buildChangeMemory, type ChangeMemory, type Forget } from './change-memory.ts';
import type { WriteDeps, WriteTable } from './commit-writes.ts';
import { buildGoBack, type GoBack } from './go-back.ts';
import { buildMemoryHistory, type MemoryHistory } from './history.ts';
import type { ForgottenObject, LiveObject, MemoryObject, NewNote } from './object.ts';
import { pageOf, visibleOf } from './outline.ts';
import { buildLoadView, buildReader, type MemoryView } from './read.ts';
import { buildRecall, type Recall } from './recall.ts';
import { buildCommit } from './write.ts';

export interface MemoryPage {
  readonly objects: readonly LiveObject[];
  /** Opaque; present when there is more. */
  readonly cursor?: string;
}

/** Objects for which this holds are left out, and all that hangs below them. */
export type IsHidden = (object: LiveObject) => boolean;

export interface Memory {
  /** Gives what is stored: after a repeat of the same effect that is the first one's object, even if forgotten since. */
  readonly remember: (note: NewNote) => Promise<MemoryObject>;
  /**
   * Objects whose ids the query names, then those that share words with it, best first, at most `limit` and never more than
   * MEMORY_RESULTS_MAX. What belongs to a session is found in that session only.
   */
  readonly recall: Recall;
  /** Newest first. @throws ProtocolError when the cursor is none this function gave. */
  readonly list: (page: {
    readonly limit: number;
    readonly cursor?: string | undefined;
    readonly isHidden?: IsHidden;
    /** Objects for which this does not hold are left out, and nothing that hangs below them. */
    readonly isListed?: (object: LiveObject) => boolean;
  }) => Promise<MemoryPage>;
  /**
   * Erases what an object, its subtree and all their versions say; hashes and tombstones stay. Gives the first tombstone when
   * repeated, `undefined` when there is no such object.
   */
  readonly forget: (what: Forget) => Promise<ForgottenObject | undefined>;
  /** The object as it is now; `undefined` when there is none, or it was removed. */
  readonly load: (id: string) => Promise<MemoryObject | undefined>;
}

export interface MemoryStore extends Memory, Omit<ChangeMemory, 'remember' | 'forget'>, GoBack, MemoryHistory {
  /** All of memory as it is now; cheap in a warm process. */
  readonly view: () => Promise<MemoryView>;
}

/** What tests replace. */
export type MemoryOptions = Partial<Pick<WriteDeps, 'now' | 'sleep' | 'random' | 'newToken' | 'onConflict'>>;

const clamp = (limit: number): number => Math.max(1, Math.min(Math.trunc(limit), MEMORY_RESULTS_MAX));
const nothingHidden: IsHidden = () => false;

/** Builds the memory of one space. Keep it for as long as the process lives: it holds a view that later calls move on. */
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
    load: async (id) => {
      const { number } = await reader.loadHead();
      const object = (await reader.loadMany([id], number)).get(id);
      return object?.state === 'removed' ? undefined : object;
    },
    recall: buildRecall(view, deps.now),
    list: async ({ limit, cursor, isHidden = nothingHidden, isListed = () => true }) => {
      const { objects } = await view();
      return pageOf(visibleOf(objects, isHidden).filter(isListed), clamp(limit), cursor);
    },
  };
};
