import { describe, expect, it } from 'vitest';
import { buildLeaveOut } from '../../../lib/core/actuators/leave-out.ts';
import { OUTPUT_HIDDEN, OUTPUT_WITH_KEY_HIDDEN } from '../../../lib/core/evidence/runner-records.ts';
import { LINE_LEFT_OUT } from '../../../lib/core/text/left-out.ts';

const KEY = 'mk7Rq2xKd9TzB4nWc8YhJ5vLs3PfG6uEaQ1oZ0iXt';
const GITHUB = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
const PEM = [['-----BEGIN', 'PRIVATE KEY-----'].join(' '), 'MIIEvQIBADANBg', '-----END PRIVATE KEY-----'].join('\n');
const SECRETS = new Map([['OPENAI_API_KEY', KEY]]);

describe('buildLeaveOut', () => {
  it.each<[string, string, string, string]>([
    ['no secret', 'a\nb', 'a\nb', 'a\nb'],
    ['a configured secret', `a\nkey: ${KEY} b`, `a\nkey: ${LINE_LEFT_OUT} b`, OUTPUT_HIDDEN],
    [
      'one whose few last letters are on the next line',
      `a ${KEY.slice(0, -3)}\n${KEY.slice(-3)} b`,
      `a ${LINE_LEFT_OUT}\n${LINE_LEFT_OUT} b`,
      OUTPUT_HIDDEN,
    ],
    [
      'one whose few first letters are on the line before',
      `a ${KEY.slice(0, 3)}\n${KEY.slice(3)} b`,
      `a ${LINE_LEFT_OUT}\n${LINE_LEFT_OUT} b`,
      OUTPUT_HIDDEN,
    ],
    ['one in many pieces', KEY.replace(/.{4}/g, '$&\n'), OUTPUT_HIDDEN, OUTPUT_HIDDEN],
    [
      'one in JSON',
      JSON.stringify({ ids: ['a', 1], text: `Turn 1\nmy key is ${KEY}, my bike is blue` }),
      JSON.stringify({ ids: ['a', 1], text: `Turn 1\nmy key is ${LINE_LEFT_OUT} my bike is blue` }),
      OUTPUT_HIDDEN,
    ],
    ['one in a key of JSON', JSON.stringify({ [KEY]: 'a' }), OUTPUT_HIDDEN, OUTPUT_HIDDEN],
    ['more than anybody would look through', `${KEY}\n`.repeat(101), OUTPUT_HIDDEN, OUTPUT_HIDDEN],
    ['one in colours', KEY.replace(/.{5}/g, '$&\x1b[31m'), LINE_LEFT_OUT, OUTPUT_HIDDEN],
    ...Object.entries({
      'in colours that JSON spells out': (char: string) => JSON.stringify(`\x1b[31m${char}`).slice(1, -1),
      'in colours that cat -v spells out': (char: string) => `^[[1;31m${char}`,
      'in colours of one byte': (char: string) => `\x9b31m${char}`,
      'in links of a terminal': (char: string) => `\x1b]8;;http://a1\x07${char}`,
      'struck over': (char: string) => `${char}\b${char}`,
      'in tags of HTML': (char: string) => `<b class="a1">${char}</b>`,
      'in tag characters': (char: string) => String.fromCodePoint(0xe0000 + char.charCodeAt(0)),
      'in code points': (char: string) => `U+00${char.charCodeAt(0).toString(16)} `,
      'in long escapes': (char: string) => `\\U000000${char.charCodeAt(0).toString(16)}`,
      'in braced escapes': (char: string) => `\\x{${char.charCodeAt(0).toString(16)}}`,
      'in entities without an end': (char: string) => `&#x${char.charCodeAt(0).toString(16)}`,
      'in calls': (char: string) => `chr(${char.charCodeAt(0)}).`,
      'in bits': (char: string) => `${char.charCodeAt(0).toString(2).padStart(8, '0')} `,
    }).map(([name, write]): [string, string, string, string] => [
      `one ${name}`,
      [...KEY].map(write).join(''),
      expect.stringMatching(/^\[a secret was left out here\] ?$/),
      OUTPUT_HIDDEN,
    ]),
    [
      'a form in base64',
      `a\nkey: ${Buffer.from(`T=${GITHUB}`).toString('base64')}\nb`,
      `a\n${LINE_LEFT_OUT}\nb`,
      OUTPUT_WITH_KEY_HIDDEN,
    ],
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
    expect(buildLeaveOut(SECRETS)(text)).toEqual(expected);
    expect(buildLeaveOut(SECRETS, true)(text)).toBe(signed);
  });
});
