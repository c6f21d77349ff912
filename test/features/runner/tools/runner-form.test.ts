/** The forms of a runner's tools: which runner, one spelling of each path, and the card's lines. */

import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../../../lib/core/base/errors.ts';
import type { JsonObject } from '../../../../lib/core/base/json.ts';
import { type RunnerToolName, SKILL_FOLDER } from '../../../../lib/core/signal/runner-tools.ts';
import type { FormContext } from '../../../../lib/core/tools/tool.ts';
import type { Runner } from '../../../../lib/features/runner/runners.ts';
import { RUNNER_FORMS } from '../../../../lib/features/runner/tools/runner-form.ts';
import { describeFile, versionOf } from '../../../../lib/features/skills/skill-files.ts';
import { describeMarked } from '../../../support/marked.ts';

const runner = (name: string, changes: Partial<Runner> = {}): Runner => ({
  name,
  publicKey: 'k',
  slot: 1,
  pairedAt: 0,
  pairedBy: 'telegram:7',
  isPaused: false,
  seenAt: 0,
  allow: {
    hash: '0'.repeat(64),
    home: '/home/ada',
    read: ['/home/ada/docs'],
    write: ['/home/ada/site'],
    programs: [],
    hasNetwork: false,
  },
  ...changes,
});

const context = (...runners: readonly Runner[]): FormContext => ({
  now: 0,
  zone: 'UTC',
  reply: { target: 'telegram', to: '7' },
  loadNotes: async () => new Map(),
  readRow: async () => undefined,
  records: { runners: { schemaVersion: 1, round: 1, runners: [...runners] } },
});

const laptop = runner('laptop');
const neverStarted = ({ seenAt: _, ...machine }: Runner): Runner => ({ ...machine, takesFiles: false });
const asleep = runner('server', { isPaused: true });

describe('complete', () => {
  it.each<[RunnerToolName, JsonObject, JsonObject]>([
    ['shell', { cmd: 'ls' }, { cmd: 'ls', runner: 'laptop', folder: '/home/ada/site' }],
    ['shell', { cmd: 'ls', folder: '~' }, { cmd: 'ls', runner: 'laptop', folder: '/home/ada' }],
    ['shell', { cmd: 'ls', folder: 'src/' }, { cmd: 'ls', runner: 'laptop', folder: '/home/ada/site/src' }],
    ['read-file', { path: './a/../b.md' }, { path: '/home/ada/site/b.md', runner: 'laptop' }],
    ['read-file', { path: '../docs/b.md' }, { path: '/home/ada/docs/b.md', runner: 'laptop' }],
    ['read-file', { path: '~/docs//b.md' }, { path: '/home/ada/docs/b.md', runner: 'laptop' }],
    ['read-file', { path: '/etc/%70asswd' }, { path: '/etc/passwd', runner: 'laptop' }],
    ['read-file', { path: '~root/x' }, { path: '~root/x', runner: 'laptop' }],
    ['read-file', { path: 7 }, { path: 7, runner: 'laptop' }],
    ['list-files', { path: '.' }, { path: '/home/ada/site', runner: 'laptop' }],
  ])('fills in %s %j', async (tool, args, expected) => {
    const made = await RUNNER_FORMS[tool].complete(args, context(laptop));
    expect(made).toStrictEqual(expected);
    expect(await RUNNER_FORMS[tool].complete(made, context(laptop))).toStrictEqual(made);
  });

  it('takes the runner that is named, and guesses among none', async () => {
    const named = (of: JsonObject, ...all: readonly Runner[]) =>
      RUNNER_FORMS['list-files'].complete(of, context(...all));
    expect(await named({ path: '/a', runner: 'Laptop ' }, laptop, asleep)).toMatchObject({ runner: 'laptop' });
    expect(await named({ path: '/a' }, laptop, asleep)).toMatchObject({ runner: 'laptop' });
    expect(await named({ path: '/a' }, laptop, runner('server'))).toStrictEqual({ path: '/a' });
    expect(await named({ path: '/a' })).toStrictEqual({ path: '/a' });
  });
});

