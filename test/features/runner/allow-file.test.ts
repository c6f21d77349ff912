/** `runner.yaml`: every fault with its line, and the one spelling of each folder. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { ALLOW_EXAMPLE } from '../../../infra/runner/allow-example.ts';
import { parseAllowFile } from '../../../infra/runner/allow-file.ts';

const root = realpathSync(mkdtempSync('/var/tmp/allow-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const home = join(root, 'home');
const runnerFolder = join(home, '.passepartout-runner', 'den');
for (const folder of [runnerFolder, join(home, 'site'), join(home, '.ssh'), join(home, '.passepartout', 'x')])
  mkdirSync(folder, { recursive: true });
writeFileSync(join(home, 'file'), '');
symlinkSync(join(home, 'site'), join(home, 'link'));

const parse = (text: string) => parseAllowFile(text, 'runner.yaml', { home, runnerFolder });
const problemsOf = (text: string): readonly string[] => {
  const read = parse(text);
  return read.kind === 'problems' ? read.problems.map(({ line, problem }) => `${line}: ${problem}`) : [];
};

describe('parseAllowFile', () => {
  it('reads folders in one spelling, and fills in what is left out', () => {
    const text =
      'folders:\n  write:\n    - ~/site/../site/\nprograms: [git push, npm, ~/site/x.sh]\nnetwork: true\ntime: 90s\n';
    expect(parse(text)).toMatchObject({
      kind: 'allowed',
      allowed: {
        home,
        read: [],
        write: [join(home, 'site')],
        programs: ['git push', 'npm', join(home, 'site/x.sh')],
        hasNetwork: true,
        limits: { timeMs: 90_000, memoryBytes: 2 ** 30, processes: 64, fileBytes: 100 * 2 ** 20, outputBytes: 2 ** 24 },
      },
    });
  });

  it.each([
    ['', ['any']],
    ['programs: any\n', ['any']],
    ['programs: []\n', []],
  ])('knows which programs may run: %j', (line, programs) => {
    expect(parse(`time: 1m\n${line}`)).toMatchObject({ kind: 'allowed', allowed: { programs } });
  });

  it('reads its own example, which allows nothing', () => {
    expect(parse(ALLOW_EXAMPLE)).toMatchObject({
      kind: 'allowed',
      allowed: { read: [], write: [], hasNetwork: false },
    });
  });

  it.each([
    ['/', 'a folder of the system'],
    ['/etc/nginx', 'a folder of the system'],
    ['/tmp', 'a folder of the system'],
    ['~', 'your whole home folder'],
    ['/var/tmp', 'your whole home folder'],
    ['~/.ssh', 'a directory of credentials'],
    ['~/.passepartout/x', 'a directory of credentials'],
    ['~/.passepartout-runner', "the runner's own folder"],
    ['~/missing', 'does not exist'],
    ['~/file', 'no folder'],
    ['~/link', 'through a symbolic link: name '],
    ['site', 'give the whole path'],
  ])('refuses the folder %s: %s', (folder, problem) => {
    expect(problemsOf(`folders:\n  write: []\n  read:\n    - '${folder}'\n`)).toStrictEqual([
      expect.stringMatching(new RegExp(`^4: ${folder.replace('/', '\\/')}: .*${problem}`)),
    ]);
  });

  it('refuses to let jobs change what the runner itself runs, and lets them read it', () => {
    const own = fileURLToPath(new URL('../../../infra', import.meta.url));
    expect(problemsOf(`folders:\n  read: ['${own}']\n  write: ['${own}']\n`)).toStrictEqual([
      expect.stringMatching(/^3: .*programs of the runner itself/),
    ]);
  });

  it.each([
    ['time: 31m', 'an order may take 30m at most'],
    ['time: soon', 'give a time such as 5m'],
    ['memory: 1KB', 'no program runs with less than 64MB'],
    ['output: much', 'give a size such as 16MB'],
    ['programs: ["rm; ls"]', 'give a name, a name and a subcommand, or the path of a program'],
    ['programs: [~/site/x.sh]', 'no folder above holds this program'],
    ['programs: [/etc/../usr/x]', 'no folder above holds this program'],
    ['processes: 0', 'processes'],
    ['netwrok: true', 'netwrok'],
  ])('refuses %s', (line, problem) => {
    expect(problemsOf(`# first line\n${line}\n`).join()).toMatch(new RegExp(`^2: .*${problem}`));
  });
});
