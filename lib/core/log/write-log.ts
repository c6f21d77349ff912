/**
 * The log's writer. One run gives every new or changed record its leaf, signs the checkpoint, and
 * takes ended signals out of the index of unfinished ones. Should two writers run, the head's
 * condition lets one of them through. The next run repairs one that died.
 */
import { ConditionError, ConfigError, ContendedError } from '../base/errors.ts';
import { KEPT_TOMBSTONES_MAX, MERGE_DELAY_MS } from '../base/limits.ts';
import { originOf } from '../evidence/checkpoint.ts';
import { renderVerifierKey } from '../evidence/signed-note.ts';
import { type SigningKey, signCheckpoint } from '../evidence/signing-key.ts';
import { allOf, equals, present } from '../store/condition.ts';
import { logKeys, signalKeys } from '../store/keys.ts';
import type { Table, Write } from '../store/table.ts';
import { updateIf } from '../store/update-if.ts';
import type { Anchors } from './anchor.ts';
import {
  type LogStart,
  type LogState,
  type LogStep,
  loadLogStart,
  loadLogState,
  type NewLeaf,
  planStep,
  type Stepped,
} from './append.ts';
import { type CollectedSignal, type Commits, collectCommits, collectPage } from './collect.ts';
import { findDueLeaves, leafOfRotation } from './due-leaves.ts';
import type { LogSigners } from './log-keys.ts';
import { loadForgotten } from './read-log.ts';
import { collectRights, type DueRights, rightKeys } from './rights.ts';
import type { LogHead } from './stored.ts';

export interface RunDeps {
  readonly table: Table;
  readonly space: string;
  readonly now: () => number;
  readonly signers: LogSigners;
  /** Whether there is time for another batch. */
  readonly hasTime: () => boolean;
  /** Keeps tombstones outside the table, before their leaves. Absent if nothing is kept. */
  readonly keepForgotten?: Anchors['keepForgotten'] | undefined;
  readonly report: (problem: string) => void;
}

export interface RunReport {
  readonly leaves: number;
  readonly size: number;
  /** Number of the last commit that has its leaf. */
  readonly lastCommit: number;
  /** Leaves of the newest checkpoint. */
  readonly checkpointSize: number;
  /** The checkpoint this run made. */
  readonly checkpoint: Stepped['checkpoint'];
  /** There was no time for everything. */
  readonly hasMore: boolean;
}

interface Rotation {
  readonly leaves: readonly NewLeaf[];
  readonly more: readonly Write[];
  readonly keyCount: number;
  readonly replacedKeyId: string | undefined;
}

const NO_RIGHTS: DueRights = { leaves: [], writes: [] };

/** A new key gets its item; if it replaces another, the change is a leaf. @throws ConfigError */
const planRotation = ({ space, head }: LogState, { current, previous }: LogSigners, now: number): Rotation => {
  const keyId = current.verifier.id;
  const item = { schemaVersion: 1, key: renderVerifierKey(current.verifier) };
  const keyCount = head?.keyCount ?? 0;
  const keyWrite: Write = { kind: 'put', key: logKeys.key(space, keyCount), item };
  if (head === undefined) return { leaves: [], more: [keyWrite], keyCount: 1, replacedKeyId: undefined };
  const replaced = head.keyId === keyId ? head.replacedKeyId : head.keyId;
  if (replaced !== undefined && previous?.verifier.id !== replaced)
    throw new ConfigError([
      'LOG_SIGNING_KEY is not the key that signed this log so far: give that one as LOG_SIGNING_KEY_PREVIOUS (on your machine: put tokens.json back, or restore a backup, which has it)',
    ]);
  if (head.keyId === keyId || previous === undefined)
    return { leaves: [], more: [], keyCount, replacedKeyId: head.replacedKeyId };
  const keys = { oldKey: renderVerifierKey(previous.verifier), newKey: item.key };
  const leaf = leafOfRotation(space, keys, `${keyId}-${keyCount}`, now);
  return { leaves: [{ leaf }], more: [keyWrite], keyCount: keyCount + 1, replacedKeyId: head.keyId };
};

/** Notes on a record's first leaf that it is late. A change has no time of its own. */
const markLate = (added: NewLeaf, marks: CollectedSignal['marks'], now: number): NewLeaf => {
  const { leaf, mark } = added;
  const isFirst = mark === undefined || marks[mark] === undefined;
  const isLate = isFirst && leaf.at > 0 && now - leaf.at > MERGE_DELAY_MS;
  return isLate ? { ...added, leaf: { ...leaf, loggedAt: now } } : added;
};

const buildSigner =
  ({ space, signers }: RunDeps, replacedKeyId: string | undefined): NonNullable<LogStep['sign']> =>
  (size, root) => {
    const keys: SigningKey[] = [signers.current];
    if (replacedKeyId !== undefined && signers.previous !== undefined) keys.push(signers.previous);
    return signCheckpoint({ origin: originOf(space), size, root }, keys);
  };

interface Batch {
  readonly signals: readonly CollectedSignal[];
  readonly commits: Commits;
  /** Those that changed, in the first batch. */
  readonly rights: DueRights;
  /** The last batch of this run: the leaves so far get their checkpoint. */
  readonly isLast: boolean;
}

/** Keeps new tombstones outside the table; the first time, all older ones too. */
const keepOutside = async (deps: RunDeps, { head }: LogState, { tombstones: fresh, last }: Commits): Promise<void> => {
  const { keepForgotten, table, space } = deps;
  if (keepForgotten === undefined) return;
  const before = head === undefined || head.isForgottenKept === true ? [] : await loadForgotten(table, space);
  const all = [...before.filter(({ object }) => !fresh.some((one) => one.object === object)), ...fresh];
  for (let first = 0; first < all.length; first += KEPT_TOMBSTONES_MAX) {
    const tombstones = all.slice(first, first + KEPT_TOMBSTONES_MAX);
    // Each list gets a time of its own, because the time is its name.
    await keepForgotten({ v: 1, at: deps.now() + first / KEPT_TOMBSTONES_MAX, commit: last, tombstones });
  }
};

