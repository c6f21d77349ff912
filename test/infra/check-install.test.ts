/** A fresh checkout, before `npm ci`: what the commands of README say there, and on an old Node. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../infra/bundling.ts';

const folder = mkdtempSync(join(tmpdir(), 'passepartout-fresh-'));
for (const path of ['package.json', 'infra', 'lib']) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Shells of npm find this program of the name `node` first. */
const programs = join(folder, 'programs');
mkdirSync(programs);
/** Stands for an old Node: another version number, and no TypeScript. */
const oldNode = (version: string) => `#!/bin/sh
[ "$1" = --version ] && echo v${version} && exit
exec '${process.execPath}' --no-strip-types --import "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})" "$@"
`;
const THIS = `#!/bin/sh\nexec '${process.execPath}' "$@"\n`;

const run = (program: string, ...words: readonly string[]) => {
  writeFileSync(join(programs, 'node'), program, { mode: 0o755 });
  const path = [programs, dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { PATH: path, HOME: folder, npm_config_offline: 'true' };
  const { status, stdout, stderr } = spawnSync(words[0] ?? '', words.slice(1), { cwd: folder, env, encoding: 'utf8' });
  const said = `${stdout}${stderr}`.split('\n').filter((line) => line !== '' && !/^(> |npm )/.test(line));
  return { status, said };
};

describe('a checkout without its packages', () => {
  it.each([
    [['npm', 'start']],
    [['npm', 'test']],
    [['npm', 'run', 'synth']],
    [['npm', 'run', 'deploy']],
    [['infra/cli/passepartout.js', 'doctor']],
  ])('%j says in one sentence what to do', (words) => {
    expect(run(THIS, ...words)).toStrictEqual({
      status: 2,
      said: [`The packages are not installed: run "npm ci" in ${folder}/ and try again.`],
    });
  });

  it.each([
    ['20.1.0', ['npm', 'start'], /^This needs Node 24, and runs on 20\.1\.0: run "npm ci" in .* and try again\. /],
    ['22.9.0', ['npm', 'start'], /^This needs Node 24, and runs on 22\.9\.0: run "npm ci" in .* and try again\. /],
    ['20.1.0', ['npm', 'test'], /^This needs Node 24, and runs on 20\.1\.0: run "npm ci" in .* and try again\. /],
    ['22.9.0', ['infra/cli/passepartout.js', 'doctor'], /^passepartout needs Node 24 or newer: run "npm ci"/],
  ])('of Node %s %j says so', (version, words, sentence) => {
    const { status, said } = run(oldNode(version), ...words);
    expect(status).toBe(2);
    expect(said).toStrictEqual([expect.stringMatching(sentence)]);
  });
});