describe('findProblems', () => {
  it.each<[string, JsonObject, readonly Runner[], readonly string[]]>([
    ['nothing', { path: '/a' }, [laptop], []],
    ['no machine', { path: '/a' }, [], ['no machine is paired: the owner pairs one with /runners pair and a name']],
    [
      'several',
      { path: '/a' },
      [laptop, runner('server')],
      ['runner is missing, and several are paired: laptop, server'],
    ],
    ['another', { path: '/a', runner: 'moon' }, [laptop], ['there is no such runner; paired are laptop']],
    [
      'a paused one',
      { path: '/a', runner: 'server' },
      [laptop, asleep],
      ['server is paused; the owner resumes it with /runners resume server'],
    ],
    ['no path', {}, [laptop], ['path is missing']],
    [
      'a path nobody can read',
      { path: '~root/x' },
      [laptop],
      ['path has no canonical form; give it from / or from ~/'],
    ],
  ])('says what is wrong: %s', async (_, args, runners, expected) => {
    expect(await RUNNER_FORMS['read-file'].findProblems(args, context(...runners))).toStrictEqual(expected);
  });

  it('refuses an edit that changes nothing', async () => {
    const args = { path: '/a', find: 'x', replace: 'x' };
    expect(await RUNNER_FORMS['edit-file'].findProblems(args, context(laptop))).toStrictEqual(['it changes nothing']);
  });
});

describe('a file that is changed', () => {
  const sha256 = 'a'.repeat(64);
  const seeing = (read: string | undefined): FormContext => ({
    ...context(laptop),
    loadReadFile: async (_, path) => (path === read ? { sha256, text: 'x' } : undefined),
  });
  const edit = { path: '/home/ada/site/a.md', find: 'a', replace: 'b' };

  it.each<[RunnerToolName, string | undefined, string, string]>([
    ['write-file', undefined, 'nothing', 'It must not be there yet: else nothing is written.'],
    ['write-file', '/home/ada/site/b.md', 'nothing', 'It must not be there yet: else nothing is written.'],
    ['write-file', edit.path, sha256, `It must still be as it was read, SHA-256 ${sha256}: else nothing is written.`],
    ['edit-file', edit.path, sha256, `It must still be as it was read, SHA-256 ${sha256}: else nothing is written.`],
  ])('is bound by %s to what this turn read: %s', async (tool, read, was, line) => {
    const given = tool === 'edit-file' ? edit : { path: './a.md', content: 'x' };
    // What the model claims does not count.
    const made = await RUNNER_FORMS[tool].complete({ ...given, was: 'b'.repeat(64) }, seeing(read));
    expect(made).toMatchObject({ path: edit.path, was });
    expect(await RUNNER_FORMS[tool].findProblems(made, seeing(read))).toStrictEqual([]);
    expect(await RUNNER_FORMS[tool].describe(made, seeing(read))).toContain(line);
  });

  it('is edited only after it was read', async () => {
    const made = await RUNNER_FORMS['edit-file'].complete(edit, seeing(undefined));
    expect(await RUNNER_FORMS['edit-file'].findProblems(made, seeing(undefined))).toStrictEqual([
      'nobody read this file yet: call read-file with its path and nothing else, then propose this again',
    ]);
  });
});

