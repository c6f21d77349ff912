import { execFileSync } from 'node:child_process';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../infra/bundling.ts';
import { withSettings } from '../../infra/cli/setup/env-file.ts';

describe('withSettings', () => {
  it.each([
    ['an empty file', '', { A: '1' }, 'A=1\n'],
    ['comments and other lines', '# mine\nB=2\n\nA=1 # old\n', { A: '3' }, '# mine\nB=2\n\nA=3\n'],
    ['a file without a last line feed', 'B=2', { A: '1' }, 'B=2\nA=1\n'],
    ['the last of two lines, which wins', 'A=1\nB=2\nA=3\n', { A: '4' }, 'A=1\nB=2\nA=4\n'],
    ['line ends of Windows', 'B=2\r\nA=1\r\n', { A: '4' }, 'B=2\nA=4\n'],
    ['an exported line', 'export A=1\n', { A: '4' }, 'A=4\n'],
    ['JSON', '', { A: '{"a":"b # c"}' }, `A='{"a":"b # c"}'\n`],
    ['both kinds of quotes', '', { A: `it's "so"` }, 'A=`it\'s "so"`\n'],
    ['nothing of a value that is taken out', '# mine\nA=1\nB=2\n', { A: '' }, '# mine\nB=2\n'],
    ['a name that begins alike', 'AB=1\n', { A: '2' }, 'AB=1\nA=2\n'],
  ])('keeps %s', (_, text, settings, expected) => {
    expect(withSettings(text, settings)).toBe(expected);
    for (const [name, value] of Object.entries(settings)) expect(parseEnv(expected)[name] ?? '').toBe(value);
  });

  it.each([
    ['a line feed', '', { A: 'x\ny' }, 'A cannot be written into .env'],
    ['quotes of every kind', '', { A: '\'"`' }, 'A cannot be written into .env'],
    ['a value over several lines', 'A="1\nB=2"\n', { A: '3' }, 'edit it yourself'],
    ['a value whose later lines would stay', 'A=\'{\n"b":1\n}\'\n', { A: '{}' }, 'edit it yourself'],
    ['an earlier line that would win', 'A=1\nA=2\n', { A: '' }, 'edit it yourself'],
  ])('refuses %s', (_, text, settings, words) => {
    expect(() => withSettings(text, settings)).toThrow(words);
  });
});

it('is never committed, nor are a copy of it and a backup', () => {
  const files = ['.env', '.env.before', '.env.new', 'passepartout.backup', 'all.backup.part', '.env.example'];
  const ignored = execFileSync('git', ['check-ignore', ...files], { cwd: ROOT, encoding: 'utf8' });
  expect(ignored.trim().split('\n')).toStrictEqual(files.slice(0, -1));
});
