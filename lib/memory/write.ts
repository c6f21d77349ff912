/**
 * Commits changes of memory, all or nothing, under the space's head. A commit is planned
 * on fresh reads and moves the head on from the number it was planned on; where another writer was
 * faster it is planned anew, after a wait drawn at random. The same effect never commits twice: its
 * mark is part of the same write. What fits one transaction is one; more goes through a lease
 * (`lease.ts`). Fails with ContendedError (others never stopped), ProtocolError (too large).
 */

import { defined } from '../base/defined.ts';
import { ConditionError, ContendedError, StoredItemError } from '../base/errors.ts';
import { IS_NEW } from '../store/condition.ts';
import { loadNamed } from '../store/load-named.ts';
import {
  type By,
  buildChange,
  type CommitKind,
  type CommitRecord,
  type Head,
  parseHead,
  splitRecord,
} from './commit.ts';
import { chunkChanges, doneWrite, isStillAt, type ObjectChange, objectWrites } from './commit-writes.ts';
import { commitKeys, memoryKeys } from './keys.ts';
import { buildLease } from './lease.ts';
import type { Objects } from './read.ts';
import { parseDone, parseObject } from './stored.ts';
import type { WriteDeps } from './write-deps.ts';

/** Tries of a commit that meets other writers; with the waits below, hardly one of ten writers at once has to come again. */
export const MEMORY_COMMIT_TRIES_MAX = 24;
/** Longest wait before such a try, drawn at random: it doubles from the first to the last of these. */
const MEMORY_BACKOFF_MS_MIN = 8;
const MEMORY_BACKOFF_MS_MAX = 400;

export interface Planned {
  readonly kind: CommitKind;
  readonly changes: readonly ObjectChange[];
  /** The commit a rollback goes back to. */
  readonly target?: number;
}

/** What a plan is made on: the head, and objects as of it. */
export interface PlanBase {
  readonly head: Head;
  readonly read: (ids: readonly string[]) => Promise<Objects>;
}

export interface CommitRequest {
  readonly by: By;
  /** Objects that are surely needed: read in the same request as the head. */
  readonly ids: readonly string[];
  readonly plan: (base: PlanBase) => Promise<Planned>;
}

export type CommitResult =
  | { readonly state: 'committed'; readonly record: CommitRecord; readonly hash: string }
  /** The same effect committed before: its record. */
  | { readonly state: 'repeated'; readonly record: CommitRecord }
  /** There was nothing to change. */
  | { readonly state: 'unchanged' };

export type Commit = (request: CommitRequest) => Promise<CommitResult>;

/** True where another writer was faster: planning anew helps. */
const isConflict = (error: unknown): boolean => error instanceof ConditionError || error instanceof ContendedError;

const buildRecord = (head: Head, by: By, planned: Planned): CommitRecord => ({
  number: head.number + 1,
  previous: head.hash,
  at: by.now,
  signalId: by.signalId,
  effectId: by.effectId,
  actor: by.actor,
  kind: planned.kind,
  ...defined({ target: planned.target }),
  changes: planned.changes.map(({ before, after }) => buildChange(before, after)),
});

export const buildCommit = (deps: WriteDeps): Commit => {
  const { table, space, reader } = deps;
  const headKey = commitKeys.head(space);
  const lease = buildLease(deps);

  /** Head, the effect's mark and the objects asked for, in one request. */
  const loadBase = async ({ by, ids }: CommitRequest) => {
    const wanted = [...new Set(ids)];
    const items = await loadNamed(table, {
      head: headKey,
      done: commitKeys.done(space, by.signalId, by.effectId),
      objects: wanted.map((id) => memoryKeys.object(space, id)),
    });
    const first = items.objects.flatMap((item) => (item === undefined ? [] : [parseObject(item)]));
    const done = items.done === undefined ? undefined : parseDone(items.done);
    return { head: parseHead(items.head), done, first, wanted };
  };

  const loadRecord = async (number: number): Promise<CommitRecord> => {
    const [record] = await reader.loadRecords(number, number);
    if (record === undefined) throw new StoredItemError(commitKeys.record(space, number).sk, 'it is missing');
    return record;
  };

  const save = async (head: Head, by: By, planned: Planned): Promise<CommitResult> => {
    const record = buildRecord(head, by, planned);
    const chunks = chunkChanges(planned.changes);
    if (chunks.length > 1)
      return { state: 'committed', record, hash: await lease.commitBig({ head, record, chunks, by }) };
    const split = splitRecord(record);
    const { number } = record;
    await table.transact([
      {
        kind: 'update',
        key: headKey,
        change: { set: { schemaVersion: 1, number, hash: split.hash } },
        condition: isStillAt(head),
      },
      { kind: 'put', key: commitKeys.record(space, number), item: split.record, condition: IS_NEW },
      doneWrite(space, by, number),
      ...planned.changes.flatMap((change) => objectWrites(space, number, change)),
    ]);
    return { state: 'committed', record, hash: split.hash };
  };

  const tryOnce = async (request: CommitRequest): Promise<CommitResult> => {
    const { by, plan } = request;
    const { head, done, first, wanted } = await loadBase(request);
    if (done !== undefined) return { state: 'repeated', record: await loadRecord(done.number) };
    if (head.pendingToken !== undefined) {
      const isDead = head.pendingEffect === by.effectId || (head.pendingUntil ?? 0) < deps.now();
      if (!isDead) throw new ConditionError('no other commit is under way', undefined);
      await lease.recover(head, by);
      return tryOnce(request);
    }
    // Written since the head was read: what was read does not belong together.
    if (first.some(({ commit }) => commit > head.number)) throw new ConditionError('memory stood still', undefined);
    const known = new Map(first.map((object) => [object.id, object]));
    const asked = new Set(wanted);
    const read = async (ids: readonly string[]): Promise<Objects> => {
      const missing = ids.filter((id) => !asked.has(id));
      for (const object of (await reader.loadMany(missing, head.number)).values()) known.set(object.id, object);
      for (const id of missing) asked.add(id);
      return known;
    };
    const planned = await plan({ head, read });
    return planned.changes.length === 0 ? { state: 'unchanged' } : save(head, by, planned);
  };

  return async (request) => {
    for (let tries = 0; tries < MEMORY_COMMIT_TRIES_MAX; tries += 1) {
      try {
        return await tryOnce(request);
      } catch (error) {
        if (!isConflict(error)) throw error;
        deps.onConflict();
        const most = Math.min(MEMORY_BACKOFF_MS_MAX, MEMORY_BACKOFF_MS_MIN * 2 ** tries);
        await deps.sleep(deps.random() * most);
      }
    }
    throw new ContendedError('memory', MEMORY_COMMIT_TRIES_MAX);
  };
};
