/**
 * A commit too big for one transaction: its writer takes a lease on the head, writes objects and versions under the coming
 * number, where no reader looks yet, and moves the head once. Every write is fenced by the lease's token. Whoever finds a
 * lease run out (or the same effect, tried again) takes it over, puts back what the dead writer changed, and closes its
 * number as a commit that changed nothing, so that no number ever means two things. Fails with ConditionError when another
 * writer has the head.
 */

import { StoredItemError } from '../base/errors.ts';
import { MINUTE_MS } from '../base/limits.ts';
import { IS_NEW } from '../store/condition.ts';
import { loadItem } from '../store/load-named.ts';
import type { Write } from '../store/table.ts';
import { type By, type CommitRecord, type Head, splitRecord } from './commit.ts';
import {
  doneWrite,
  isHeldBy,
  isStillAt,
  type ObjectChange,
  objectWrites,
  TRANSACTION_OBJECTS_MAX,
} from './commit-writes.ts';
import { commitKeys, memoryKeys } from './keys.ts';
import { buildRemoved, type MemoryObject } from './object.ts';
import { parseManifest, parseObject, stampWith } from './stored.ts';
import type { WriteDeps } from './write-deps.ts';

/** A big commit that shows no end after this is taken for dead: Act itself is ended by then. */
export const MEMORY_LEASE_MS = MINUTE_MS;

const PENDING = ['pendingToken', 'pendingEffect', 'pendingUntil', 'pendingManifest'] as const;
/** A manifest is of no use once its commit is closed; a day for whoever looks into an incident. */
const MANIFEST_KEPT_S = 24 * 60 * 60;

export interface BigCommit {
  readonly head: Head;
  readonly record: CommitRecord;
  readonly chunks: readonly (readonly ObjectChange[])[];
  readonly by: By;
}

export const buildLease = (deps: WriteDeps) => {
  const { table, space } = deps;
  const headKey = commitKeys.head(space);

  /** Moves the head and gives the lease back, in the write that makes the commit's record. */
  const close = async (record: CommitRecord, token: string, manifest: string, more: readonly Write[]) => {
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
        change: { set: { expiresAt: Math.floor(deps.now() / 1000) + MANIFEST_KEPT_S } },
      },
      ...more,
    ]);
    return split.hash;
  };

  const fenced = (token: string, writes: readonly Write[]) =>
    table.transact([{ kind: 'check', key: headKey, condition: isHeldBy(token) }, ...writes]);

  const commitBig = async ({ head, record, chunks, by }: BigCommit): Promise<string> => {
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
    await table.update(headKey, { set: lease }, isStillAt(head));
    for (const chunk of chunks)
      await fenced(
        token,
        chunk.flatMap((change) => objectWrites(space, record.number, change)),
      );
    for (const [part, item] of splitRecord(record).parts.entries())
      await fenced(token, [{ kind: 'put', key: commitKeys.part(space, record.number, part), item }]);
    return close(record, token, manifest.sk, [doneWrite(space, by, record.number)]);
  };

  const loadManifest = async (sk: string): Promise<readonly string[]> => {
    const item = await loadItem(table, { pk: headKey.pk, sk });
    if (item === undefined) throw new StoredItemError(`${headKey.pk} ${sk}`, 'it is missing');
    const { ids } = parseManifest(item);
    return ids === '' ? [] : ids.split(',');
  };

  /** Puts back what the dead commit wrote of these objects. Under its own number: what a reader may ever find there is the old state. */
  const putBack = async (ids: readonly string[], head: Head, token: string): Promise<void> => {
    const number = head.number + 1;
    const items = await table.load(
      ids.map((id) => memoryKeys.object(space, id)),
      { isConsistent: true },
    );
    const written = items
      .flatMap((item) => (item === undefined ? [] : [parseObject(item)]))
      .filter(({ commit }) => commit === number);
    if (written.length === 0) return;
    const before = await deps.reader.loadVersions(
      written.map(({ id }) => id),
      head.number,
    );
    const writes = written.flatMap((object): readonly Write[] => {
      const item = stampWith(before.get(object.id) ?? asNeverThere(object), number);
      return [
        { kind: 'put', key: memoryKeys.object(space, object.id), item },
        { kind: 'put', key: memoryKeys.version(space, object.id, number), item },
      ];
    });
    await fenced(token, writes);
  };

  /** Ends a commit that was given up. @throws ConditionError when somebody else does, or did. */
  const recover = async (head: Head, by: By): Promise<void> => {
    if (head.pendingToken === undefined || head.pendingManifest === undefined) return;
    const token = deps.newToken();
    const taken = { pendingToken: token, pendingUntil: deps.now() + MEMORY_LEASE_MS };
    await table.update(headKey, { set: taken }, isHeldBy(head.pendingToken));
    const ids = await loadManifest(head.pendingManifest);
    // A large object may fill a transaction nearly by itself: few at a time, because this path is rare.
    const step = Math.floor(TRANSACTION_OBJECTS_MAX / 4);
    for (let first = 0; first < ids.length; first += step) await putBack(ids.slice(first, first + step), head, token);
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
    await close(record, token, head.pendingManifest, []);
  };

  return { commitBig, recover };
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
