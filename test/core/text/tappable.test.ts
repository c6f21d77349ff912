/**
 * What can be tapped, by Telegram's rules: each has a row, which the tests' own eye for links and
 * the product's must both find.
 */
import { describe, expect, it } from 'vitest';
import { defang, findTappable } from '../../../lib/core/text/tappable.ts';
import { tappableIn } from '../../support/telegram-links.ts';

/** A text, and what Telegram lets a person tap in it. */
const RULES: readonly (readonly [string, ...string[]])[] = [
  // Addresses: with a scheme, without one, with a port, a path, a user, and what ends them.
  ['at https://a.example/x?y#z now', 'https://a.example/x?y#z'],
  ['HTTP://A.EXAMPLE and ftp://a.example', 'HTTP://A.EXAMPLE', 'ftp://a.example'],
  ['a.example, www.b.example.', 'a.example', 'www.b.example'],
  ['a.example:8443/x a.example?y a.example#z', 'a.example:8443/x', 'a.example?y', 'a.example#z'],
  ['https://u:p@a.example/x', 'https://u:p@a.example/x'],
  ['https://a.example/x|data', 'https://a.example/x|data'],
  ['https://a.example/x*_~…', 'https://a.example/x*_~'],
  ["https://a.example/x.:;,('?!`", 'https://a.example/x'],
  ['<https://a.example/x>', 'https://a.example/x'],
  ['a_b.c~d.example', 'a_b.c~d.example'],
  ['\u0430.\u0440\u0444 x.xn--p1ai', '\u0430.\u0440\u0444', 'x.xn--p1ai'],
  ['x\uff0ey.example', 'x\uff0ey.example'],
  ['\ud83d\ude00.ws', '\ud83d\ude00.ws'],
  ['1.2.3.4 and 1.2.3.4:80/x', '1.2.3.4', '1.2.3.4:80/x'],
  ['main.py README.md', 'main.py', 'README.md'],
  ['joined\u202e.example', 'joined.example'],
  // Addresses that need no dot.
  ['tg://resolve?domain=x ton://x tonsite://x.ton', 'tg://resolve?domain=x', 'ton://x', 'tonsite://x.ton'],
  // E-mail, mentions, commands, tags, numbers.
  ['to ada@a.example or mailto:ada@a.example', 'ada@a.example', 'mailto:ada@a.example'],
  ['@name and (@name_2)', '@name', '@name_2'],
  ['/start /do_it', '/start', '/do_it'],
  ['#tag #1a #\u0442\u0435\u0433', '#tag', '#1a', '#\u0442\u0435\u0433'],
  ['$ABC and $1INCH', '$ABC', '$1INCH'],
  ['+1 415 555 0123', '+1 415 555 0123'],
  ['4111 1111 1111 1111', '4111 1111 1111 1111'],
];

/** Nothing in these can be tapped, nor does the product show any of it as code. */
const PLAIN: readonly string[] = [
  'e.g. this, i.e. that, v1.2.3, 3.14, 1.5/2, 16:57, 24/7, and/or, 50 % …',
  '2026-11-22 16:57:38 UTC, issue #12, C# and $5, wait... what',
  '你好。谢谢。 50km/h, x = y * z',
];

describe('findTappable', () => {
  it.each(RULES)('finds in %j what Telegram makes of it', (text) => {
    const clean = text.replaceAll('\u202e', '');
    const spans = findTappable(clean).map(({ start, end }) => clean.slice(start, end));
    const found = tappableIn({ text });
    expect(found.length).toBeGreaterThan(0);
    for (const link of found) expect(spans.some((span) => span.includes(link.replace(/[*_~.…]+$/, '')))).toBe(true);
  });

  it.each(PLAIN)('finds nothing in %j', (text) => {
    expect([findTappable(text), tappableIn({ text })]).toStrictEqual([[], []]);
  });

  it.each(['a.', '#1', '1 ', '(', '/', 'a@', '://', '。'])('takes time in proportion to %j × 100,000', (part) => {
    findTappable(part.repeat(100_000));
    expect(defang(part.repeat(100_000)).length).toBeGreaterThan(0);
  });
});

describe('tappableIn', () => {
  it.each(RULES)('sees in %j', (text, ...links) => {
    for (const link of links) expect(tappableIn({ text })).toContain(link);
  });

  it('sees nothing in code, what an entity opens, and what comes after the entities Telegram reads', () => {
    const text = 'a.example b.example';
    const ofA = { type: 'code', offset: 0, length: 9 };
    expect(tappableIn({ text, entities: [ofA, { type: 'code', offset: 10, length: 9 }] })).toStrictEqual([]);
    expect(
      tappableIn({ text, entities: [ofA, { type: 'text_link', offset: 10, length: 9, url: 'https://c.example' }] }),
    ).toStrictEqual(['https://c.example']);
    const many = Array.from({ length: 100 }, () => ({ type: 'bold', offset: 0, length: 1 }));
    expect(tappableIn({ text, entities: [...many, ofA] })).toContain('a.example');
  });
});

describe('defang', () => {
  it.each([
    ['See https://a.example/?d=1.', 'See hxxps://a[.]example/?d=1[.]'],
    ['[x](http://a.example)', '[x](hxxp://a[.]example)'],
    ['www.a.example a.example/x 192.0.2.1/x', 'www[.]a[.]example a[.]example/x 192[.]0[.]2[.]1/x'],
    [
      'ftp://a.example xhttps://a hxxp://b https://hxxps://c.d',
      'ftp[://]a[.]example xhttps[://]a hxxp://b hxxps://hxxps://c[.]d',
    ],
    ['mailto:ada@a.example', 'mailto[:]ada@a[.]example'],
    ['src/app/main.ts, self.model.forward(x), ada@a.example', undefined],
  ])('writes %j so that nothing opens it', (text, expected = text) => {
    expect(defang(text)).toBe(expected);
    expect(defang(expected)).toBe(expected);
  });

  it('leaves the addresses it is given', () => {
    expect(defang('(https://a.example/x) https://a.example/xy', ['https://a.example/x'])).toBe(
      '(https://a.example/x) hxxps://a[.]example/xy',
    );
  });
});
