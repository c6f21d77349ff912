/**
 * Memory as it was: objects, outlines and differences as of a commit, versions with their authors.
 * A forgotten object is forgotten at every point of time, also while its versions are still being
 * erased. Reads only, consistently.
 */

import { defined } from '../base/defined.ts';
import { ProtocolError } from '../base/errors.ts';
import type { Table } from '../store/table.ts';
import { type CommitKind, type CommitRecord, type Head, parseRecordHead } from './commit.ts';
import { descendantsOf, emptyForest, runReading } from './forest.ts';
import { commitKeys } from './keys.ts';
import { buildForgotten, type LiveObject, type MemoryObject, type MemoryType } from './object.ts';
import type { MemoryScope } from './object-parts.ts';
import { type OutlineNode, outlineOf, visibleOf } from './outline.ts';
import type { MemoryReader, MemoryView, Objects } from './read.ts';

export interface AuditVersion {
  readonly version: number;
  readonly commit: number;
  readonly state: MemoryObject['state'];
  readonly hash: string;
  /** Signal and effect that wrote its words. */
  readonly bySignal: string;
  readonly byEffect: string;
  /** Fields of the commit, its time first. */
  readonly at?: number;
  readonly kind?: CommitKind;
  readonly signalId?: string;
  readonly effectId?: string;
  readonly actor?: string;
}

interface Audit {
  readonly id: string;
  readonly type: MemoryType;
  readonly scope: MemoryScope;
  readonly state: MemoryObject['state'];
  readonly hash: string;
  readonly parentId?: string;
  /** Oldest first. */
  readonly versions: readonly AuditVersion[];
}

/** Traces of an object elsewhere, to be erased with it. */
interface LinkedRecords {
  readonly signals: readonly string[];
  readonly effects: readonly string[];
  /** The object and everything below it. */
  readonly objectIds: readonly string[];
  /** Present and former keys in files and buffers. */
  readonly keys: readonly string[];
}

export interface Difference {
  readonly id: string;
  readonly before: MemoryObject | undefined;
  readonly after: MemoryObject | undefined;
}

interface OutlineRequest {
  readonly rootId?: string;
  readonly asOf?: number;
  readonly isHidden?: (object: LiveObject) => boolean;
}

export interface MemoryHistory {
  readonly head: () => Promise<Head>;
  /** Records of the commits after `number`, in order, for the log writer. */
  readonly commitsAfter: (number: number, limit: number) => Promise<readonly CommitRecord[]>;
  /** An object as it was; a tombstone if it was forgotten at any time. */
  readonly loadAsOf: (id: string, number: number) => Promise<MemoryObject | undefined>;
  /** Trees of titles, now or as they were, without hidden objects and all below them. */
  readonly outline: (what?: OutlineRequest) => Promise<readonly OutlineNode[]>;
  readonly viewAsOf: (number: number) => Promise<Objects>;
  /** Objects that differ between two commits, without buckets and mere changes below. */
  readonly diff: (from: number, to: number) => Promise<readonly Difference[]>;
  readonly audit: (id: string) => Promise<Audit | undefined>;
  readonly linkedRecords: (id: string) => Promise<LinkedRecords>;
  /** Every stored version, oldest first, also of an object that is still being erased. */
  readonly storedVersions: (id: string) => Promise<readonly MemoryObject[]>;
}

export interface HistoryDeps {
  readonly table: Pick<Table, 'load'>;
  readonly space: string;
  readonly reader: MemoryReader;
  readonly view: () => Promise<MemoryView>;
}

/** A version as it may be shown, given the object as it is now. */
const hideForgotten = (then: MemoryObject | undefined, now: MemoryObject | undefined): MemoryObject | undefined => {
  if (then === undefined || then.state === 'removed') return undefined;
  return now?.state === 'forgotten' ? buildForgotten(then, now.tombstone) : then;
};

const isOwnDifference = ({ before, after }: Difference): boolean => {
  if ((before ?? after)?.type === 'bucket') return false;
  if (before === undefined || after === undefined) return before !== after;
  return before.state !== after.state || before.version !== after.version || before.parentId !== after.parentId;
};

/** @throws ProtocolError if memory has no such commit */
const checkNumber = async ({ reader }: HistoryDeps, number: number): Promise<Head> => {
  const head = await reader.loadHead();
  if (!Number.isInteger(number) || number < 0 || number > head.number)
    throw new ProtocolError(`memory has commits 0 to ${head.number}`);
  return head;
};

const changedIds = async ({ reader }: HistoryDeps, from: number, to: number): Promise<readonly string[]> => {
  const records = await reader.loadRecords(from + 1, to);
  return [...new Set(records.flatMap(({ changes }) => changes.map(({ id }) => id)))];
};

