/**
 * Snapshots, rollback, and undoing one failed signal. Each restores by a new commit and erases
 * nothing (I10). The cost follows what changed since. Fails as `commit` does.
 */

import { defined } from '../base/defined.ts';
import { ProtocolError } from '../base/errors.ts';
import { putOnce } from '../store/put-once.ts';
import { queryAll } from '../store/query-all.ts';
import { type AutoSaved, autoSave } from './auto-save.ts';
import { buildMaker, type ChangeDeps } from './change-memory.ts';
import { type By, type CommitRecord, parseDone } from './commit.ts';
import { applyEdits } from './edit.ts';
import { descendantsOf, emptyForest, runReading } from './forest.ts';
import { commitKeys, donePrefix, snapshotKeys } from './keys.ts';
import type { MemoryObject } from './object.ts';
import { buildLookBack, type LookBack, parseSnapshot, parseSnapshotName, type Snapshot } from './read-memory.ts';
import { planRevert, type RevertPlan, type RollbackPlan, type Touched } from './rollback.ts';
import type { CommitResult, PlanBase } from './write.ts';

export interface GoBack extends LookBack {
  /** Names the last commit; by number without a name. @throws ProtocolError if it is taken */
  readonly snapshot: (what: { readonly name?: string; readonly by: By }) => Promise<Snapshot>;
  /** Keeps a snapshot that nobody named, if one is due. */
  readonly autoSave: (by: By) => Promise<AutoSaved>;
  /** No plan after a repeat. @throws ProtocolError if memory has moved on */
  readonly rollback: (what: {
    readonly to: string | number;
    readonly by: By;
    /** The commit on which a person saw the plan. */
    readonly expectedHead?: number | undefined;
  }) => Promise<{ readonly plan?: RollbackPlan; readonly result: CommitResult }>;
  /** Undoes the commits of one signal. Objects that others changed since are left and named. */
  readonly revertSignal: (what: {
    readonly signalId: string;
    readonly by: By;
  }) => Promise<{ readonly left: RevertPlan['left']; readonly result: CommitResult }>;
}

const parentsOf = (touched: readonly Touched[]): readonly string[] =>
  touched.flatMap(({ before }) => (before?.parentId === undefined ? [] : [before.parentId]));

const makeSnapshot = async (
  { table, space, reader }: ChangeDeps,
  { name, by }: Parameters<GoBack['snapshot']>[0],
): Promise<Snapshot> => {
  const { number, hash } = await reader.loadHead();
  const plain = name === undefined ? `commit-${number}` : parseSnapshotName(name);
  const { signalId, effectId, actor, now: at } = by;
  const made: Snapshot = { schemaVersion: 1, name: plain, number, hash, at, signalId, effectId, actor };
  const stored = await putOnce(table, snapshotKeys.name(space, plain), { ...made });
  if (stored === 'put') return made;
  const there = parseSnapshot(stored);
  // This is the same effect again, or the same state under its usual name.
  if (there.effectId === effectId || (name === undefined && there.number === number)) return there;
  throw new ProtocolError(`there is a snapshot ${plain} already`);
};

const rollBack = async (
  deps: ChangeDeps,
  { resolve, planOn }: ReturnType<typeof buildLookBack>,
  { to, by, expectedHead }: Parameters<GoBack['rollback']>[0],
): ReturnType<GoBack['rollback']> => {
  const target = await resolve(to);
  let plan: RollbackPlan | undefined;
  const result = await deps.commit({
    by,
    ids: [],
    plan: async (base) => {
      if (expectedHead !== undefined && expectedHead !== base.head.number)
        throw new ProtocolError('memory has changed since this was planned: ask for the rollback again');
      const planned = await planOn(base, target);
      plan = planned.plan;
      return { kind: 'rollback', changes: planned.changes, target };
    },
  });
  return { ...defined({ plan }), result };
};

/** Records of the commits that one signal made. */
const loadRecordsOf = async (
  { table, space, reader }: ChangeDeps,
  signalId: string,
): Promise<readonly CommitRecord[]> => {
  const query = { pk: commitKeys.partition(space), skPrefix: donePrefix(signalId) };
  const numbers = (await queryAll(table, query)).items.map((item) => parseDone(item).number).sort((a, b) => a - b);
  const records: CommitRecord[] = [];
  for (const number of numbers) records.push(...(await reader.loadRecords(number, number)));
  return records;
};

const loadTouched = async (
  { reader }: ChangeDeps,
  records: readonly CommitRecord[],
  { read }: PlanBase,
): Promise<readonly Touched[]> => {
  const spans = new Map<string, { readonly first: number; readonly last: number }>();
  for (const { number, changes } of records)
    for (const { id } of changes) spans.set(id, { first: spans.get(id)?.first ?? number, last: number });
  const now = await read([...spans.keys()]);
  const touched: Touched[] = [];
  for (const [id, { first, last }] of spans) {
    const before = await reader.loadVersions([id], first - 1);
    const after = await reader.loadVersions([id], last);
    const object = now.get(id);
    const left = after.get(id);
    if (object !== undefined && left !== undefined) touched.push({ before: before.get(id), after: left, now: object });
  }
  return touched;
};

const revertSignal = async (
  deps: ChangeDeps,
  { signalId, by }: Parameters<GoBack['revertSignal']>[0],
): ReturnType<GoBack['revertSignal']> => {
  const records = await loadRecordsOf(deps, signalId);
  const ids = new Set(records.flatMap(({ changes }) => changes.map(({ id }) => id)));
  let left: RevertPlan['left'] = [];
  const plan = async (base: PlanBase) => {
    const touched = await loadTouched(deps, records, base);
    const own = new Set(touched.filter(({ before }) => before?.state !== 'live').map(({ now }) => now.id));
    const foreign = new Set<string>();
    const leaving = touched.filter(({ before, now }) => before?.state === 'live' && before.parentId !== now.parentId);
    for (const { now } of touched) {
      const forest = emptyForest();
      const below = await runReading(descendantsOf(forest, now), base.read);
      // A note that goes back takes all below it along.
      const gone = new Set(leaving.map((one) => one.now.id));
      for (const { id, parentId = '' } of below) if (gone.has(parentId)) gone.add(id);
      const isOthers = ({ id, state, type }: MemoryObject): boolean =>
        state !== 'removed' && type !== 'bucket' && !own.has(id) && !gone.has(id);
      if (below.some(isOthers)) foreign.add(now.id);
    }
    const objects = await base.read([...ids, ...parentsOf(touched)]);
    const planned = planRevert(
      touched,
      (id) => foreign.has(id),
      (id) => objects.get(id)?.state === 'live',
    );
    left = planned.left;
    const maker = buildMaker(by, deps.newToken);
    return { kind: 'revert', changes: await runReading(applyEdits(planned.edits, maker), base.read) } as const;
  };
  const result: CommitResult = records.length === 0 ? { state: 'unchanged' } : await deps.commit({ by, ids: [], plan });
  return { left, result };
};

export const buildGoBack = (deps: ChangeDeps): GoBack => {
  const lookBack = buildLookBack(deps);
  const { planOn: _, ...look } = lookBack;
  return {
    ...look,
    snapshot: (what) => makeSnapshot(deps, what),
    autoSave: (by) => autoSave(deps, by),
    rollback: (what) => rollBack(deps, lookBack, what),
    revertSignal: (what) => revertSignal(deps, what),
  };
};
