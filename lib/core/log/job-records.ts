/**
 * Versions of jobs, occurrences and changes of skills as evidence. The definition of a job and the
 * files of a skill stand beside the fixed part, by their hash. Pure.
 */
import { defined } from '../base/defined.ts';
import {
  type FixedJob,
  type FixedOccurrence,
  type FixedSkill,
  jobVersionId,
  skillChangeId,
} from '../evidence/record-hash.ts';
import type { JobVersion, When } from '../jobs/job.ts';
import type { Occurrence } from '../jobs/occurrence.ts';
import type { SkillChange } from '../skills/skill-change.ts';
import type { EvidenceRecord } from './evidence-records.ts';

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

export const buildSkillRecord = ({
  name,
  hash,
  files,
  trust,
  by,
  at,
  signalId,
}: SkillChange): EvidenceRecord<FixedSkill> => ({
  id: skillChangeId(signalId, name, hash),
  fixed: { v: 1, skill: name, version: hash, trust, by, at, signal: signalId },
  content: { files },
});
