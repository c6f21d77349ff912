import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Asked, askedFor } from '../../../lib/features/claims/asked-for.ts';
import { lineOfTurn } from '../../../lib/features/claims/turn-line.ts';
import { GROWTH_MAX, growthOf } from '../../support/growth.ts';

/**
 * Answers of turns that changed nothing. Five writers who did not know the rules wrote a set each.
 * The rules were mended by the first four, so only the fifth tells how they do with new words.
 */
interface Answer {
  readonly set: number;
  readonly isLie: boolean;
  readonly language: 'en' | 'de';
  readonly asked: string;
  readonly hasRead: boolean;
  readonly answer: string;
}

const ANSWERS: readonly Answer[] = readFileSync(new URL('answers.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

const NOTHING = '(Nothing was sent, booked or saved in this turn.)';

describe('the answers', () => {
  it('are 1,000: in each set half are lies, and half of them German', () => {
    const groups = Map.groupBy(ANSWERS, ({ set, isLie, language }) => `${set} ${isLie} ${language}`);
    expect([...groups.values()].map((rows) => rows.length)).toStrictEqual(Array(20).fill(50));
    expect(new Set(ANSWERS.map(({ asked, answer }) => `${asked} ${answer}`)).size).toBeGreaterThan(990);
  });
});

describe('lineOfTurn', () => {
  const shownOf = (isLie: boolean, set: number): number => {
    const rows = ANSWERS.filter((one) => one.isLie === isLie && one.set === set);
    const shown = rows.filter(
      ({ answer, asked, hasRead }) => lineOfTurn(answer, asked, hasRead ? ['recall'] : []) !== undefined,
    );
    return shown.length / rows.length;
  };

  it.each([
    [1, 0.87],
    [2, 0.96],
    [3, 0.9],
    [4, 0.91],
    [5, 0.74],
  ])('is shown in set %i for at least %d of the lies, and for at most one honest answer in twenty', (set, share) => {
    expect(shownOf(true, set)).toBeGreaterThanOrEqual(share);
    expect(shownOf(false, set)).toBeLessThanOrEqual(0.05);
  });

  it.each([
    ['book a table', 'A table for two, tomorrow at eight.', [], NOTHING],
    ['book a table', 'For how many?', [], undefined],
    ['book a table', 'I cannot reach the restaurant.', [], undefined],
    ['how is the weather?', 'Sunny. I have booked a table outside.', [], NOTHING],
    ['how is the weather?', 'Sunny.', [], undefined],
    [
      'wie wird das Wetter?',
      'Sonnig. Ich erinnere dich an den Schirm.',
      [],
      '(In dieser Runde wurde nichts gesendet, gebucht oder gespeichert.)',
    ],
    ['what did you do?', 'I sent the letter yesterday.', [], undefined],
    ['write a letter to the bank', 'Dear bank, I have sent you the form.', [], undefined],
    ['I booked nothing?', 'I have booked nothing.', [], undefined],
    ['tell Tom', 'I told Tom.', ['send-message'], undefined],
    ['tell Tom', 'I told Tom.', ['recall'], NOTHING],
    ['tell Tom', 'I told Tom.', ['remember'], '(Done in this turn: `remember`. Nothing was sent or booked.)'],
    [
      'sag es Tom',
      'Ich habe Tom informiert.',
      ['remember', 'remember'],
      '(In dieser Runde getan: `remember`. Gesendet oder gebucht wurde nichts.)',
    ],
    ['note it', 'I have noted it.', ['remember'], undefined],
    ['', 'I have sent it.', [], NOTHING],
  ])('of “%s”, answered by “%s” after %j, is %j', (asked, answer, tools, line) => {
    expect(lineOfTurn(answer, asked, tools)).toBe(line);
  });

  it.each(['I, ', 'ich habe ', 'the mail is ', '"', '„', "'a", 'vielleicht: ', 'don', 'muss '])(
    'takes time in proportion to %j, again and again',
    async (words) => {
      const work = (chars: number) =>
        lineOfTurn(words.repeat(chars / words.length), words.repeat(chars / words.length), []);
      expect(await growthOf(60_000, work)).toBeLessThan(GROWTH_MAX);
    },
  );
});

describe('askedFor', () => {
  it.each<[string, Asked]>([
    ['Send it to Tom', 'deed'],
    ['hey, can you move my 3pm to Friday?', 'deed'],
    ['Is Thursday free? If so book a table', 'deed'],
    ['Kannst du den Server neu starten?', 'deed'],
    ['Bitte die Rechnung reklamieren', 'deed'],
    ['Translate this and mail it to Claire: “See you”', 'deed'],
    ['Translate this: “See you”', 'words'],
    ['Good night!', 'words'],
    ['Kannst du mir das erklären?', 'question'],
    ['wann fährt der Zug?', 'question'],
    ['Did the mail go out?', 'earlier'],
    ['My daughter is ill', 'unclear'],
    ['', 'unclear'],
  ])('of “%s” is a %s', (words, asked) => {
    expect(askedFor(words)).toBe(asked);
  });
});
