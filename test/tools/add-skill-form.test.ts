import { describe, expect, it } from 'vitest';
import { REACH_UNKNOWN } from '../../lib/approvals/say-reach.ts';
import { ProtocolError } from '../../lib/base/errors.ts';
import { formContext } from '../../lib/judge/form-context.ts';
import { parseSkill } from '../../lib/skills/parse-skill.ts';
import { describeFile, type SkillText, versionOf } from '../../lib/skills/skill-files.ts';
import { ADD_SKILL_FORM } from '../../lib/tools/add-skill-form.ts';
import { describeMarked } from '../support/marked.ts';

const skill = (words: string, more: readonly SkillText[] = []): readonly SkillText[] => [
  { path: 'SKILL.md', text: `---\nname: house\ndescription: Rules.\n---\n${words}\n` },
  ...more,
];
const TEA = skill('Drink tea.', [{ path: 'tea.md', text: 'green\n' }]);
const NOTHING_NEW = 'No kind of action becomes possible that was not.';
const hashOf = (files: readonly SkillText[]) => versionOf(files.map(describeFile));

/** The form's lines, with the skill `TEA` in force, which an approver vouched for. */
const told = async (files: readonly object[], trust = 'owner') => {
  const parsed = parseSkill(TEA);
  if (parsed.kind !== 'skill') throw new Error('it does not load');
  const { definition } = parsed;
  const inForce = { name: 'house', hash: hashOf(TEA), trust: 'owner', definition };
  const readSkill = async (name: string) => {
    if (name !== 'house') throw new ProtocolError('there is no added skill of this name');
    return { skill: inForce, files: TEA } as never;
  };
  const context = formContext({ now: 1, reply: { target: 'console', to: 'main' }, reads: { readSkill } } as never);
  const args = { files: files.map((file) => ({ ...file })), trust } as never;
  const { lines, notable } = await describeMarked(ADD_SKILL_FORM, args, context);
  const whole = lines.findIndex((line) => line.startsWith('Trust: '));
  return { before: lines.slice(0, whole), notable, whole };
};

describe('the card of add-skill', () => {
  it('shows what a new version changes, above all of it', async () => {
    const fresh = skill('Drink coffee.', [{ path: 'passepartout.yaml', text: 'trigger: { words: [brew] }\n' }]);
    const changes = `It changes the skill house: version ${hashOf(TEA)} becomes ${hashOf(fresh)}.`;
    const { before, notable } = await told(fresh, 'outside');
    expect(before).toStrictEqual([
      NOTHING_NEW,
      changes,
      'CHANGED trust: outside (before: owner)',
      expect.stringMatching(/^CHANGED trigger: .*"brew"/),
      'The difference in SKILL.md:',
      '     3 | description: Rules.',
      '     4 | ---',
      '-    5 | Drink tea.',
      '+    5 | Drink coffee.',
      '     6 | ',
      'New file: passepartout.yaml',
      'CHANGED: tea.md is gone',
    ]);
    expect(notable).toStrictEqual([...before.slice(1, 4), before[10], before[11]]);
  });

  it.each<[string, readonly object[], readonly string[]]>([
    ['the version in force', TEA, [NOTHING_NEW, 'The skill house is in force in this very version.']],
    ['another skill', [{ path: 'SKILL.md', text: TEA[0]?.text.replace('house', 'garden') ?? '' }], [NOTHING_NEW]],
    ['files that came by hash', TEA.map(describeFile), [REACH_UNKNOWN]],
    ['files that do not load', [{ path: 'SKILL.md', text: 'no frontmatter' }], []],
  ])('says of %s no more than is to say', async (_, files, lines) => {
    expect((await told(files)).before).toStrictEqual(lines);
  });
});
