/**
 * The records of an export: each must hash to what its last leaf says, come in the order of the
 * log, and be there if its leaf is. Content that stands beside it must hash to what the record
 * says; where it is gone, a tombstone of the log must cover it. What has no leaf yet, or changed
 * since, must be younger than the merge delay.
 */

import { MERGE_DELAY_MS } from '../../base/limits.ts';
import { CLOCK_SKEW_MS } from '../limits.ts';
import { earlierForms, effectId, type FixedEffect, recordHash } from '../record-hash.ts';
import { checkContent, type Seen } from './check-content.ts';
import type { EffectRules } from './effect-rules.ts';
import { countOf, type Fields, fieldsOf, textOf } from './fields.ts';
import { changesHash, type LastLeaf, type LeafSection } from './leaf-section.ts';
import { type AnyFixed, readFixed } from './read-fixed.ts';
import { fail } from './wrong.ts';

export interface RecordCounts {
  readonly records: number;
  /** Without a leaf, or changed since theirs, within the merge delay. */
  readonly pending: number;
  /** Kind and id of the first of them; empty without one. */
  readonly firstPending: string;
  /** Content erased on the owner's request. */
  readonly forgotten: number;
  /** Actions not shown, because they hold an approval's id. */
  readonly withheld: number;
}

export interface RecordSection {
  readonly add: (line: Fields) => void;
  readonly end: () => void;
  readonly counts: () => RecordCounts;
}

/** When the record last changed: past the merge delay it must be in the log as it stands. */
const changedAt = (fixed: AnyFixed): number => {
  switch (fixed.kind) {
    case 'decision':
    case 'commit':
      return fixed.record.at;
    case 'effect':
      return Math.max(fixed.record.claimedAt ?? 0, fixed.record.settledAt ?? 0);
    case 'approval':
      return Math.max(
        fixed.record.createdAt,
        fixed.record.decidedAt ?? 0,
        fixed.record.spentAt ?? 0,
        fixed.record.endedAt ?? 0,
      );
    case 'tombstone':
      return fixed.record.forgottenAt;
    default:
      return fixed satisfies never;
  }
};

/** States from which a person may have an effect performed. */
const REOPENED: readonly string[] = ['suspended', 'unknown', 'failed'];

/**
 * Claimed again, or settled by a person: also what a claim that was given back said of itself is
 * written over.
 */
const isTakenUp = ({ tries, resolution }: FixedEffect, leaf: Pick<LastLeaf, 'state'>): boolean =>
  leaf.state === 'claimed' && (tries > 1 || resolution !== undefined);

/**
 * Its leaf is of a state that another claim writes over, facts and trace with it: how it stood then
 * cannot be made out any more.
 */
const isOpen = (fixed: AnyFixed, leaf: Pick<LastLeaf, 'state'>): boolean =>
  fixed.kind === 'effect' && (REOPENED.includes(leaf.state ?? '') || isTakenUp(fixed.record, leaf));

const hasEarlierForm = ({ kind, record }: AnyFixed, leaf: Pick<LastLeaf, 'hash'>): boolean =>
  earlierForms(kind, record).some((form) => recordHash(kind, form) === leaf.hash);

/**
 * Whether the record can have become what it is from what its leaf says: then only the log is
 * behind.
 */
export const isLaterForm = (fixed: AnyFixed, leaf: Pick<LastLeaf, 'state' | 'hash'>): boolean =>
  isOpen(fixed, leaf) || hasEarlierForm(fixed, leaf);

const idOf = (fixed: AnyFixed): string => {
  switch (fixed.kind) {
    case 'decision':
      return fixed.record.signalId;
    case 'effect':
      return effectId(fixed.record.signalId, fixed.record.n);
    case 'approval':
      return fixed.record.ref;
    case 'commit':
      return String(fixed.record.number);
    case 'tombstone':
      return fixed.record.object;
    default:
      return fixed satisfies never;
  }
};

