/**
 * Commits changes of memory, all or nothing. A commit is planned on fresh reads and moves the head
 * on; if another writer was faster it is planned anew. The same effect never commits twice. A
 * commit too big for one transaction takes a lease on the head, writes where no reader looks yet,
 * and moves the head once; another writer undoes it if it dies. Fails with ContendedError, or
 * ProtocolError (too large).
 */

import { defined } from '../base/defined.ts';
import { ConditionError, ContendedError, StoredItemError } from '../base/errors.ts';
import { MINUTE_MS } from '../base/limits.ts';
import { IS_NEW } from '../store/condition.ts';
import { loadItem, loadNamed } from '../store/load-named.ts';
import type { Write } from '../store/table.ts';
import {
  type By,
  buildChange,
  type CommitKind,
  type CommitRecord,
  type Head,
  parseDone,
  parseHead,
  parseManifest,
  splitRecord,
} from './commit.ts';
import {
  chunkChanges,
  doneWrite,
  isHeldBy,
  isStillAt,
  type ObjectChange,
  objectWrites,
  TRANSACTION_OBJECTS_MAX,
  type WriteDeps,
} from './commit-writes.ts';
import { commitKeys, memoryKeys } from './keys.ts';
import { buildRemoved, type MemoryObject, parseObject, stampCommit } from './object.ts';
import type { Objects } from './read.ts';

/** A big commit without an end after this counts as dead: Act itself has ended by then. */
export const MEMORY_LEASE_MS = MINUTE_MS;

const PENDING = ['pendingToken', 'pendingEffect', 'pendingUntil', 'pendingManifest'] as const;
/** A closed commit's manifest is kept a day, for inquiries. */
const MANIFEST_KEPT_S = 24 * 60 * 60;

interface BigCommit {
  readonly head: Head;
  readonly record: CommitRecord;
  readonly chunks: readonly (readonly ObjectChange[])[];
  readonly by: By;
}

/** Moves the head and gives the lease back, with the commit's record. */
const close = async (
  { table, space, now }: WriteDeps,
  record: CommitRecord,
  token: string,
  manifest: string,
  more: readonly Write[],
): Promise<string> => {
  const headKey = commitKeys.head(space);
  const split = splitRecord(record);
  await table.transact([
    {
      kind: 'update',
      key: headKey,
      change: { set: { number: record.number, hash: split.hash }, remove: PENDING },
      condition: isHeldBy(token),
    },
    { kind: 'put', key: commitKeys.record(space, record.number), item: split.record, condition: IS_NEW },
    {
      kind: 'update',
      key: { pk: headKey.pk, sk: manifest },
      change: { set: { expiresAt: Math.floor(now() / 1000) + MANIFEST_KEPT_S } },
    },
    ...more,
  ]);
  return split.hash;
};

/** Writes only while the lease is still held. */
const writeFenced = ({ table, space }: WriteDeps, token: string, writes: readonly Write[]): Promise<void> =>
  table.transact([{ kind: 'check', key: commitKeys.head(space), condition: isHeldBy(token) }, ...writes]);

/** Commits under a lease. @returns the record's hash */
const commitBig = async (deps: WriteDeps, { head, record, chunks, by }: BigCommit): Promise<string> => {
  const { table, space } = deps;
  const token = deps.newToken();
  const manifest = commitKeys.manifest(space, record.number, token);
  await table.put(manifest, { schemaVersion: 1, ids: record.changes.map(({ id }) => id).join(',') }, IS_NEW);
  const lease = {
    schemaVersion: 1,
    number: head.number,
    hash: head.hash,
    pendingToken: token,
    pendingEffect: by.effectId,
    pendingUntil: deps.now() + MEMORY_LEASE_MS,
    pendingManifest: manifest.sk,
  };
  await table.update(commitKeys.head(space), { set: lease }, isStillAt(head));
  for (const chunk of chunks)
    await writeFenced(
      deps,
      token,
      chunk.flatMap((change) => objectWrites(space, record.number, change)),
    );
  for (const [part, item] of splitRecord(record).parts.entries())
    await writeFenced(deps, token, [{ kind: 'put', key: commitKeys.part(space, record.number, part), item }]);
  return close(deps, record, token, manifest.sk, [doneWrite(space, by, record.number)]);
};

