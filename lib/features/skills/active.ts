/**
 * The added skills in force: one small record of the space, which every turn reads. It holds all
 * that a prompt needs but the texts. It is authority, not memory (I14): only an approver's yes to
 * `add-skill` or `remove-skill` changes it. A record that cannot be read puts no skill in force.
 */
import * as z from 'zod/mini';
import { asText } from '../../core/base/json.ts';
import type { Item } from '../../core/store/table.ts';
import { Sha256, SkillName, SkillTrust } from './skill-change.ts';
import { SkillDefinition } from './skill-definition.ts';
import { SKILL_FILE } from './skill-files.ts';

export const ActiveSkill = z.strictObject({
  name: SkillName,
  /** The version. */
  hash: Sha256,
  trust: SkillTrust,
  /** The person who added it, and the time (epoch milliseconds). */
  by: z.string(),
  at: z.int(),
  definition: SkillDefinition,
  /** Hashes of `SKILL.md` and of the files of its code and runbooks, by path. */
  files: z.record(z.string(), Sha256),
});
export type ActiveSkill = z.infer<typeof ActiveSkill>;

const ActiveSkills = z.object({
  schemaVersion: z.literal(1),
  /** Raised by each change, so that no two changes start from the same reading. */
  round: z.int(),
  skills: asText(z.array(ActiveSkill)),
});
export type ActiveSkills = z.infer<typeof ActiveSkills>;

export const NO_SKILLS: ActiveSkills = { schemaVersion: 1, round: 0, skills: [] };

/** Undefined if this release cannot read it. */
export const readActiveSkills = (item: Item | undefined): ActiveSkills | undefined =>
  item === undefined ? NO_SKILLS : ActiveSkills.safeParse(item).data;

/** Hash of the file that holds the skill's instructions. */
export const skillFileOf = ({ files }: ActiveSkill): string => files[SKILL_FILE] ?? '';