/** @throws ContendedError if another writer came first */
const appendBatch = async (
  deps: RunDeps,
  state: LogState,
  batch: Batch,
): Promise<Pick<Stepped, 'state' | 'checkpoint'>> => {
  const { signals, commits, isLast } = batch;
  const now = deps.now();
  const rotation = planRotation(state, deps.signers, now);
  const ofSignals = signals.flatMap(({ record, records, marks }) =>
    findDueLeaves(records, marks).map((due) => markLate({ ...due, signalId: record.signal.id }, marks, now)),
  );
  const ofCommits = commits.leaves.map((added) => markLate(added, {}, now));
  const ofRights = batch.rights.leaves.map((added) => markLate(added, {}, now));
  const leaves = [...rotation.leaves, ...ofRights, ...ofSignals, ...ofCommits];
  const isCheckpointDue = isLast && state.edge.range.size + leaves.length > (state.head?.checkpointSize ?? 0);
  if (leaves.length === 0 && !isCheckpointDue) return { state, checkpoint: undefined };
  await keepOutside(deps, state, commits);
  const stepped = planStep(state, {
    leaves,
    signals: signals.map(({ record, marks }) => ({ signalId: record.signal.id, before: marks })),
    lastCommit: commits.last,
    keyId: deps.signers.current.verifier.id,
    keyCount: rotation.keyCount,
    replacedKeyId: rotation.replacedKeyId,
    isForgottenKept: deps.keepForgotten !== undefined || state.head?.isForgottenKept === true,
    ...(isCheckpointDue ? { sign: buildSigner(deps, rotation.replacedKeyId) } : {}),
    now,
    more: [...rotation.more, ...batch.rights.writes],
  });
  try {
    await deps.table.transact(stepped.writes);
  } catch (error) {
    if (error instanceof ConditionError) throw new ContendedError('the log', 1, { cause: error });
    throw error;
  }
  return stepped;
};

/** Takes ended signals out of the index, unless they changed again since they were read. */
const releaseEnded = async ({ table, space }: RunDeps, signals: readonly CollectedSignal[]): Promise<void> => {
  const release = async ({ signal, ends }: CollectedSignal['record']): Promise<void> => {
    await updateIf(
      table,
      signalKeys.record(space, signal.id),
      { remove: ['unfinishedSpace', 'unfinishedAt', 'awaitsLog'] },
      {
        name: 'the signal has ended, and not again since',
        holds: allOf(present('awaitsLog'), equals('ends', ends ?? 0)),
      },
    );
  };
  const ended = signals.filter(({ record }) => record.awaitsLog === true);
  await Promise.all(ended.map(({ record }) => release(record)));
};

interface Progress {
  /** Absent until something was to be appended. */
  readonly state: LogState | undefined;
  readonly head: LogHead | undefined;
  readonly checkpoint: Stepped['checkpoint'];
  readonly isAll: boolean;
}

const advance = async (deps: RunDeps, start: LogStart, progress: Progress, batch: Batch): Promise<Progress> => {
  const state = progress.state ?? (await loadLogState(deps.table, deps.space, start));
  const stepped = await appendBatch(deps, state, batch);
  const checkpoint = stepped.checkpoint ?? progress.checkpoint;
  return { ...progress, state: stepped.state, head: stepped.state.head, checkpoint };
};

/** Nothing is new, nothing is left over from an earlier run, and the signing key is the same. */
const isIdle = ({ head }: LogStart, { signals, commits, rights, isLast }: Batch, { current }: LogSigners): boolean =>
  isLast &&
  signals.length === 0 &&
  commits.leaves.length === 0 &&
  rights.leaves.length === 0 &&
  (head === undefined || (head.size === head.checkpointSize && head.keyId === current.verifier.id));

/** Takes in everything that is new or changed since the last run. */
const logNew = async (deps: RunDeps, start: LogStart): Promise<Progress> => {
  let progress: Progress = { state: undefined, head: start.head, checkpoint: undefined, isAll: false };
  let cursor: string | undefined;
  let rights = await collectRights(deps.table, deps.space, start.others, deps.now());
  while (!progress.isAll && deps.hasTime()) {
    const page = await collectPage(deps.table, deps.space, cursor);
    for (const problem of page.unreadable) deps.report(problem);
    cursor = page.cursor;
    const commits = await collectCommits(deps.table, deps.space, progress.head?.lastCommit ?? 0);
    const isAll = cursor === undefined && commits.isAll;
    const batch = { signals: page.signals, commits, rights, isLast: isAll || !deps.hasTime() };
    if (progress.state === undefined && isAll && isIdle(start, batch, deps.signers)) return { ...progress, isAll };
    progress = { ...(await advance(deps, start, progress, batch)), isAll };
    await releaseEnded(deps, page.signals);
    rights = NO_RIGHTS;
  }
  return progress;
};

/**
 * @throws UnavailableError or ContendedError (try again later), ConfigError (the keys),
 * StoredItemError (somebody changed the log's own items)
 */
export const runLog = async (deps: RunDeps): Promise<RunReport> => {
  const start = await loadLogStart(deps.table, deps.space, rightKeys(deps.space));
  const { head, checkpoint, isAll } = await logNew(deps, start);
  const { size = 0, lastCommit = 0, checkpointSize = 0 } = head ?? {};
  return { leaves: size - (start.head?.size ?? 0), size, lastCommit, checkpointSize, checkpoint, hasMore: !isAll };
};