const loadManifest = async ({ table, space }: WriteDeps, sk: string): Promise<readonly string[]> => {
  const pk = commitKeys.partition(space);
  const item = await loadItem(table, { pk, sk });
  if (item === undefined) throw new StoredItemError(`${pk} ${sk}`, 'it is missing');
  const { ids } = parseManifest(item);
  return ids === '' ? [] : ids.split(',');
};

/** Restores objects under the dead commit's number: readers find the old state there. */
const putBack = async (deps: WriteDeps, ids: readonly string[], head: Head, token: string): Promise<void> => {
  const { table, space, reader } = deps;
  const number = head.number + 1;
  const items = await table.load(
    ids.map((id) => memoryKeys.object(space, id)),
    { isConsistent: true },
  );
  const written = items
    .flatMap((item) => (item === undefined ? [] : [parseObject(item)]))
    .filter(({ commit }) => commit === number);
  if (written.length === 0) return;
  const before = await reader.loadVersions(
    written.map(({ id }) => id),
    head.number,
  );
  const writes = written.flatMap((object): readonly Write[] => {
    const item = stampCommit(before.get(object.id) ?? asNeverThere(object), number);
    return [
      { kind: 'put', key: memoryKeys.object(space, object.id), item },
      { kind: 'put', key: memoryKeys.version(space, object.id, number), item },
    ];
  });
  await writeFenced(deps, token, writes);
};

/** Ends a commit that was given up. @throws ConditionError if somebody else does */
const recover = async (deps: WriteDeps, head: Head, by: By): Promise<void> => {
  if (head.pendingToken === undefined || head.pendingManifest === undefined) return;
  const token = deps.newToken();
  const taken = { pendingToken: token, pendingUntil: deps.now() + MEMORY_LEASE_MS };
  await deps.table.update(commitKeys.head(deps.space), { set: taken }, isHeldBy(head.pendingToken));
  const ids = await loadManifest(deps, head.pendingManifest);
  // A large object may nearly fill a transaction.
  const step = Math.floor(TRANSACTION_OBJECTS_MAX / 4);
  for (let first = 0; first < ids.length; first += step)
    await putBack(deps, ids.slice(first, first + step), head, token);
  const record: CommitRecord = {
    number: head.number + 1,
    previous: head.hash,
    at: by.now,
    signalId: by.signalId,
    effectId: by.effectId,
    actor: by.actor,
    kind: 'void',
    changes: [],
  };
  await close(deps, record, token, head.pendingManifest, []);
};

const asNeverThere = (object: MemoryObject): MemoryObject => {
  switch (object.state) {
    case 'live':
      return { ...buildRemoved(object), children: [] };
    case 'removed':
      return object;
    case 'forgotten': {
      const { tombstone: _, ...kept } = object;
      return { ...kept, state: 'removed', children: [] };
    }
  }
};

/** Tries of a commit against other writers: enough for ten at once. */
export const MEMORY_COMMIT_TRIES_MAX = 24;
/** Longest random wait before a try, doubled from the first to the second bound. */
const MEMORY_BACKOFF_MS_MIN = 8;
const MEMORY_BACKOFF_MS_MAX = 400;

interface Planned {
  readonly kind: CommitKind;
  readonly changes: readonly ObjectChange[];
  /** The commit that a rollback restores. */
  readonly target?: number;
}

/** The head, and objects as of it. */
export interface PlanBase {
  readonly head: Head;
  readonly read: (ids: readonly string[]) => Promise<Objects>;
}

interface CommitRequest {
  readonly by: By;
  /** Objects surely needed: read together with the head. */
  readonly ids: readonly string[];
  readonly plan: (base: PlanBase) => Promise<Planned>;
}

