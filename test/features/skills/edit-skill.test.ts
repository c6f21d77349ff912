import { describe, expect, it } from 'vitest';
import { loadSandbox } from '../../../lib/core/sandbox/sandbox.ts';
import { applyEdit, diffLines, draftEdit } from '../../../lib/features/skills/edit-skill.ts';
import { describeExamples, runExamples } from '../../../lib/features/skills/skill-examples.ts';
import type { SkillText } from '../../../lib/features/skills/skill-files.ts';
import { definitionOf } from './skill-world.ts';

const sandbox = await loadSandbox();
const GATE = 'function gate(action) {\n  return { verdict: action.tool === "call-webhook" ? "ask" : "pass" };\n}\n';
const HANDLER = 'function handler({ event }) {\n  return { do: [{ say: "Hello " + event.name }] };\n}\n';
const EXAMPLES = `examples:
  - gate: quiet
    action: { target: webhook, tool: call-webhook }
    expect: ask
  - gate: quiet
    action: { tool: recall }
    facts: { origin: outside }
    expect: pass
  - handler: greet
    on: sensor:webhook
    event: { name: Ann }
    expect: { do: [{ say: Hello Ann }] }
`;
const FILES: readonly SkillText[] = [
  { path: 'SKILL.md', text: '---\nname: house\ndescription: Rules.\n---\nWater the plants.\nFeed the cat.\n' },
  {
    path: 'passepartout.yaml',
    text: 'gates: [{ name: quiet, file: quiet.js }]\nhandlers: [{ name: greet, file: greet.js, on: [sensor:webhook] }]\n',
  },
  { path: 'quiet.js', text: GATE },
  { path: 'greet.js', text: HANDLER },
  { path: 'examples.yaml', text: EXAMPLES },
];
const SKILL = definitionOf('house', {
  gates: [{ name: 'quiet', file: 'quiet.js' }],
  handlers: [{ name: 'greet', file: 'greet.js', on: ['sensor:webhook'] }],
});
const edit = (file: string, replace: string, text: string, skill = 'house') => ({ skill, file, replace, with: text });

describe('runExamples', () => {
  const run = (examples: string) =>
    runExamples(sandbox, SKILL, [...FILES.slice(0, 4), { path: 'examples.yaml', text: examples }]);

  it('runs each on the skill’s code', () => {
    const results = runExamples(sandbox, SKILL, FILES);
    expect(results.map(({ problem }) => problem)).toStrictEqual([undefined, undefined, undefined]);
    expect(describeExamples(results)).toBe('all 3 examples pass');
    expect(describeExamples(runExamples(sandbox, SKILL, FILES.slice(0, 4)))).toBe('it has no examples (examples.yaml)');
  });

  it.each([
    ['examples: [{ gate: quiet, action: { tool: recall }, expect: block }]', 'it expects block and got pass'],
    ['examples: [{ gate: other, action: {}, expect: pass }]', 'the skill has no gate other'],
    ['examples: [{ gate: quiet, action: { nonsense: 1 }, expect: pass }]', 'its action is no action'],
    ['examples: [{ gate: quiet, action: {}, facts: { origin: king }, expect: pass }]', 'its facts are no facts'],
    ['examples: [{ handler: greet, on: tick, event: {}, expect: { do: [] } }]', 'it got another answer'],
    ['examples: [{ handler: greet, on: tick, event: 1 }]', 'examples.yaml line 1: '],
    ['examples: 7', 'examples.yaml line 1: '],
    [`examples: [${'{ gate: quiet, action: {}, expect: pass },'.repeat(17)}]`, 'examples.yaml line 1: '],
  ])('says what is wrong: %s', (text, problem) => {
    const results = run(text);
    expect(results.find((one) => one.problem !== undefined)?.problem).toContain(problem);
  });
});

describe('draftEdit', () => {
  it('makes the whole new version, which loads and passes its examples', () => {
    const made = draftEdit(FILES, edit('SKILL.md', 'the plants', 'all plants'), sandbox);
    expect(made).toMatchObject({ kind: 'edited', examples: 'all 3 examples pass' });
    const applied = applyEdit(FILES, edit('SKILL.md', 'the plants', 'all plants'));
    expect(made.kind === 'edited' && applied.kind === 'edited' && made.hash === applied.hash).toBe(true);
  });

  it.each([
    [edit('none.md', 'a', 'b'), 'the skill has no such file; it has SKILL.md, '],
    [edit('SKILL.md', 'The dog', 'b'), 'the text to replace does not stand in SKILL.md'],
    [edit('SKILL.md', 'the', 'a'), 'the text to replace stands in SKILL.md more than once'],
    [edit('SKILL.md', 'the plants', 'the plants'), 'it changes nothing'],
    [edit('SKILL.md', 'name: house', 'name: castle'), 'a change cannot give the skill another name'],
    [edit('SKILL.md', 'name: house', 'nom: house'), 'the new version does not load: SKILL.md line'],
    [edit('passepartout.yaml', 'quiet.js', 'gone.js'), 'the new version does not load: passepartout.yaml line 1'],
    [edit('SKILL.md', 'Feed', 'Feed\u{e0041}'), 'the new version does not load: SKILL.md line 6'],
    [
      edit('quiet.js', '"ask"', '"pass"'),
      'fails its own examples: example 1 (gate quiet): it expects ask and got pass',
    ],
    [edit('quiet.js', 'function gate', 'function gat'), 'fails its own examples: example 1 (gate quiet)'],
    [edit('greet.js', 'return', 'for (;;);'), 'fails its own examples: example 3 (handler greet)'],
    [edit('examples.yaml', 'expect: ask', 'expect: yes'), 'fails its own examples: examples.yaml: '],
  ])('refuses %#', (change, problem) => {
    const made = draftEdit(FILES, change, sandbox);
    expect(made.kind === 'problem' ? made.problem : 'none').toContain(problem);
  });
});

describe('diffLines', () => {
  it.each([
    [
      'a\nb\nc\nd\ne',
      'a\nb\nX\nd\ne',
      ['     1 | a', '     2 | b', '-    3 | c', '+    3 | X', '     4 | d', '     5 | e'],
    ],
    ['a\nb', 'a\nb\nc', ['     1 | a', '     2 | b', '+    3 | c']],
    ['a\na\na', 'a\na', ['     1 | a', '     2 | a', '-    3 | a']],
    ['a', '', ['-    1 | a', '+    1 | ']],
  ])('shows what goes and what comes: %j → %j', (before, after, lines) => {
    expect(diffLines(before, after)).toStrictEqual(lines);
  });
});
