/** Skills in force, made from a few words: the smallest that tests of the room need. */
import type { ActiveSkill } from '../../../lib/features/skills/active.ts';
import type { SkillTrust } from '../../../lib/features/skills/skill-change.ts';
import { Extension, type SkillDefinition } from '../../../lib/features/skills/skill-definition.ts';
import { describeFile, SKILL_FILE, type SkillText, versionOf } from '../../../lib/features/skills/skill-files.ts';

export const skillText = (name: string, body = 'Do it well.'): SkillText => ({
  path: SKILL_FILE,
  text: `---\nname: ${name}\ndescription: Does ${name}.\n---\n${body}\n`,
});

const { runbooks: _none, ...BARE } = Extension.parse({});

export const definitionOf = (name: string, change: Partial<SkillDefinition> = {}): SkillDefinition => ({
  name,
  description: `Does ${name}.`,
  ...BARE,
  ...change,
});

export const activeSkill = (
  name: string,
  change: Partial<SkillDefinition> = {},
  trust: SkillTrust = 'outside',
): ActiveSkill => {
  const file = describeFile(skillText(name));
  return {
    name,
    hash: versionOf([file]),
    trust,
    by: 'telegram:7',
    at: 1,
    definition: definitionOf(name, change),
    files: { [SKILL_FILE]: file.sha256 },
  };
};
