/**
 * The log's writer: one run takes every record that has no leaf, or changed since its last, page by page, into the tree, signs
 * the checkpoint, and takes ended signals out of the index; then those from before there was a log, each leaf saying that it is late. One writer at a time by the queue's group; should there be two, the
 * head's condition lets one of them through and the other begins again later. A run that died is repaired by the next.
 */

import { defined } from '../base/defined.ts';
import { ConditionError, ConfigError, ContendedError } from '../base/errors.ts';
import { KEPT_TOMBSTONES_MAX, MERGE_DELAY_MS } from '../base/limits.ts';
import { originOf } from '../evidence/checkpoint.ts';
import { renderVerifierKey } from '../evidence/signed-note.ts';
import { type SigningKey, signCheckpoint } from '../evidence/signing-key.ts';
import { allOf, equals, present } from '../store/condition.ts';
import { logKeys, signalKeys } from '../store/keys.ts';
import type { Table, Write } from '../store/table.ts';
import type { Anchors } from './anchor.ts';
import { type LogState, type NewLeaf, planStep, type Step } from './append.ts';
import { type Collected, collectOldPage, collectPage } from './collect.ts';
import { type Commits, collectCommits } from './collect-commits.ts';
import { dueOfSignal, leafOfRotation } from './due-leaves.ts';
import { type LogStart, loadLogStart, loadLogState } from './load-state.ts';
import type { LogSigners } from './log-keys.ts';
import { loadForgotten } from './read-log.ts';

export interface RunDeps {
  readonly table: Table;
  readonly space: string;
  readonly now: () => number;
  readonly signers: LogSigners;
  /** Whether there is time for another batch. */
  readonly hasTime: () => boolean;
  /** Keeps what was forgotten outside the table, before the log says that it was. Absent where nothing is kept elsewhere. */
  readonly keepForgotten?: Anchors['keepForgotten'] | undefined;
  /** Told of items that cannot be read. */
  readonly report: (problem: string) => void;
}

export interface RunReport {
  readonly leaves: number;
  readonly size: number;
  /** Last commit that has its leaf. */
  readonly lastCommit: number;
  /** Leaves of the newest checkpoint. */
  readonly checkpointSize: number;
  /** Made by this run. */
  readonly checkpoint: { readonly size: number; readonly note: string } | undefined;
  /** There was no time for all of it. */
  readonly hasMore: boolean;
}

interface Rotation {
  readonly leaves: readonly NewLeaf[];
  readonly more: readonly Write[];
  readonly keyCount: number;
  readonly replacedKeyId: string | undefined;
}

/** A key that was not there before gets its item; one that replaces another also its leaf. */
const planRotation = ({ space, head }: LogState, { current, previous }: LogSigners, now: number): Rotation => {
  const keyId = current.verifier.id;
  const item = { schemaVersion: 1, key: renderVerifierKey(current.verifier) };
  const keyCount = head?.keyCount ?? 0;
  const keyWrite: Write = { kind: 'put', key: logKeys.key(space, keyCount), item };
  if (head === undefined) return { leaves: [], more: [keyWrite], keyCount: 1, replacedKeyId: undefined };
  const replaced = head.keyId === keyId ? head.replacedKeyId : head.keyId;
  if (replaced !== undefined && previous?.verifier.id !== replaced)
    throw new ConfigError([
      'LOG_SIGNING_KEY is not the key that signed this log so far: give that one as LOG_SIGNING_KEY_PREVIOUS',
    ]);
  if (head.keyId === keyId || previous === undefined)
    return { leaves: [], more: [], keyCount, replacedKeyId: head.replacedKeyId };
  const keys = { oldKey: renderVerifierKey(previous.verifier), newKey: item.key };
  const leaf = leafOfRotation(space, keys, `${keyId}-${keyCount}`, now);
  return { leaves: [{ leaf }], more: [keyWrite], keyCount: keyCount + 1, replacedKeyId: head.keyId };
};

const leavesOf = (signals: readonly Collected[], now: number): readonly NewLeaf[] =>
  signals.flatMap(({ record, records, marks }) =>
    dueOfSignal(records, marks).map(({ leaf, mark }) =>
      markLate({ leaf, mark, signalId: record.signal.id }, marks, now),
    ),
  );