export const buildRecordSection = (leaves: LeafSection, rules: EffectRules, exportedAt: number): RecordSection => {
  /** Last leaf of every record that must be here, in order. */
  const due = [...leaves.last]
    .filter(([name]) => !name.startsWith('rotation '))
    .sort(([, a], [, b]) => a.index - b.index);
  let next = 0;
  const counts = { records: 0, pending: 0, firstPending: '', forgotten: 0, withheld: 0 };
  const unlogged = new Set<string>();
  const covered = new Set<string>();
  const erased: Seen[] = [];
  const objects = new Map<string, string | null>();
  let commits = 0;

  const failMissing = (name: string, leaf: LastLeaf): never => {
    const gap = name.indexOf(' ');
    return fail(name.slice(0, gap), name.slice(gap + 1), leaf.index, 'its record is missing');
  };

  /** The leaf the record belongs to. */
  const place = ({ kind, id, index }: Seen): LastLeaf | undefined => {
    const name = `${kind} ${id}`;
    if (index === null) {
      if (leaves.last.has(name)) fail(kind, id, null, 'it says it has no leaf, and has one');
      if (unlogged.has(name)) fail(kind, id, null, 'it is there twice');
      unlogged.add(name);
      return undefined;
    }
    const [dueName, leaf] = due[next] ?? fail(kind, id, index, 'no leaf of the log is left for it');
    if (unlogged.size > 0) fail(kind, id, index, 'it comes after records without a leaf');
    if (index > leaf.index) failMissing(dueName, leaf);
    if (index < leaf.index) fail(kind, id, index, 'it is there twice, out of order, or its leaf is not its last');
    if (dueName !== name) fail(kind, id, index, `its leaf is of another record: ${dueName}`);
    next += 1;
    return leaf;
  };

  const checkHash = ({ kind, id, index }: Seen, fixed: AnyFixed, leaf: LastLeaf | undefined): void => {
    const isLogged = leaf !== undefined && recordHash(kind, fixed.record) === leaf.hash;
    if (isLogged) return;
    if (leaf !== undefined && !isLaterForm(fixed, leaf))
      fail(kind, id, index, 'it was changed: its hash is not the one in the log');
    const at = changedAt(fixed);
    // The clocks of whoever wrote the record and of whoever exports.
    if (at > exportedAt + CLOCK_SKEW_MS) fail(kind, id, index, 'it is younger than the export');
    if (at <= exportedAt - MERGE_DELAY_MS - CLOCK_SKEW_MS)
      fail(
        kind,
        id,
        index,
        leaf === undefined
          ? 'it is older than the merge delay and has no leaf'
          : 'it changed longer ago than the merge delay, and the log does not say so',
      );
    counts.pending += 1;
    if (counts.pending === 1) counts.firstPending = `${kind} ${id}`;
  };

  const checkErasable = (seen: Seen, fixed: AnyFixed, line: Fields): void => {
    const content = fieldsOf(line.content);
    const isErasable = fixed.kind === 'decision' || fixed.kind === 'effect';
    if (Object.hasOwn(line, 'content') && (content === undefined || !isErasable || Object.hasOwn(line, 'isForgotten')))
      fail(seen.kind, seen.id, seen.index, 'it has content where there can be none');
    if (!isErasable && Object.hasOwn(line, 'isForgotten'))
      fail(seen.kind, seen.id, seen.index, 'it is marked as forgotten, and has nothing to forget');
    if (!isErasable) return;
    if (content !== undefined) {
      try {
        counts.withheld += checkContent(seen, fixed, content);
      } catch (error) {
        if (error instanceof Error && error.name === 'ProtocolError')
          fail(seen.kind, seen.id, seen.index, 'its content has no canonical form');
        throw error;
      }
      return;
    }
    if (line.isForgotten !== true)
      fail(seen.kind, seen.id, seen.index, 'its content is missing, and it is not marked as forgotten');
    erased.push(seen);
    counts.forgotten += 1;
  };

  const checkCommit = (seen: Seen, fixed: AnyFixed, leaf: LastLeaf | undefined): void => {
    if (fixed.kind !== 'commit') return;
    const { number, changes } = fixed.record;
    if (number !== commits + 1) fail('commit', seen.id, seen.index, `it follows commit ${commits}`);
    commits = number;
    const isNamed =
      leaf === undefined ||
      (leaf.count === changes.length && (leaf.changes === '' || leaf.changes === changesHash(changes)));
    if (!isNamed) fail('commit', seen.id, seen.index, 'its leaf names other changes');
    for (const change of changes) {
      if (change.old !== (objects.get(change.id) ?? null))
        fail('commit', seen.id, seen.index, `object ${change.id} did not have the hash it says`);
      objects.set(change.id, change.new);
    }
  };

  const tell = (seen: Seen, fixed: AnyFixed): void => {
    const placed = { id: seen.id, index: seen.index };
    if (fixed.kind === 'decision') rules.addDecision({ ...placed, fixed: fixed.record });
    if (fixed.kind === 'effect') rules.addEffect({ ...placed, fixed: fixed.record });
    if (fixed.kind === 'approval') rules.addApproval({ ...placed, fixed: fixed.record });
    if (fixed.kind === 'tombstone') for (const name of fixed.record.covers) covered.add(name);
  };

  return {
    counts: () => ({ ...counts }),
    add: (line) => {
      const index = countOf(line, 'leaf') ?? null;
      const id = textOf(line, 'id') ?? '';
      const fixed = readFixed(textOf(line, 'kind') ?? '', fieldsOf(line.fixed) ?? {});
      if (index === null && Object.hasOwn(line, 'leaf'))
        fail(textOf(line, 'kind') || 'record', id, null, 'its leaf is not a number');
      if (fixed === undefined)
        return fail(textOf(line, 'kind') || 'record', id, index, 'its record does not have a known form');
      const seen = { kind: fixed.kind, id, index };
      if (idOf(fixed) !== id) fail(fixed.kind, id, index, `its record is of ${idOf(fixed)}`);
      const leaf = place(seen);
      checkHash(seen, fixed, leaf);
      checkErasable(seen, fixed, line);
      checkCommit(seen, fixed, leaf);
      tell(seen, fixed);
      counts.records += 1;
    },
    end: () => {
      const missing = due[next];
      if (missing !== undefined) failMissing(missing[0], missing[1]);
      const bare = erased.find(({ kind, id }) => !covered.has(`${kind} ${id}`));
      if (bare !== undefined)
        fail(bare.kind, bare.id, bare.index, 'its content is missing, and no tombstone of the log covers it');
      rules.end();
    },
  };
};
