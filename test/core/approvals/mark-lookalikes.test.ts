import { describe, expect, it } from 'vitest';
import { listLookalikes, markLookalikes } from '../../../lib/core/approvals/mark-lookalikes.ts';
import { describeAction } from '../../../lib/core/judge/card.ts';

describe('markLookalikes', () => {
  it.each([
    ['p\u0430ypal', 'p\u0430ypal [“\u0430” is a Cyrillic letter]'],
    ['call p\u0430yp\u0430l.com', 'call p\u0430yp\u0430l [“\u0430” is a Cyrillic letter].com'],
    ['\u0440\u0430yp\u0430l', '\u0440\u0430yp\u0430l [“\u0440”, “\u0430” are Cyrillic letters]'],
    ['g\u03bf\u043egle', 'g\u03bf\u043egle [“\u03bf” is a Greek letter; “\u043e” is a Cyrillic letter]'],
    ['\u0570ello', '\u0570ello [“\u0570” is an Armenian letter]'],
    ['𝐩aypal', '𝐩aypal [“𝐩” is not an ordinary letter]'],
    ['ｐａｙ', 'ｐａｙ [“ｐ”, “ａ”, “ｙ” are not ordinary letters]'],
    [
      'to \u0440\u0430\u0443\u0440\u0430 now',
      'to \u0440\u0430\u0443\u0440\u0430 [“\u0440”, “\u0430”, “\u0443” are Cyrillic letters] now',
    ],
  ])('marks %j', (text, expected) => {
    expect(markLookalikes(text)).toBe(expected);
  });

  it.each([
    'plain words, https://example.com/a_b?c=d',
    'Grüße an José und Øyvind, naïve, Łódź',
    'Привет, рассказ о росе и соре',
    'Hello Привет: нос, рак, сор',
    'Καλημέρα κόσμε',
    'Tシャツ と Kポップ, 日本語',
    'H2O, 5 µm, ½, №1',
    'می‌خواهم हिन्दी 한국어 👨‍👩‍👧‍👦',
  ])('leaves %j as it is', (text) => {
    expect(markLookalikes(text)).toBe(text);
  });

  it('names each such word once where a place lists them', () => {
    expect(listLookalikes('p\u0430ypal, p\u0430ypal and \u043eops')).toStrictEqual([
      '“p\u0430ypal”: “\u0430” is a Cyrillic letter',
      '“\u043eops”: “\u043e” is a Cyrillic letter',
    ]);
    expect(listLookalikes('Привет, world')).toStrictEqual([]);
  });

  it('is what a card shows of every field', () => {
    const lines = describeAction({
      target: 'webhook',
      tool: 'call-webhook',
      to: 'p\u0430ypal',
      url: 'https://example.com/',
      args: { body: { shop: 'p\u0430ypal\u{e0041}' } },
      explanation: 'The owner asked to p\u0430y.',
      author: 'model',
    });
    const mark = '[“\u0430” is a Cyrillic letter]';
    expect(lines).toStrictEqual([
      `With: {"body":{"shop":"p\u0430ypal ${mark}\\u{e0041}"}}`,
      `To: p\u0430ypal ${mark}`,
      'Address: https://example.com/',
      `The model says why: The owner asked to p\u0430y ${mark}.`,
      'Called: call-webhook (webhook)',
    ]);
  });
});
