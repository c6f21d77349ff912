import { describe, expect, it } from 'vitest';
import { problemWords } from '../../../lib/core/base/file-problem.ts';
import { parseSkill } from '../../../lib/features/skills/parse-skill.ts';
import type { SkillText } from '../../../lib/features/skills/skill-files.ts';

const FRONT = '---\nname: tidy\ndescription: Tidies things. Use when things lie about.\n---\n';
const skillFile = (text = `${FRONT}# Tidy\n\nPut each thing in its place.\n`): SkillText => ({
  path: 'SKILL.md',
  text,
});
const extension = (text: string): readonly SkillText[] => [skillFile(), { path: 'passepartout.yaml', text }];

const BARE = {
  name: 'tidy',
  description: 'Tidies things. Use when things lie about.',
  priority: 10,
  requires: [],
  trigger: { sensors: [], words: [] },
  tier: 'auto',
  mandates: [],
  jobs: [],
  settings: {},
  gates: [],
  handlers: [],
};

const problems = (files: readonly SkillText[]): readonly string[] => {
  const parsed = parseSkill(files);
  return parsed.kind === 'problems' ? parsed.problems.map(problemWords) : [];
};

describe('parseSkill', () => {
  it('reads a bare SKILL.md', () => {
    expect(parseSkill([skillFile()])).toStrictEqual({
      kind: 'skill',
      definition: BARE,
      body: '# Tidy\n\nPut each thing in its place.',
      remarks: [],
    });
  });

  it('reads webhooks, and refuses addresses that are not plain, and providers', () => {
    const url = 'https://ci.example/hooks/build?team=a';
    expect(parseSkill(extension(`targets: [{ name: build, url: "${url}" }]`))).toMatchObject({
      definition: { targets: [{ name: 'build', url }] },
    });
    const wrong = (line: string) => problems(extension(line)).join();
    const target = (members: string) => wrong(`targets: [{ name: build, ${members} }]`);
    expect(target('url: "http://ci.example/"')).toContain('must be an https address');
    expect(target('url: "https://a:b@ci.example/"')).toContain('must hold no user name, password, fragment');
    expect(target('url: "https://ci.example/?x={x}"')).toContain('or field');
    expect(target(`url: "${url}", secret: whsec_x`)).toContain('unknown member secret');
    expect(wrong(`targets: [{ name: a, url: "${url}" }, { name: a, url: "${url}" }]`)).toContain('named twice');
    expect(wrong('providers: [{ name: x, baseUrl: "https://x.example" }]')).toContain(
      'providers cannot come with a skill: prompts and keys would go to the address in a file',
    );
  });

  it('reads every field of the frontmatter, with the line ends of other systems', () => {
    const text = [
      '---',
      'name: pdf-2-text',
      'description: >-',
      '  Reads PDFs.',
      '  Use when a PDF comes.',
      'license: Apache-2.0',
      'compatibility: Needs pdftotext',
      'metadata:',
      '  author: somebody',
      '  version: 1.5',
      'allowed-tools: Bash(git add:*) Read, Grep',
      '---',
      'Body --- with dashes',
      '---',
    ].join('\r\n');
    expect(parseSkill([skillFile(text)])).toStrictEqual({
      kind: 'skill',
      definition: {
        ...BARE,
        name: 'pdf-2-text',
        description: 'Reads PDFs. Use when a PDF comes.',
        license: 'Apache-2.0',
        compatibility: 'Needs pdftotext',
        metadata: { author: 'somebody', version: '1.5' },
        allowedTools: ['Bash(git add:*)', 'Read', 'Grep'],
      },
      body: 'Body --- with dashes\r\n---',
      remarks: [],
    });
  });

  it('passes over members that other programs add to the frontmatter', () => {
    const text = '---\nname: tidy\ndescription: Tidies.\nversion: 2\nauthor: { name: Ada }\n---\nPut it away.\n';
    expect(parseSkill([{ path: 'SKILL.md', text }])).toMatchObject({ kind: 'skill', definition: { name: 'tidy' } });
  });

  it('reads passepartout.yaml', () => {
    const text = [
      'priority: 40',
      'requires: [notes]',
      'trigger:',
      '  sensors: [webhook]',
      '  words: [tidy up, "clear … table"]',
      '  schedule: { cron: "0 9 * * 1-5", zone: Europe/Berlin }',
      'tier: reasoning',
      'tools: [recall, mcp-github-*]',
      'mandates: ["Ask {{owner}} before you throw away {{settings.what}}."]',
      'settings: { what: { meaning: what to ask about, default: books } }',
      'jobs: [{ name: weekly, cron: "0 8 * * 1", prompt: Tidy up. }]',
      'gates: [{ name: no-fire, file: gates/no-fire.js }]',
      'handlers: [{ name: sweep, file: gates/no-fire.js, on: [tick, "error:pipeline"] }]',
    ].join('\n');
    const files = [...extension(text), { path: 'gates/no-fire.js', text: 'x' }];
    expect(parseSkill(files)).toMatchObject({
      kind: 'skill',
      definition: {
        priority: 40,
        trigger: { words: ['tidy up', 'clear … table'], schedule: { cron: '0 9 * * 1-5', zone: 'Europe/Berlin' } },
        tools: ['recall', 'mcp-github-*'],
        gates: [{ name: 'no-fire', file: 'gates/no-fire.js' }],
        handlers: [{ name: 'sweep', file: 'gates/no-fire.js', on: ['tick', 'error:pipeline'] }],
      },
    });
  });

  it.each<[string, readonly SkillText[], readonly string[]]>([
    ['no SKILL.md', [{ path: 'skill.md', text: FRONT }], ['SKILL.md: it is missing: every skill has one, so spelled']],
    [
      'no frontmatter',
      [skillFile('# Tidy\n')],
      ['SKILL.md line 1: it must begin with a block of YAML between two lines "---"'],
    ],
    [
      'names and fields that do not fit, all at once',
      [skillFile('---\nname: 整理\ndescription: ""\nversion: 2\n---\n')],
      [
        'SKILL.md line 2: name must be lower-case words of letters and digits, joined by -, 64 characters at most',
        'SKILL.md line 3: description must not be empty',
      ],
    ],
    [
      'wrong lines of both files',
      [
        skillFile('---\nname: tidy\n---\n'),
        {
          path: 'passepartout.yaml',
          text: 'tier: huge\ntrigger:\n  words:\n    - "a"\n    - 7\nmandates: ["{{secret}}"]\n',
        },
      ],
      [
        'SKILL.md line 2: description is missing',
        'passepartout.yaml line 1: tier must be one of auto, cognition, reasoning',
        'passepartout.yaml line 5: trigger.words.1 must be a string',
      ],
    ],
    [
      'facts, files and names that are not there',
      extension(
        'mandates:\n  - fine\n  - "{{secret}}"\ngates:\n  - { name: a, file: a.js }\n  - { name: a, file: SKILL.md }\n',
      ),
      [
        'passepartout.yaml line 5: there is no file a.js',
        'passepartout.yaml line 6: a is named twice in gates',
        'passepartout.yaml line 3: there is no fact {{secret}}: owner, assistant, zone, settings.<name>',
      ],
    ],
    [
      'jobs that cannot be made',
      extension('tier: auto\njobs: [{ name: weekly, cron: "8 o clock", prompt: Tidy. }]\n'),
      [
        'passepartout.yaml line 2: "8 o clock" is no cron rule: give minute, hour, day of month, month and day of week, such as 0 8 * * 1-5',
      ],
    ],
    [
      'aliases',
      extension('requires: &a [x]\ntools: *a\n'),
      ['passepartout.yaml line 1: aliases (&, *) are not allowed'],
    ],
    ['tags', extension('tier: !secret auto\n'), ['passepartout.yaml line 1: tags (!) are not allowed']],
    ['a key twice', extension('tier: auto\ntier: auto\n'), ['passepartout.yaml line 2: a key is given twice']],
    ['no YAML', extension('tier: [\n'), ['passepartout.yaml line 2: its indentation does not fit']],
    [
      'a flood of brackets',
      extension(`tier: ${'['.repeat(30_000)}`),
      ['passepartout.yaml line 1: it is nested too deeply'],
    ],
    [
      'hidden characters and paths',
      [
        skillFile(`${FRONT}line\nho\u200bho\n`),
        { path: '../x', text: '' },
        { path: '.env', text: '' },
        { path: 'A.md', text: '' },
        { path: 'a.md', text: '' },
      ],
      [
        '../x: its path must be relative, of plain names, without hidden files',
        '.env: its path must be relative, of plain names, without hidden files',
        'a.md: there are two such files',
        'SKILL.md line 6: it holds a character that nobody sees: \\u{200b}',
      ],
    ],
    [
      'too much',
      [skillFile(), ...Array.from({ length: 128 }, (_, n) => ({ path: `${n}.md`, text: 'x'.repeat(17_000) }))],
      [
        'the folder: it holds 129 files, and 128 are allowed',
        'the folder: it holds 2176111 bytes, and 2097152 are allowed',
      ],
    ],
  ])('names %s', (_, files, expected) => {
    expect(problems(files)).toStrictEqual(expected);
  });

  it('reads the runbooks that it lists, and names what is wrong in their files', () => {
    const file = (path: string, name: string, text: string): SkillText => ({
      path,
      text: `name: ${name}\ndescription: Says it.\nsteps: [{ text: "${text}" }]\n`,
    });
    const listed = extension('runbooks: [a.yaml, b.yaml]\n');
    expect(parseSkill([...listed, file('a.yaml', 'one', 'hi'), file('b.yaml', 'two', 'hi')])).toMatchObject({
      kind: 'skill',
      definition: {
        runbooks: [
          { name: 'one', description: 'Says it.', file: 'a.yaml' },
          { name: 'two', description: 'Says it.', file: 'b.yaml' },
        ],
      },
    });
    expect(problems([...listed, file('a.yaml', 'one', '{{inputs.x}}')])).toStrictEqual([
      'a.yaml line 3: there is no input x',
      'passepartout.yaml line 1: there is no file b.yaml',
    ]);
    expect(problems([...listed, file('a.yaml', 'one', 'hi'), file('b.yaml', 'one', 'hi')])).toStrictEqual([
      'passepartout.yaml line 1: there are two runbooks one',
    ]);
  });
});
