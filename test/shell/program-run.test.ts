/** Reads the words of a run: its program, its flags and its operands. */

import { describe, expect, it } from 'vitest';
import { isOption, nameOf, operandsOf, PROCESS_FILE, programOf, UNKNOWN } from '../../lib/shell/program-run.ts';

describe('programOf', () => {
  it.each([
    [undefined, ''],
    ['', ''],
    ['ls', 'ls'],
    ['/usr/bin/RM', 'rm'],
    ['C:/x/Format.EXE', 'format'],
    ['a.exe.md', 'a.exe.md'],
    ['bin/', ''],
  ])('takes %j for %j', (word, program) => {
    expect(programOf(word)).toBe(program);
  });

  it('is the name of a run, also of one without words', () => {
    const run = { redirects: [], upstream: [], substituted: [] };
    expect(nameOf({ ...run, words: ['/bin/ls', 'rm'] })).toBe('ls');
    expect(nameOf({ ...run, words: [] })).toBe('');
  });
});

describe('marks of what nobody knows', () => {
  it('are two characters that no command has', () => {
    expect([UNKNOWN, PROCESS_FILE]).toStrictEqual(['\ue000', '\ue002']);
  });
});

describe('isOption', () => {
  it.each([
    ['-', false],
    ['-x', true],
    ['--', true],
    ['x-', false],
    ['', false],
  ])('judges %j: %j', (word, isOne) => {
    expect(isOption(word)).toBe(isOne);
  });
});

describe('operandsOf', () => {
  it.each([
    [['rm'], []],
    [
      ['rm', '-rf', 'a', '-', 'b'],
      ['a', '-', 'b'],
    ],
    [
      ['rm', '-f', 'a', '--', '-b', '--', 'c'],
      ['a', '-b', '--', 'c'],
    ],
    [['--', 'a'], ['a']],
    [['rm', '--'], []],
  ])('leaves of %j: %j', (words, operands) => {
    expect(operandsOf(words)).toStrictEqual(operands);
  });
});
