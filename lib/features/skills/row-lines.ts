/** The changes of skills beside a signal, as `/why` says them. */
import type { RowLine } from '../../core/operations/feature-views.ts';
import { parseStored } from '../../core/store/parse-stored.ts';
import { SkillChange } from './skill-change.ts';

const SKILL_HASH_CHARS = 12;

export const skillLine: RowLine = {
  prefix: 'skill#',
  describe: ({ pk: _pk, sk: _sk, ...item }) => {
    const { name, hash, trust, by } = parseStored(item, SkillChange);
    const what = hash === 'removed' ? 'removed' : `version ${hash.slice(0, SKILL_HASH_CHARS)} in force, trust ${trust}`;
    return `Skill ${name}: ${what} (by ${by})`;
  },
};