export type CommitResult =
  | { readonly state: 'committed'; readonly record: CommitRecord; readonly hash: string }
  /** The record that the same effect committed before. */
  | { readonly state: 'repeated'; readonly record: CommitRecord }
  /** There was nothing to change. */
  | { readonly state: 'unchanged' };

export type Commit = (request: CommitRequest) => Promise<CommitResult>;

/** Another writer was faster: planning anew helps. */
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

/** One request for all. */
const loadBase = async ({ table, space }: WriteDeps, { by, ids }: CommitRequest) => {
  const wanted = [...new Set(ids)];
  const items = await loadNamed(table, {
    head: commitKeys.head(space),
    done: commitKeys.done(space, by.signalId, by.effectId),
    objects: wanted.map((id) => memoryKeys.object(space, id)),
  });
  const first = items.objects.flatMap((item) => (item === undefined ? [] : [parseObject(item)]));
  const done = items.done === undefined ? undefined : parseDone(items.done);
  return { head: parseHead(items.head), done, first, wanted };
};

const loadRecord = async ({ reader, space }: WriteDeps, number: number): Promise<CommitRecord> => {
  const [record] = await reader.loadRecords(number, number);
  if (record === undefined) throw new StoredItemError(commitKeys.record(space, number).sk, 'it is missing');
  return record;
};

const save = async (deps: WriteDeps, head: Head, by: By, planned: Planned): Promise<CommitResult> => {
  const { table, space } = deps;
  const record = buildRecord(head, by, planned);
  const chunks = chunkChanges(planned.changes);
  if (chunks.length > 1)
    return { state: 'committed', record, hash: await commitBig(deps, { head, record, chunks, by }) };
  const split = splitRecord(record);
  const { number } = record;
  await table.transact([
    {
      kind: 'update',
      key: commitKeys.head(space),
      change: { set: { schemaVersion: 1, number, hash: split.hash } },
      condition: isStillAt(head),
    },
    { kind: 'put', key: commitKeys.record(space, number), item: split.record, condition: IS_NEW },
    doneWrite(space, by, number),
    ...planned.changes.flatMap((change) => objectWrites(space, number, change)),
  ]);
  return { state: 'committed', record, hash: split.hash };
};

const tryOnce = async (deps: WriteDeps, request: CommitRequest): Promise<CommitResult> => {
  const { by, plan } = request;
  const { head, done, first, wanted } = await loadBase(deps, request);
  if (done !== undefined) return { state: 'repeated', record: await loadRecord(deps, done.number) };
  if (head.pendingToken !== undefined) {
    const isDead = head.pendingEffect === by.effectId || (head.pendingUntil ?? 0) < deps.now();
    if (!isDead) throw new ConditionError('no other commit is under way', undefined);
    await recover(deps, head, by);
    return tryOnce(deps, request);
  }
  // Written since the head was read: the reads do not belong together.
  if (first.some(({ commit }) => commit > head.number)) throw new ConditionError('memory stood still', undefined);
  const known = new Map(first.map((object) => [object.id, object]));
  const asked = new Set(wanted);
  const read = async (ids: readonly string[]): Promise<Objects> => {
    const missing = ids.filter((id) => !asked.has(id));
    for (const object of (await deps.reader.loadMany(missing, head.number)).values()) known.set(object.id, object);
    for (const id of missing) asked.add(id);
    return known;
  };
  const planned = await plan({ head, read });
  return planned.changes.length === 0 ? { state: 'unchanged' } : save(deps, head, by, planned);
};

export const buildCommit =
  (deps: WriteDeps): Commit =>
  async (request) => {
    for (let tries = 0; tries < MEMORY_COMMIT_TRIES_MAX; tries += 1) {
      try {
        return await tryOnce(deps, request);
      } catch (error) {
        if (!isConflict(error)) throw error;
        deps.onConflict();
        const most = Math.min(MEMORY_BACKOFF_MS_MAX, MEMORY_BACKOFF_MS_MIN * 2 ** tries);
        await deps.sleep(deps.random() * most);
      }
    }
    throw new ContendedError('memory', MEMORY_COMMIT_TRIES_MAX);
  };