describe('a command that runs what files say', () => {
  const site = '/home/ada/site';
  const any: Runner = { ...laptop, allow: { ...laptop.allow, programs: ['any'] } };
  const reading = (files: Readonly<Record<string, string>>): FormContext => ({
    ...context(any),
    loadReadFile: async (_, path) => {
      const text = files[path.slice(site.length + 1)];
      return text === undefined || text === 'failed' ? text : { sha256: hash('sha256', text), text };
    },
  });
  const read = async (cmd: string, files: Readonly<Record<string, string>>) => {
    const args = await RUNNER_FORMS.shell.complete({ cmd, unread: ['/x'], scripts: [] }, reading(files));
    const { lines, notable } = await describeMarked(RUNNER_FORMS.shell, args, reading(files));
    return {
      problems: await RUNNER_FORMS.shell.findProblems(args, reading(files)),
      shown: lines.filter((line) => !/^(?:Class|Command|Held|In the folder|On your machine)/.test(line)),
      notable,
    };
  };
  const bound = (text: string): string =>
    `SHA-256 ${hash('sha256', text)}. Only this file is bound, not what it loads or calls.`;
  const json = JSON.stringify({ scripts: { test: 'npm run b && sh x.sh', b: 'make c' } });
  const make = 'c:\n\t./c\n';

  it('shows the very lines, also of the files that these start', async () => {
    expect(await read('npm test', { 'package.json': json, Makefile: make, 'x.sh': '. ./y.sh\n' })).toMatchObject({
      problems: [],
      shown: [
        `Runs what this file says: ${site}/package.json`,
        `${bound(json)} Of it this would run:`,
        '   1 | test: npm run b && sh x.sh',
        '   2 | b: make c',
        `Runs the script: ${site}/x.sh`,
        `${bound('. ./y.sh\n')} It begins:`,
        '   1 | . ./y.sh',
        `Runs what this file says: ${site}/Makefile`,
        `${bound(make)} Of it this would run:`,
        '   1 | c:',
        '   2 | \t./c',
        `Runs whatever these files say when it runs: ${site}/y.sh`,
      ],
      notable: expect.arrayContaining([
        `Runs what this file says: ${site}/package.json`,
        `Runs whatever these files say when it runs: ${site}/y.sh`,
      ]),
    });
  });

  const first = `${site}/package.json says what it runs and was not read yet: call read-file with this path and nothing else, then propose this command again`;
  const whatever = (file: string) => [`Runs whatever these files say when it runs: ${file}`];
  const found = (path: string, text: string) => [`Runs what this file says: ${site}/${path}`, bound(text)];
  it.each<[string, string, Readonly<Record<string, string>>, readonly string[], readonly string[]]>([
    ['it was not read', 'npm test', {}, [first], whatever(`${site}/package.json`)],
    ['it cannot be read', 'npm test', { 'package.json': 'failed' }, [], whatever(`${site}/package.json`)],
    [
      'the name is not in it',
      'make d',
      { Makefile: make },
      [],
      [...found('Makefile', make), ...whatever(`${site}/Makefile`)],
    ],
    ['another may be meant', 'make -C x c', { Makefile: make }, [], whatever('Makefile')],
  ])('says that nobody knows what it runs if %s', async (_, cmd, files, problems, shown) => {
    expect(await read(cmd, files)).toMatchObject({ problems, shown });
  });

  it('takes it for unknown in a step of a runbook, and asks nobody to read', async () => {
    const args = await RUNNER_FORMS.shell.complete({ cmd: 'npm test' }, context(any));
    expect(args).toMatchObject({ unread: [`${site}/package.json`] });
    expect(await RUNNER_FORMS.shell.findProblems(args, context(any))).toStrictEqual([]);
  });
});

