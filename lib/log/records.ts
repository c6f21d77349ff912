/**
 * Records as an export holds them: of a signal (its decision, effects, approvals), and of commits with what they forgot. The
 * same forms, and so the same hashes, as the leaves are made of. Pure, but for the reading of tombstones.
 */

import type { RecordKind } from '../evidence/record-hash.ts';
import { buildReader } from '../memory/read.ts';
import { logKeys } from '../store/keys.ts';
import type { Table } from '../store/table.ts';
import { fixCommit, type SignalRecords, tombstonesOf } from './due-leaves.ts';
import {
  buildApprovalRecord,
  buildDecisionRecord,
  buildEffectRecord,
  type EvidenceRecord,
} from './evidence-records.ts';
import { LOG_BATCH_COMMITS_MAX } from './limits.ts';
import { parseLogItem, StoredForgotten } from './stored.ts';

/** A record as an export holds it, without its leaf: the leaves themselves say which one that is. */
export interface LooseRecord extends EvidenceRecord<object> {
  readonly kind: RecordKind;
  /** Its content was erased at the owner's request. */
  readonly isForgotten?: true;
}

export const recordsOfSignal = ({ signal, decision, attempts, effects, approvals }: SignalRecords) => {
  const records: LooseRecord[] = [];
  if (decision !== undefined) {
    const record = buildDecisionRecord(decision, attempts);
    records.push({ kind: 'decision', ...record, ...(record.content === undefined ? { isForgotten: true } : {}) });
  }
  for (const approval of approvals) records.push({ kind: 'approval', ...buildApprovalRecord(approval) });
  for (const effect of effects) {
    const record = buildEffectRecord(signal.id, effect);
    records.push({ kind: 'effect', ...record, ...(record.content === undefined ? { isForgotten: true } : {}) });
  }
  return records;
};

/** Commits after a number, one page, and the tombstones that are theirs. */
export const loadCommitRecords = async (
  table: Pick<Table, 'load' | 'query'>,
  space: string,
  after: number,
): Promise<{ readonly records: readonly LooseRecord[]; readonly last: number; readonly isAll: boolean }> => {
  const reader = buildReader(table, space);
  const { number } = await reader.loadHead();
  const commits = await reader.loadRecords(after + 1, Math.min(number, after + LOG_BATCH_COMMITS_MAX));
  const named = commits.flatMap((commit) => tombstonesOf(commit).map(({ object }) => ({ commit, object })));
  const items = await table.load(
    named.map(({ object }) => logKeys.forgotten(space, object)),
    { isConsistent: true },
  );
  const tombstones = named.flatMap(({ commit, object }, at): readonly { of: number; record: LooseRecord }[] => {
    const item = items[at];
    const stored = item === undefined ? undefined : parseLogItem(item, StoredForgotten);
    if (stored === undefined || stored.commit !== commit.number) return [];
    return [{ of: commit.number, record: { kind: 'tombstone', id: object, fixed: stored.fixed } }];
  });
  const records = commits.flatMap((commit): readonly LooseRecord[] => [
    { kind: 'commit', id: String(commit.number), fixed: fixCommit(commit) },
    ...tombstones.filter(({ of }) => of === commit.number).map(({ record }) => record),
  ]);
  const last = commits.at(-1)?.number ?? after;
  return { records, last, isAll: last >= number };
};
