/** The id and time of a record, and whether it can have come of what its leaf says. */
import {
  earlierForms,
  effectId,
  type FixedEffect,
  type FixedOccurrence,
  jobVersionId,
  recordHash,
  skillChangeId,
} from '../record-hash.ts';
import type { LastLeaf } from './leaves.ts';
import type { AnyFixed } from './record-forms.ts';

/** Time of the record's last change: past the merge delay the log must have it as it stands. */
export const changedAt = ({ kind, record }: AnyFixed): number => {
  switch (kind) {
    case 'decision':
    case 'commit':
    case 'skill':
    case 'runner-job':
    case 'runner-receipt':
    case 'runner-result':
      return record.at;
    case 'occurrence':
      return Math.max(record.at, record.closedAt ?? 0);
    case 'job':
      return record.from;
    case 'effect':
      return Math.max(record.claimedAt ?? 0, record.settledAt ?? 0);
    case 'approval':
      return Math.max(record.createdAt, record.decidedAt ?? 0, record.spentAt ?? 0, record.endedAt ?? 0);
    case 'tombstone':
      return record.forgottenAt;
    default:
      return kind satisfies never;
  }
};

/** An occurrence outside the rule has a further word in its id. */
const occurrenceIdOf = ({ job, kind, instant }: FixedOccurrence, given: string): string => {
  const id = `job-${job}-${instant}`;
  return kind !== 'rule' && given.startsWith(`${id}:`) ? given : id;
};

/** @param given the id that the line says */
export const idOf = ({ kind, record }: AnyFixed, given: string): string => {
  switch (kind) {
    case 'decision':
      return record.signalId;
    case 'effect':
      return effectId(record.signalId, record.n);
    case 'approval':
      return record.ref;
    case 'commit':
      return String(record.number);
    case 'tombstone':
      return record.object;
    case 'occurrence':
      return occurrenceIdOf(record, given);
    case 'job':
      return jobVersionId(record.job, record.version);
    case 'skill':
      return skillChangeId(record.signal, record.skill, record.version);
    case 'runner-job':
      return record.job.id;
    case 'runner-receipt':
    case 'runner-result':
      return record.effect;
    default:
      return kind satisfies never;
  }
};

/** States from which a person may have an effect performed. */
const REOPENED: readonly string[] = ['suspended', 'unknown', 'failed'];

/** Whether it was claimed again, or settled by a person: that overwrites the claim before it. */
const isTakenUp = ({ tries, resolution }: FixedEffect, state: string): boolean =>
  state === 'claimed' && (tries > 1 || resolution !== undefined);

/**
 * Whether the record can have become what it is from what its leaf says: then only the log is
 * behind. Another claim overwrites facts and trace, so that no earlier form can be made out then.
 */
export const isLaterForm = ({ kind, record }: AnyFixed, leaf: Pick<LastLeaf, 'state' | 'hash'>): boolean => {
  const isOpen = kind === 'effect' && (REOPENED.includes(leaf.state) || isTakenUp(record, leaf.state));
  return isOpen || earlierForms(kind, record).some((form) => recordHash(kind, form) === leaf.hash);
};
