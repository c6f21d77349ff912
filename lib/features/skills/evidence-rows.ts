/** The changes of skills beside a signal, as the log gives them leaves. Pure. */
import { type FixedSkill, skillChangeId } from '../../core/evidence/record-hash.ts';
import type { EvidenceRows } from '../../core/log/due-leaves.ts';
import type { EvidenceRecord } from '../../core/log/evidence-records.ts';
import { parseStored } from '../../core/store/parse-stored.ts';
import { SkillChange } from './skill-change.ts';

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

export const SKILL_ROWS: EvidenceRows = {
  prefix: 'skill#',
  read: ({ pk: _pk, sk: _sk, ...row }) => {
    const change = parseStored(row, SkillChange);
    const { name, hash, at, by: actor } = change;
    return { mark: `skill#${name}#${hash}`, leaf: { kind: 'skill', actor, at }, ...buildSkillRecord(change) };
  },
};
