/** The leaves still due: one for each new record, one more for each that changed. Pure. */

import type { Approval } from '../approvals/approval.ts';
import { LEAF_CHANGES_MAX } from '../base/limits.ts';
import type { Leaf, LeafChange } from '../evidence/leaf.ts';
import { type FixedCommit, type FixedTombstone, recordHash } from '../evidence/record-hash.ts';
import type { FixedOrder, FixedRunnerReceipt, FixedRunnerResult } from '../evidence/runner-records.ts';
import type { JobVersion } from '../jobs/job.ts';
import type { Occurrence } from '../jobs/occurrence.ts';
import type { CommitRecord } from '../memory/commit.ts';
import type { Attempt, Decision, Effect } from '../signal/decision.ts';
import type { Signal } from '../signal/signal.ts';
import type { SkillChange } from '../skills/skill-change.ts';
import type { Item } from '../store/table.ts';
import { buildApprovalRecord, buildDecisionRecord, buildEffectRecord } from './evidence-records.ts';
import { buildJobRecord, buildOccurrenceRecord, buildSkillRecord } from './job-records.ts';
import type { Marks } from './stored.ts';

export interface SignalRecords {
  readonly signal: Pick<Signal, 'id' | 'space' | 'sender'>;
  /** Hash of the signal's stored text. */
  readonly envelope: string;
  readonly decision: Decision | undefined;
  /** Rejected attempts, in order. */
  readonly attempts: readonly Attempt[];
  readonly effects: readonly Effect[];
  /** Approvals that its effects name. */
  readonly approvals: readonly Approval[];
  /** The moment of a job that the signal stands for. */
  readonly occurrence: Occurrence | undefined;
  /** Versions of jobs, and changes of skills, that it made. */
  readonly jobVersions: readonly JobVersion[];
  readonly skillChanges: readonly SkillChange[];
  /** Signed jobs, receipts and results of runners, as their rows hold them. */
  readonly runnerRecords: readonly RunnerRecord[];
}

export type RunnerRecord =
  | { readonly kind: 'runner-job'; readonly id: string; readonly fixed: FixedOrder }
  | { readonly kind: 'runner-receipt'; readonly id: string; readonly fixed: FixedRunnerReceipt }
  | { readonly kind: 'runner-result'; readonly id: string; readonly fixed: FixedRunnerResult };

/** A leaf, and the name of the mark its record gets. */
interface DueLeaf {
  readonly mark: string;
  readonly leaf: Leaf;
}

const SYSTEM = 'system';

/** The time of the effect's last change. */
const timeOf = (effect: Effect, decision: Decision | undefined): number =>
  effect.settledAt ?? effect.claimedAt ?? decision?.at ?? 0;

type CommonLeaf = Pick<Leaf, 'space' | 'signal' | 'actor'> & { readonly v: 1 };

const commonOf = ({ signal }: SignalRecords): CommonLeaf => ({
  v: 1,
  space: signal.space,
  signal: signal.id,
  actor: signal.sender.id,
});

const leavesOfOccurrence = (records: SignalRecords): readonly DueLeaf[] => {
  const { occurrence, signal } = records;
  if (occurrence === undefined) return [];
  const { id, fixed } = buildOccurrenceRecord(signal.id, occurrence);
  const { state, closedAt, at } = occurrence;
  const hash = recordHash('occurrence', fixed);
  const leaf = { ...commonOf(records), kind: 'occurrence', id, hash, at: closedAt ?? at, state } as const;
  return [{ mark: 'occurrence', leaf }];
};

/** Changes of jobs and skills: each has one leaf, because it never changes. */
const leavesOfChanges = (records: SignalRecords): readonly DueLeaf[] => {
  const common = commonOf(records);
  const ofJobs = records.jobVersions.map((version): DueLeaf => {
    const { id, fixed } = buildJobRecord(version);
    const [hash, { state, from: at, by: actor }] = [recordHash('job', fixed), version];
    return { mark: `job#${version.name}#${version.n}`, leaf: { ...common, kind: 'job', id, hash, actor, at, state } };
  });
  const ofSkills = records.skillChanges.map((change): DueLeaf => {
    const { id, fixed } = buildSkillRecord(change);
    const [hash, { at, by: actor }] = [recordHash('skill', fixed), change];
    return { mark: `skill#${change.name}#${change.hash}`, leaf: { ...common, kind: 'skill', id, hash, actor, at } };
  });
  return [...ofJobs, ...ofSkills];
};

