/**
 * The rows of jobs beside a signal as the log gives them leaves: versions of jobs, and occurrences.
 * The definition of a job stands beside the fixed part, by its hash. Pure.
 */
import { defined } from '../../core/base/defined.ts';
import { type FixedJob, type FixedOccurrence, jobVersionId } from '../../core/evidence/record-hash.ts';
import type { EvidenceRows } from '../../core/log/due-leaves.ts';
import type { EvidenceRecord } from '../../core/log/evidence-records.ts';
import { type JobVersion, parseJobVersion, type When } from './job.ts';
import { type Occurrence, parseOccurrence } from './occurrence.ts';

/** A rule without a person's words: those stand in the definition alone. */
const fixWhen = (when: When): FixedJob['when'] => {
  switch (when.kind) {
    case 'once':
    case 'every':
    case 'cron':
      return { ...when };
    case 'condition':
      return { kind: when.kind, minutes: when.minutes, from: when.from };
    case 'event':
      return { kind: when.kind };
    default:
      return when satisfies never;
  }
};

/** `<space>/<signal>#<n>`, as actuators know an effect, without the space. */
const withoutSpace = (effectId: string): string => effectId.slice(effectId.indexOf('/') + 1);

export const buildJobRecord = (version: JobVersion): EvidenceRecord<FixedJob> => {
  const { name, n, state, definition, hash, from, by, why, signalId, effectId } = version;
  return {
    id: jobVersionId(name, n),
    fixed: {
      v: 1,
      job: name,
      version: n,
      state,
      definition: hash,
      when: fixWhen(definition.when),
      from,
      by,
      why,
      signal: signalId,
      effect: withoutSpace(effectId),
    },
    content: { definition },
  };
};

export const buildOccurrenceRecord = (signalId: string, one: Occurrence): EvidenceRecord<FixedOccurrence> => {
  const { job, version, kind, instant, after, state, why, lateMs, isShifted, at, closedAt, eventId } = one;
  const given = defined({ after, why, lateMs, isShifted, closedAt, eventId });
  return { id: signalId, fixed: { v: 1, job, version, kind, instant, state, at, ...given } };
};

/** Each version has one leaf, because it never changes. */
const VERSIONS: EvidenceRows = {
  prefix: 'job#',
  read: (row) => {
    const version = parseJobVersion(row);
    const { name, n, by: actor, from: at, state } = version;
    return { mark: `job#${name}#${n}`, leaf: { kind: 'job', actor, at, state }, ...buildJobRecord(version) };
  },
};

const OCCURRENCES: EvidenceRows = {
  prefix: 'occurrence',
  isFirst: true,
  read: (row, signalId) => {
    const occurrence = parseOccurrence(row);
    const { state, closedAt, at } = occurrence;
    const leaf = { kind: 'occurrence', at: closedAt ?? at, state } as const;
    return { mark: 'occurrence', leaf, ...buildOccurrenceRecord(signalId, occurrence) };
  },
};

export const JOB_ROWS: readonly EvidenceRows[] = [OCCURRENCES, VERSIONS];