/** The first leaf of a record says so where it comes late: a later one is of a change, which has no time of its own. */
const markLate = (one: NewLeaf, marks: Collected['marks'], now: number): NewLeaf => {
  const isFirst = one.mark === undefined || marks[one.mark] === undefined;
  const isLate = isFirst && one.leaf.at > 0 && now - one.leaf.at > MERGE_DELAY_MS;
  return isLate ? { ...one, leaf: { ...one.leaf, loggedAt: now } } : one;
};

/** Ended signals leave the index, unless they changed again since they were read. */
const release = async ({ table, space }: RunDeps, signals: readonly Collected[]): Promise<void> => {
  const ended = signals.filter(({ record }) => record.awaitsLog === true);
  const removing = ended.map(({ record }) =>
    table
      .update(
        signalKeys.record(space, record.signal.id),
        { remove: ['unfinishedSpace', 'unfinishedAt', 'awaitsLog'] },
        {
          name: 'the signal has ended, and not again since',
          holds: allOf(present('awaitsLog'), equals('ends', record.ends ?? 0)),
        },
      )
      .catch((error: unknown) => {
        if (!(error instanceof ConditionError)) throw error;
      }),
  );
  await Promise.all(removing);
};

const signerOf =
  ({ space, signers }: RunDeps, replacedKeyId: string | undefined): NonNullable<Step['sign']> =>
  (size, root) => {
    const keys: SigningKey[] = [signers.current];
    if (replacedKeyId !== undefined && signers.previous !== undefined) keys.push(signers.previous);
    return signCheckpoint({ origin: originOf(space), size, root }, keys);
  };

interface Batch {
  readonly signals: readonly Collected[];
  readonly commits: Commits;
  /** Nothing more comes in this run: what has grown gets its checkpoint. */
  readonly isLast: boolean;
  /** Where this is of older records. */
  readonly backfill?: NonNullable<LogState['head']>['backfill'];
}

/** What is forgotten with these commits; and, the first time, all that was forgotten before anything was kept outside. */
const keepOutside = async (deps: RunDeps, { head }: LogState, { tombstones: fresh, last }: Commits): Promise<void> => {
  const { keepForgotten, table, space } = deps;
  if (keepForgotten === undefined) return;
  const before = head === undefined || head.isForgottenKept === true ? [] : await loadForgotten(table, space);
  const all = [...before.filter(({ object }) => !fresh.some((one) => one.object === object)), ...fresh];
  for (let first = 0; first < all.length; first += KEPT_TOMBSTONES_MAX) {
    const tombstones = all.slice(first, first + KEPT_TOMBSTONES_MAX);
    // Numbered, because what is kept at one time has one name.
    await keepForgotten({ v: 1, at: deps.now() + first / KEPT_TOMBSTONES_MAX, commit: last, tombstones });
  }
};

const appendBatch = async (deps: RunDeps, state: LogState, batch: Batch): Promise<ReturnType<typeof planStep>> => {
  const { signals, commits, isLast } = batch;
  const now = deps.now();
  const rotation = planRotation(state, deps.signers, now);
  const committed = commits.leaves.map((one) => markLate(one, {}, now));
  const leaves = [...rotation.leaves, ...leavesOf(signals, now), ...committed];
  const size = state.edge.range.size + leaves.length;
  const isDue = isLast && size > (state.head?.checkpointSize ?? 0);
  const hasMoved = batch.backfill !== undefined && state.head !== undefined;
  if (leaves.length === 0 && !isDue && !hasMoved) return { state, writes: [], checkpoint: undefined };
  await keepOutside(deps, state, commits);
  const stepped = planStep(state, {
    leaves,
    signals: signals.map(({ record, marks }) => ({ signalId: record.signal.id, before: marks })),
    lastCommit: commits.last,
    keyId: deps.signers.current.verifier.id,
    keyCount: rotation.keyCount,
    replacedKeyId: rotation.replacedKeyId,
    backfill: batch.backfill ?? state.head?.backfill,
    isForgottenKept: deps.keepForgotten !== undefined || state.head?.isForgottenKept === true,
    ...(isDue ? { sign: signerOf(deps, rotation.replacedKeyId) } : {}),
    now,
    more: rotation.more,
  });
  try {
    await deps.table.transact(stepped.writes);
  } catch (error) {
    // Another writer came first: what it wrote is read anew.
    if (error instanceof ConditionError) throw new ContendedError('the log', 1, { cause: error });
    throw error;
  }
  return stepped;
};

