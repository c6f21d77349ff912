/** The leaves still due: one for each new record, one more for each that changed. Pure. */

import type { Approval } from '../approvals/approval.ts';
import { LEAF_CHANGES_MAX } from '../base/limits.ts';
import type { Leaf, LeafChange } from '../evidence/leaf.ts';
import { type FixedCommit, type FixedTombstone, recordHash } from '../evidence/record-hash.ts';
import type { CommitRecord } from '../memory/commit.ts';
import type { Attempt, Decision, Effect } from '../signal/decision.ts';
import type { Signal } from '../signal/signal.ts';
import type { Item } from '../store/table.ts';
import {
  buildApprovalRecord,
  buildDecisionRecord,
  buildEffectRecord,
  type EvidenceRecord,
} from './evidence-records.ts';
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
  /** Rows of features, in the order of their list. */
  readonly rows: readonly RowRecord[];
}

type Given<One> = One extends Leaf ? Omit<One, 'v' | 'space' | 'id' | 'hash' | 'signal' | 'actor'> : never;

/** The record of a feature's row, and of its leaf the members that are its own. */
export interface RowRecord extends EvidenceRecord<object> {
  readonly mark: string;
  /** @param actor whoever began the signal, if absent */
  readonly leaf: Given<Exclude<Leaf, { kind: 'decision' | 'commit' | 'rotation' }>> & { readonly actor?: string };
  /** Its leaf is before that of the decision. */
  readonly isFirst?: true | undefined;
}

/** Rows of a feature beside a signal that get leaves, by the beginning of their sort key. */
export interface EvidenceRows extends Pick<RowRecord, 'isFirst'> {
  readonly prefix: string;
  /** @throws StoredItemError */
  readonly read: (row: Item, signalId: string) => RowRecord;
}

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

const leafOfRow = (records: SignalRecords, { mark, leaf, id, fixed }: RowRecord): DueLeaf => ({
  mark,
  leaf: { ...commonOf(records), ...leaf, id, hash: recordHash(leaf.kind, fixed) },
});

/** Finds the leaves that are due, in the order of their events. */
export const findDueLeaves = (records: SignalRecords, marks: Marks['leaves']): readonly DueLeaf[] => {
  const { signal, envelope, decision, attempts, effects, approvals, rows } = records;
  const common = commonOf(records);
  const leavesOf = (isFirst: boolean) =>
    rows.filter((row) => (row.isFirst === true) === isFirst).map((row) => leafOfRow(records, row));
  const all: DueLeaf[] = leavesOf(true);
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
  all.push(...leavesOf(false));
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
