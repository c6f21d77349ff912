/**
 * `npx passepartout verify` as a person or script uses it: the real program on real files, without
 * any stack.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../infra/bundling.ts';
import {
  type Built,
  buildExport,
  buildWorld,
  FIRST_KEY,
  FORGERS_KEY,
  SECOND_KEY,
  textOf,
} from '../core/evidence/export-world.ts';
import { CHILD_ENV } from '../support/child-env.ts';

let folder: string;
let built: Built;
const KEY = textOf(FIRST_KEY);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'passepartout-verify-'));
  built = buildExport(buildWorld(60));
  writeFileSync(join(folder, 'good.jsonl'), `${built.lines.join('\n')}\n`);
  const bare = built.lines.filter((line) => !line.startsWith('{"type":"gate-set"'));
  writeFileSync(join(folder, 'bare.jsonl'), `${bare.join('\n')}\n`);
  writeFileSync(join(folder, 'unended.jsonl'), built.lines.join('\n'));
  writeFileSync(join(folder, 'bad.jsonl'), built.lines.join('\n').replaceAll('sent 33', 'sent 34'));
  writeFileSync(join(folder, 'endless.jsonl'), `{"type":"header","x":"${'x'.repeat(6_000_000)}`);
  writeFileSync(join(folder, 'empty.jsonl'), '');
  writeFileSync(join(folder, 'cut.jsonl'), built.lines.join('\n').slice(0, -100));
  const world = buildWorld(80);
  const newer = buildExport(world);
  writeFileSync(join(folder, 'newer.txt'), newer.anchor);
  // As exported before the log got its second key, and before anything was forgotten.
  const size = world.leaves.findIndex(({ id }) => id === 'con-4');
  const first = {
    ...world,
    leaves: world.leaves.slice(0, size),
    records: world.records.filter(({ leaf }) => leaf !== undefined && leaf < size),
    sizes: [size],
  };
  writeFileSync(join(folder, 'first-key.jsonl'), `${buildExport(first).lines.join('\n')}\n`);
  writeFileSync(join(folder, 'second-key.txt'), buildExport(world, [SECOND_KEY]).anchor);
  const hidden = built.lines.map((line) =>
    line.includes('"kind":"decision","id":"con-12"')
      ? line.replace(/"action":\{.*?\},"facts"/, '"isWithheld":true,"facts"')
      : line,
  );
  writeFileSync(join(folder, 'hidden.jsonl'), `${hidden.join('\n')}\n`);
  writeFileSync(join(folder, 'anchor.txt'), built.anchor);
  writeFileSync(join(folder, 'key.txt'), `${KEY}\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...words: readonly string[]) => {
  const program = join(ROOT, 'infra/cli/passepartout.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'verify', ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...CHILD_ENV, NO_COLOR: '1' },
  });
  return { status, stdout, stderr };
};

describe('passepartout verify', () => {
  it('says verified and exits 0 with a key and an anchor', () => {
    const { status, stdout, stderr } = run('good.jsonl', '--key', KEY, '--anchor', 'anchor.txt');
    expect({ status, stderr }).toStrictEqual({ status: 0, stderr: '' });
    const lines = stdout.split('\n');
    expect(lines[0]).toBe('verified');
    expect(lines[2]).toBe(
      `  ${built.parts.size} leaves, 1 checkpoint, ${[...built.parts.records].length} records, root ${built.anchor.split('\n')[2]}`,
    );
    expect(lines).toContain(
      '  not covered: a checkpoint before the newest one may be left out, but none of its leaves',
    );
    expect(stdout).not.toContain('older copy');
  });

  it('takes the key from a file, and says what a key alone cannot show', () => {
    const { status, stdout } = run('good.jsonl', '--key', 'key.txt');
    expect(status).toBe(0);
    expect(stdout).toContain('an older copy of the same log would verify too: give --anchor');
  });

  it('says consistent, not authenticated, and exits 3 with neither', () => {
    const { status, stdout } = run('unended.jsonl');
    expect(status).toBe(3);
    expect(stdout.split('\n')[0]).toBe('consistent, not authenticated');
  });

  it('says which part is missing, says nothing of verified, and exits 3', () => {
    const { status, stdout } = run('bare.jsonl', '--key', KEY, '--anchor', 'anchor.txt');
    expect(status).toBe(3);
    expect(stdout).toMatch(
      /^incomplete: what is there agrees, and a part is missing\n {2}Gate set [0-9a-f]{12} is missing, which the decision con-0 names: /,
    );
    expect(stdout).not.toContain('verified');
  });

  it('names the first wrong record and exits 1', () => {
    const { status, stdout } = run('bad.jsonl', '--anchor', 'anchor.txt');
    expect(status).toBe(1);
    expect(stdout).toMatch(/^WRONG: effect con-33#0 \(leaf \d+\): its output was changed\n$/);
  });

  it('gives the same as JSON', () => {
    const { status, stdout } = run('bad.jsonl', '--json');
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'wrong', wrong: { kind: 'effect', id: 'con-33#0' } });
  });

  it.each<[string, readonly string[], number]>([
    ['a key that never signed it', ['good.jsonl', '--key', textOf(FORGERS_KEY)], 1],
    ['something that is no key', ['good.jsonl', '--key', 'a+b'], 2],
    ['something that is no checkpoint', ['good.jsonl', '--anchor', 'key.txt'], 2],
    ['a file without an end of line', ['endless.jsonl'], 1],
    ['a file that is not there', ['none.jsonl'], 2],
    ['an anchor that is not there', ['good.jsonl', '--anchor', 'none.txt'], 2],
    ['no file', [], 2],
  ])('refuses %s', (_, words, code) => {
    const { status, stdout, stderr } = run(...words);
    expect(status).toBe(code);
    expect(code === 1 ? stdout : stderr).not.toBe('');
  });

  it.each<[string, readonly string[], number, RegExp]>([
    ['an empty file', ['empty.jsonl'], 5, /^CUT: file line 0: the file ends here/],
    ['a file that was cut', ['cut.jsonl', '--key', KEY], 5, /^CUT: file line \d+: the file ends here/],
    [
      'an export from before the anchor',
      ['good.jsonl', '--key', KEY, '--anchor', 'newer.txt'],
      4,
      /^older than the anchor: what is there agrees\n {2}The anchor is newer than this export \(\d+ leaves, the file has \d+\): use an older anchor or a newer export\./,
    ],
    [
      'the same without a key',
      ['good.jsonl', '--anchor', 'newer.txt'],
      4,
      /^older than the anchor[\s\S]*the author of the file could have forged all of it: give --key\n/,
    ],
    [
      'an anchor that a later key signed',
      ['first-key.jsonl', '--key', KEY, '--anchor', 'second-key.txt'],
      4,
      /^older than the anchor: what is there agrees\n {2}The anchor is newer than this export \(\d+ leaves, the file has \d+\), and signed by no key that the file knows: use an older anchor or a newer export\.\n/,
    ],
    [
      'a withheld action',
      ['hidden.jsonl', '--anchor', 'anchor.txt'],
      6,
      /^withheld: what is shown agrees, and an action is not shown\n {2}1 action is withheld/,
    ],
  ])('has a word and an exit code for %s, and none of forgery', (_, words, code, said) => {
    const { status, stdout } = run(...words);
    expect({ status, stdout }).toStrictEqual({ status: code, stdout: expect.stringMatching(said) });
    expect(stdout).not.toMatch(/WRONG|^verified/);
  });
});