const viewAsOf = async (deps: HistoryDeps, number: number): Promise<Objects> => {
  await checkNumber(deps, number);
  const now = await deps.view();
  const ids = await changedIds(deps, number, now.number);
  const then = await deps.reader.loadVersions(ids, number);
  const objects = new Map(now.objects);
  for (const id of ids) {
    const object = hideForgotten(then.get(id), now.objects.get(id));
    if (object === undefined) objects.delete(id);
    else objects.set(id, object);
  }
  return objects;
};

const audit = async ({ table, space, reader }: HistoryDeps, id: string): Promise<Audit | undefined> => {
  const { number } = await reader.loadHead();
  const now = (await reader.loadMany([id], number)).get(id);
  if (now === undefined) return undefined;
  const history = (await reader.loadHistory(id)).filter(({ object }) => object.commit <= number);
  const numbers = [...new Set(history.map(({ object }) => object.commit))];
  const items = await table.load(
    numbers.map((commit) => commitKeys.record(space, commit)),
    { isConsistent: true },
  );
  const records = new Map(
    items
      .flatMap((item) => (item === undefined ? [] : [parseRecordHead(item)]))
      .map((record) => [record.number, record]),
  );
  const versions = history.map(({ object }): AuditVersion => {
    const record = records.get(object.commit);
    const { version, commit, state, hash, bySignal, byEffect } = object;
    const own = { version, commit, state, hash, bySignal, byEffect };
    if (record === undefined) return own;
    const { at, kind, signalId, effectId, actor } = record;
    return { ...own, at, kind, signalId, effectId, actor };
  });
  const { type, scope, state, hash, parentId } = now;
  return { id, type, scope, state, hash, ...defined({ parentId }), versions };
};

const linkedRecords = async ({ reader }: HistoryDeps, id: string): Promise<LinkedRecords> => {
  const { number } = await reader.loadHead();
  const read = (ids: readonly string[]) => reader.loadMany(ids, number);
  const object = (await read([id])).get(id);
  if (object === undefined) return { signals: [], effects: [], objectIds: [], keys: [] };
  const all = [object, ...(await runReading(descendantsOf(emptyForest(), object), read))].filter(
    ({ type }) => type !== 'bucket',
  );
  const versions: MemoryObject[] = [];
  for (const each of all) versions.push(...(await reader.loadHistory(each.id)).map((one) => one.object));
  return {
    signals: [...new Set(versions.map(({ bySignal }) => bySignal))],
    effects: [...new Set(versions.map(({ byEffect }) => byEffect))],
    objectIds: all.map((each) => each.id),
    keys: [...new Set(versions.flatMap((one) => (one.state === 'live' ? (one.attributes.key ?? []) : [])))],
  };
};

const outline = async (
  deps: HistoryDeps,
  { rootId, asOf, isHidden }: OutlineRequest = {},
): Promise<readonly OutlineNode[]> => {
  const objects = asOf === undefined ? (await deps.view()).objects : await viewAsOf(deps, asOf);
  if (isHidden === undefined) return outlineOf(objects, rootId);
  const shown = new Set(visibleOf(objects, isHidden).map(({ id }) => id));
  const isShown = ({ id, state, type }: MemoryObject): boolean =>
    state !== 'live' || type === 'bucket' || shown.has(id);
  return outlineOf(new Map([...objects].filter(([, object]) => isShown(object))), rootId);
};

const diff = async (deps: HistoryDeps, from: number, to: number): Promise<readonly Difference[]> => {
  const { reader } = deps;
  const head = await checkNumber(deps, Math.max(from, to));
  const ids = await changedIds(deps, Math.min(from, to), Math.max(from, to));
  const [before, after] = [await reader.loadVersions(ids, from), await reader.loadVersions(ids, to)];
  const now = await reader.loadMany(ids, head.number);
  return ids
    .map((id) => ({
      id,
      before: hideForgotten(before.get(id), now.get(id)),
      after: hideForgotten(after.get(id), now.get(id)),
    }))
    .filter(isOwnDifference);
};

export const buildMemoryHistory = (deps: HistoryDeps): MemoryHistory => {
  const { reader } = deps;
  return {
    viewAsOf: (number) => viewAsOf(deps, number),
    audit: (id) => audit(deps, id),
    linkedRecords: (id) => linkedRecords(deps, id),
    outline: (what) => outline(deps, what),
    diff: (from, to) => diff(deps, from, to),
    storedVersions: async (id) => (await reader.loadHistory(id)).map(({ object }) => object),
    head: reader.loadHead,
    commitsAfter: async (number, limit) => {
      const head = await reader.loadHead();
      return reader.loadRecords(number + 1, Math.min(head.number, number + limit));
    },
    loadAsOf: async (id, number) => {
      const head = await checkNumber(deps, number);
      const now = (await reader.loadMany([id], head.number)).get(id);
      return hideForgotten((await reader.loadVersions([id], number)).get(id), now);
    },
  };
};
