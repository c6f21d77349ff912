import { describe, expect, it } from 'vitest';
import { describeSkill } from '../../../../lib/core/approvals/describe-skill.ts';
import { REACH_UNKNOWN } from '../../../../lib/core/approvals/say-reach.ts';
import { ProtocolError } from '../../../../lib/core/base/errors.ts';
import { formContext } from '../../../../lib/core/judge/form-context.ts';
import { parseSkill } from '../../../../lib/features/skills/parse-skill.ts';
import type { SkillFile } from '../../../../lib/features/skills/skill-change.ts';
import { describeFile, type SkillText, versionOf } from '../../../../lib/features/skills/skill-files.ts';
import { ADD_SKILL_FORM } from '../../../../lib/features/skills/tools/add-skill-form.ts';
import { describeMarked } from '../../../support/marked.ts';

const skill = (words: string, more: readonly SkillText[] = []): readonly SkillText[] => [
  { path: 'SKILL.md', text: `---\nname: house\ndescription: Rules.\n---\n${words}\n` },
  ...more,
];
const TEA = skill('Drink tea.', [{ path: 'tea.md', text: 'green\n' }]);
const NOTHING_NEW = 'No kind of action becomes possible that was not.';
const hashOf = (files: readonly SkillText[]) => versionOf(files.map(describeFile));

/** The form's lines, with the skill `TEA` in force, which an approver vouched for. */
const told = async (files: readonly object[], trust = 'owner', machineFiles: readonly SkillFile[] = []) => {
  const parsed = parseSkill(TEA);
  if (parsed.kind !== 'skill') throw new Error('it does not load');
  const { definition } = parsed;
  const inForce = {
    name: 'house',
    hash: versionOf([...TEA.map(describeFile), ...machineFiles]),
    trust: 'owner',
    definition,
  };
  const readSkill = async (name: string) => {
    if (name !== 'house') throw new ProtocolError('there is no added skill of this name');
    return { skill: inForce, files: TEA, machineFiles } as never;
  };
  const context = formContext({
    now: 1,
    reply: { target: 'console', to: 'main' },
    reads: { loadLookups: async () => ({ readSkill }) },
  } as never);
  const args = { files: files.map((file) => ({ ...file })), trust } as never;
  const { lines, notable } = await describeMarked(ADD_SKILL_FORM, args, context);
  const whole = lines.findIndex((line) => line.startsWith('Trust: '));
  return { before: lines.slice(0, whole), notable, whole };
};

describe('the card of add-skill', () => {
  it('names each place that it brings, where the card never folds it', async () => {
    const places = 'places:\n  - { name: team, channel: telegram, place: "-1001234" }\n';
    const { notable } = await told([TEA[0] ?? {}, { path: 'passepartout.yaml', text: places }]);
    expect(notable).toContain('It brings the name team for texts: they go to telegram -1001234');
    expect(notable).toContain('Newly possible after your yes to each call: a text to team (telegram -1001234).');
  });

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

  it('names the files that only a machine reads, and which of them are others', async () => {
    const [logo, other] = [
      describeFile({ path: 'logo.png', text: 'a' }),
      describeFile({ path: 'logo.png', text: 'bb' }),
    ];
    const [font, gone] = [describeFile({ path: 'a.ttf', text: 'c' }), describeFile({ path: 'old.gz', text: 'd' })];
    const given = [other, font].map((file) => ({ ...file, isForMachine: true }));
    const { before, notable } = await told([...TEA, ...given], 'owner', [logo, gone]);
    const line = ({ bytes, sha256 }: SkillFile) => `a file for a machine: ${bytes} bytes, SHA-256 ${sha256}`;
    const after = versionOf([...TEA.map(describeFile), other, font]);
    expect(before).toStrictEqual([
      NOTHING_NEW,
      `It changes the skill house: version ${versionOf([...TEA.map(describeFile), logo, gone])} becomes ${after}.`,
      'New file: a.ttf',
      'The difference in logo.png:',
      `-    1 | ${line(logo)}`,
      `+    1 | ${line(other)}`,
      'CHANGED: old.gz is gone',
    ]);
    expect(notable).toStrictEqual([before[1], before[2], before[6]]);
    const whole = describeSkill('add-skill', { files: given, trust: 'owner' }, (text) => text);
    expect(whole?.slice(1)).toStrictEqual(
      given.map(
        ({ path, bytes, sha256 }) =>
          `File ${path}, ${bytes} bytes, SHA-256 ${sha256}: for a machine, and nobody can read it here`,
      ),
    );
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