describe('a command with the files of a skill', () => {
  const script = { path: 'run.sh', text: 'cat logo.png\n' };
  const [text, logo] = [describeFile(script), { path: 'logo.png', sha256: 'b'.repeat(64), bytes: 7 }];
  const able = runner('laptop', { takesFiles: true, allow: { ...laptop.allow, programs: ['any'] } });
  const having = (machine: Runner): FormContext => ({
    ...context(machine),
    loadReadFile: async () => undefined,
    loadLookups: async () => ({
      readSkill: async (name) => {
        if (name !== 'logos') throw new ProtocolError('there is no added skill of this name');
        return { skill: {} as never, files: [script], machineFiles: [logo] };
      },
    }),
  });
  const given = { cmd: `sh ${SKILL_FOLDER}/run.sh`, skill: 'logos' };
  const whole = {
    ...{ ...given, runner: 'laptop', folder: '/home/ada/site', files: [text, logo] },
    scripts: [{ path: `${SKILL_FOLDER}/run.sh`, sha256: text.sha256, begins: script.text }],
  };
  const NONE = ['there is no added skill gone whose files can be read'];
  const OLD = [
    'the program of the machine laptop is from before files of skills: its owner updates it there and starts it again',
  ];

  it('names each file and shows its script, whatever the model says of them', async () => {
    const claimed = { ...given, files: [{ ...logo, bytes: 1 }], scripts: [] };
    expect(await RUNNER_FORMS.shell.complete(claimed, having(able))).toStrictEqual(whole);
    // Without a look at skills, at the last mile, what was asked about stays.
    const { loadLookups: _, loadReadFile: _read, ...late } = having(able);
    expect(await RUNNER_FORMS.shell.complete(whole, late)).toStrictEqual(whole);
    const lines = await RUNNER_FORMS.shell.describe(whole, having(able));
    expect(lines).toContain(`Runs the script: ${SKILL_FOLDER}/run.sh`);
    expect(lines).toContain(
      `Finds the files of the skill logos in ${SKILL_FOLDER}, read-only: 2, with ${text.bytes + 7} bytes, version ${versionOf([text, logo])}`,
    );
  });

  it.each<[string, JsonObject, Runner, readonly string[]]>([
    ['nothing', given, able, []],
    ['another skill', { ...given, skill: 'gone' }, able, NONE],
    ['an older program', given, { ...able, takesFiles: false }, OLD],
    ['a machine that never started', given, neverStarted(able), []],
    ['another skill, with files that the model names', { ...given, skill: 'gone', files: [logo] }, able, NONE],
    ['a launcher’s file of the skill', { ...given, cmd: 'make c', folder: SKILL_FOLDER }, able, []],
    [
      'a script that the skill has not',
      { ...given, cmd: `sh ${SKILL_FOLDER}/x.sh` },
      able,
      [expect.stringContaining('the script that it runs was not read yet')],
    ],
  ])('says what is wrong: %s', async (_, args, machine, expected) => {
    const made = await RUNNER_FORMS.shell.complete(args, having(machine));
    expect(await RUNNER_FORMS.shell.findProblems(made, having(machine))).toStrictEqual(expected);
  });
});

describe('describe', () => {
  const lines = (tool: RunnerToolName, args: JsonObject) => RUNNER_FORMS[tool].describe(args, context(laptop));

  it('shows a file whole, with its size and hash', async () => {
    expect(await lines('write-file', { path: '/a.md', content: 'one\ntwo\n', runner: 'laptop' })).toStrictEqual([
      'Writes the file: /a.md',
      'Whatever is in it by then is replaced.',
      '8 bytes, SHA-256 c3f9c8c283a2b1f2f1896f27a01cbe3cddc0c9d93f752e4639035a0f5b36f6e8:',
      '   1 | one',
      '   2 | two',
      '   3 | ',
      'On your machine: laptop',
    ]);
  });

  it('says how much of a long file it does not show', async () => {
    const shown = await lines('write-file', { path: '/a', content: 'abcdefgh\n'.repeat(1_000), runner: 'laptop' });
    expect(shown.join('\n').length).toBeLessThan(2_300);
    expect(shown.at(-2)).toMatch(/^… and \d+ more lines, which are not shown\. The hash is that of the whole\.$/);
  });

  it('shows an edit as a difference', async () => {
    expect(await lines('edit-file', { path: '/a', find: 'x\ny', replace: 'z', runner: 'laptop' })).toStrictEqual([
      'Changes the file: /a',
      '- x',
      '- y',
      '+ z',
      'On your machine: laptop',
    ]);
  });
});