/** Rows of a feature beside a signal that get leaves, by the beginning of their sort key. */
export interface EvidenceRows {
  readonly prefix: string;
  /** @throws StoredItemError */
  readonly read: (row: Item) => RunnerRecord;
}

/** Each has one leaf, because it never changes. */
const leavesOfRunners = (records: SignalRecords): readonly DueLeaf[] =>
  records.runnerRecords.map(({ kind, id, fixed }): DueLeaf => {
    const leaf = { ...commonOf(records), kind, id, hash: recordHash(kind, fixed), at: fixed.at };
    return { mark: `${kind}#${id.slice(id.lastIndexOf('#') + 1)}`, leaf };
  });

/** Finds the leaves that are due, in the order of their events. */
export const findDueLeaves = (records: SignalRecords, marks: Marks['leaves']): readonly DueLeaf[] => {
  const { signal, envelope, decision, attempts, effects, approvals } = records;
  const common = commonOf(records);
  const all: DueLeaf[] = [...leavesOfOccurrence(records)];
  if (decision !== undefined) {
    const { id, fixed } = buildDecisionRecord(decision, attempts);
    const hash = recordHash('decision', fixed);
    const leaf = { ...common, v: 2, kind: 'decision', id, hash, at: decision.at, envelope } as const;
    all.push({ mark: 'decision', leaf });
  }
  for (const approval of approvals) {
    const { id, fixed } = buildApprovalRecord(approval);
    const { state, decider, decidedAt, spentAt, endedAt, createdAt } = approval;
    const actor = state === 'pending' ? common.actor : (decider ?? SYSTEM);
    const at = spentAt ?? endedAt ?? decidedAt ?? createdAt;
    const hash = recordHash('approval', fixed);
    all.push({ mark: `approval#${id}`, leaf: { ...common, kind: 'approval', id, hash, actor, at, state } });
  }
  for (const effect of effects) {
    const { id, fixed } = buildEffectRecord(signal.id, effect);
    const [hash, at, { state }] = [recordHash('effect', fixed), timeOf(effect, decision), effect];
    all.push({ mark: `effect#${effect.n}`, leaf: { ...common, kind: 'effect', id, hash, at, state } });
  }
  all.push(...leavesOfChanges(records), ...leavesOfRunners(records));
  return all.filter(({ mark, leaf }) => marks[mark]?.hash !== leaf.hash);
};

export const fixCommit = ({ number, signalId, actor, at, changes }: CommitRecord): FixedCommit => ({
  v: 1,
  number,
  signal: signalId,
  actor,
  at,
  changes: changes.map(({ id, oldHash, newHash }) => ({ id, old: oldHash, new: newHash })),
});

/** Tombstones of the objects that a commit forgot: their hash stays as it was. */
export const tombstonesOf = ({ kind, at, signalId, changes }: CommitRecord): readonly FixedTombstone[] =>
  kind === 'forget'
    ? changes.flatMap(({ id, oldHash, newHash }) =>
        newHash !== null && newHash === oldHash
          ? [{ v: 1, object: id, hash: newHash, forgottenAt: at, signal: signalId, covers: [] } as const]
          : [],
      )
    : [];

export const leafOfCommit = (space: string, commit: CommitRecord): Leaf => {
  const fixed = fixCommit(commit);
  const changes: readonly LeafChange[] = fixed.changes;
  return {
    v: 1,
    kind: 'commit',
    space,
    id: String(commit.number),
    hash: recordHash('commit', fixed),
    signal: commit.signalId,
    actor: commit.actor,
    at: commit.at,
    count: changes.length,
    ...(changes.length > LEAF_CHANGES_MAX ? {} : { changes: [...changes] }),
  };
};

export const leafOfTombstone = (space: string, fixed: FixedTombstone, actor: string): Leaf => ({
  v: 1,
  kind: 'tombstone',
  space,
  id: fixed.object,
  hash: recordHash('tombstone', fixed),
  signal: fixed.signal,
  actor,
  at: fixed.forgottenAt,
});

export const leafOfRotation = (
  space: string,
  keys: { readonly oldKey: string; readonly newKey: string },
  id: string,
  at: number,
): Leaf => ({
  v: 1,
  kind: 'rotation',
  space,
  id,
  hash: recordHash('rotation', { v: 1, ...keys }),
  signal: '',
  actor: SYSTEM,
  at,
  ...keys,
});
