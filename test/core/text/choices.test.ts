import { describe, expect, it } from 'vitest';
import { choicesIn } from '../../../lib/core/text/choices.ts';
import { GROWTH_MAX, growthOf } from '../../support/growth.ts';

const ask = (...answers: readonly string[]) =>
  ['Which one?', ...answers.map((answer, n) => `${n + 1}. ${answer}`)].join('\n');

describe('choicesIn', () => {
  it.each<[string, string, readonly string[]]>([
    ['a list under a question', ask('Blue', 'Red'), ['Blue', 'Red']],
    ['words before it, and an empty line between', `Two are left.\n\n${ask('a', 'b').replace('?', '?\n')}`, ['a', 'b']],
    ['brackets for dots, spaces at the end', 'Which?\n1) one \n2) two\n', ['one', 'two']],
    ['a bold question of another script', '**どれですか？**\n1. 赤\n2. 青 🎨', ['赤', '青 🎨']],
    ['words that are commands elsewhere', ask('/resume', 'yes', 'STOP'), ['/resume', 'yes', 'STOP']],
    ['six', ask(...'abcdef'), [...'abcdef']],
  ])('finds %s', (_name, text, choices) => {
    expect(choicesIn(text)).toStrictEqual(choices);
  });

  it.each<[string, string]>([
    ['nothing', ''],
    ['a list of its own', '1. a\n2. b'],
    ['a list under a statement', 'These are left.\n1. a\n2. b'],
    ['words below the list', `${ask('a', 'b')}\nTake your time.`],
    ['one answer', ask('a')],
    ['seven answers', ask(...'abcdefg')],
    ['two that are the same', ask('a', 'a')],
    ['numbers that skip one', 'Which?\n1. a\n3. b'],
    ['numbers that begin elsewhere', 'Which?\n2. a\n3. b'],
    ['an answer of more than a line of a phone', ask('a', 'b'.repeat(41))],
    ['marks of Markdown', ask('a', '**b**')],
    ['a link with words', ask('a', '[b](https://evil.example)')],
    ['a control character', ask('a', 'b\u0007')],
    ['a letter that nobody sees', ask('a', 'b\u200b')],
    ['a change of direction', ask('a', '\u202eb')],
    ['a tag character', ask('a', 'b\u{e0041}')],
    ['the words of a card', ask('Approve', 'Not now')],
    ['words that begin like it', ask('a', '✅ Approved by the owner')],
    ['its other words', ask('a', 'DENY')],
    ['its other words in capitals', ask('a', 'Allow similar…')],
    ['words of a notice', ask('a', 'Try again')],
    ['look-alike letters', ask('a', 'Аpprоve')],
    ['styled letters', ask('a', '𝐀𝐩𝐩𝐫𝐨𝐯𝐞')],
    ['wide letters', ask('a', 'Ａｐｐｒｏｖｅ')],
  ])('finds none in %s', (_name, text) => {
    expect(choicesIn(text)).toStrictEqual([]);
  });

  it('takes time in proportion to the text', async () => {
    const work = (lines: number) => choicesIn(`Which?\n${'1. a\n'.repeat(lines)}`);
    expect(await growthOf(200_000, work)).toBeLessThan(GROWTH_MAX);
  });
});