/** Nothing came, nothing is left over from a run before, and the key is the one that signs. */
const isIdle = ({ head }: LogStart, { signals, commits, isLast }: Batch, { current }: LogSigners): boolean =>
  isLast &&
  signals.length === 0 &&
  commits.leaves.length === 0 &&
  (head === undefined || (head.size === head.checkpointSize && head.keyId === current.verifier.id));

/** What a run has come to. */
interface Progress {
  /** Absent until something was to be appended. */
  readonly state: LogState | undefined;
  readonly head: LogState['head'];
  readonly checkpoint: RunReport['checkpoint'];
  readonly isAll: boolean;
}

/** What has come to be or changed since the last run. */
const takeNew = async (deps: RunDeps, start: LogStart): Promise<Progress> => {
  let progress: Progress = { state: undefined, head: start.head, checkpoint: undefined, isAll: false };
  let cursor: string | undefined;
  while (!progress.isAll && deps.hasTime()) {
    const page = await collectPage(deps.table, deps.space, cursor);
    for (const problem of page.unreadable) deps.report(problem);
    cursor = page.cursor;
    const commits = await collectCommits(deps.table, deps.space, progress.head?.lastCommit ?? 0);
    const isAll = cursor === undefined && commits.isAll;
    const batch = { signals: page.signals, commits, isLast: isAll || !deps.hasTime() };
    if (progress.state === undefined && isAll && isIdle(start, batch, deps.signers)) return { ...progress, isAll };
    progress = { ...(await appendTo(deps, start, progress, batch)), isAll };
    await release(deps, page.signals);
  }
  return progress;
};

/** What ended before there was a log, or under a release that kept none: page by page over the runs, until all is looked through. */
const takeOld = async (deps: RunDeps, start: LogStart, after: Progress): Promise<Progress> => {
  let progress: Progress = { ...after, isAll: after.head?.backfill?.isDone === true };
  let cursor = after.head?.backfill?.cursor;
  while (!progress.isAll && deps.hasTime()) {
    const page = await collectOldPage(deps.table, deps.space, cursor);
    for (const problem of page.unreadable) deps.report(problem);
    cursor = page.cursor;
    const isAll = cursor === undefined;
    const commits = { leaves: [], tombstones: [], last: progress.head?.lastCommit ?? 0, isAll: true };
    const backfill = { ...defined({ cursor }), isDone: isAll };
    const batch = { signals: page.signals, commits, isLast: isAll || !deps.hasTime(), backfill };
    try {
      progress = { ...(await appendTo(deps, start, progress, batch)), isAll };
    } catch (error) {
      // Another writer has come for what is new, which goes first: the rest has waited longer.
      if (error instanceof ContendedError) return progress;
      throw error;
    }
  }
  return progress;
};

const appendTo = async (
  deps: RunDeps,
  start: LogStart,
  { state, checkpoint }: Progress,
  batch: Batch,
): Promise<Omit<Progress, 'isAll'>> => {
  const stepped = await appendBatch(deps, state ?? (await loadLogState(deps.table, deps.space, start)), batch);
  return { state: stepped.state, head: stepped.state.head, checkpoint: stepped.checkpoint ?? checkpoint };
};

/**
 * @throws UnavailableError, ContendedError (again later), ConfigError (the keys), StoredItemError
 * (the log's own items were changed)
 */
export const runLog = async (deps: RunDeps): Promise<RunReport> => {
  const start = await loadLogStart(deps.table, deps.space);
  const fresh = await takeNew(deps, start);
  const { head, checkpoint, isAll } = fresh.isAll ? await takeOld(deps, start, fresh) : fresh;
  const { size = 0, lastCommit = 0, checkpointSize = 0 } = head ?? {};
  return { leaves: size - (start.head?.size ?? 0), size, lastCommit, checkpointSize, checkpoint, hasMore: !isAll };
};
