import { describe, expect, it } from 'vitest';
import { buildLeaveOut } from '../../lib/actuators/leave-out.ts';
import { OUTPUT_HIDDEN, OUTPUT_WITH_KEY_HIDDEN } from '../../lib/evidence/runner-records.ts';
import { LINE_LEFT_OUT } from '../../lib/text/left-out.ts';

const KEY = 'mk7Rq2xKd9TzB4nWc8YhJ5vLs3PfG6uEaQ1oZ0iXt';
const GITHUB = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
const PEM = [['-----BEGIN', 'PRIVATE KEY-----'].join(' '), 'MIIEvQIBADANBg', '-----END PRIVATE KEY-----'].join('\n');
const SECRETS = new Map([['OPENAI_API_KEY', KEY]]);

describe('buildLeaveOut', () => {
  it.each<[string, string, string, string]>([
    ['no secret', 'a\nb', 'a\nb', 'a\nb'],
    ['a configured secret', `a\n${KEY}`, OUTPUT_HIDDEN, OUTPUT_HIDDEN],
    ['one in colours', KEY.replace(/.{5}/g, '$&\x1b[31m'), OUTPUT_HIDDEN, OUTPUT_HIDDEN],
    [
      'two lines with forms',
      `a\nT=${GITHUB}\nb\n${GITHUB}`,
      `a\n${LINE_LEFT_OUT}\nb\n${LINE_LEFT_OUT}`,
      OUTPUT_WITH_KEY_HIDDEN,
    ],
    ['one line alone', GITHUB, LINE_LEFT_OUT, OUTPUT_WITH_KEY_HIDDEN],
    ['a key of many lines', `a\n${PEM}\nb`, OUTPUT_WITH_KEY_HIDDEN, OUTPUT_WITH_KEY_HIDDEN],
    ['a form over two lines', `secret:\n  ${GITHUB.slice(4)}\nb`, OUTPUT_WITH_KEY_HIDDEN, OUTPUT_WITH_KEY_HIDDEN],
  ])('leaves out what it must of %s', (_, text, expected, signed) => {
    expect(buildLeaveOut(SECRETS)(text)).toBe(expected);
    expect(buildLeaveOut(SECRETS, true)(text)).toBe(signed);
  });
});
