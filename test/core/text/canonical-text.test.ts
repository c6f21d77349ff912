/**
 * One form for every spelling: however a word is drawn, hidden, escaped or nested, gates see the
 * same characters.
 */

import { describe, expect, it } from 'vitest';
import { canonicalText, caseless, foldLetters } from '../../../lib/core/text/canonical-text.ts';
import { fc } from '../../support/fast-check.ts';
import { missesOf } from '../../support/misses.ts';

const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const entities = (text: string): string => [...text].map((char) => `&#${char.codePointAt(0)};`).join('');
const hexEntities = (text: string): string =>
  [...text].map((char) => `&#x${char.codePointAt(0)?.toString(16)};`).join('');
const unicode = (text: string): string =>
  text
    .split('')
    .map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
const fullWidth = (text: string): string =>
  [...text]
    .map((char) => (char > ' ' && char < '\x7f' ? String.fromCharCode(char.charCodeAt(0) + 0xfee0) : char))
    .join('');
const invisible = (text: string): string => [...text].join('\u200b');
const shell = (text: string): string =>
  [...text].map((char) => (/[ux0-7nrt]/i.test(char) ? char : `\\${char}`)).join('');

const ENCODERS: Readonly<Record<string, (text: string) => string>> = {
  percent,
  entities,
  hexEntities,
  unicode,
  fullWidth,
  invisible,
  shell,
};

describe('foldLetters', () => {
  it.each([
    ['full-width', 'ｐａｔｈ', 'path'],
    ['mathematical', '𝐩𝒶𝖙𝚑', 'path'],
    ['Cyrillic', 'раураӏ', 'paypal'],
    ['Greek', 'ΑΡΙ κεy', 'API kεy'],
    ['accents', 'pässwörd', 'password'],
    ['zero-width and bidi', 'pa\u200bss\u202ewo\u2066rd\ufeff', 'password'],
    ['variation selectors and soft hyphens', 'to\ufe0fk\u00aden', 'token'],
    ['spaces', 'a\u00a0b\u2003c\u3000d', 'a b c d'],
    ['dashes, slashes, dots', 'a‑b⁄c․d。e', 'a-b/c.d.e'],
    ['control characters', 'a\u0000b\u0007c', 'abc'],
    ['letters NFKD would make others of', 'seϲret Ϲode ″x″', 'secret Code "x"'],
  ])('folds %s', (_, text, folded) => {
    expect(foldLetters(text)).toBe(folded);
  });

  it('gives every character a form that is its own', () => {
    const all: string[] = [];
    for (let code = 0; code <= 0xffff; code += 1)
      if (code < 0xd800 || code > 0xdfff) all.push(String.fromCharCode(code));
    for (let code = 0x1d400; code <= 0x1f2ff; code += 1) all.push(String.fromCodePoint(code));
    const folded = foldLetters(all.join('\n'));
    expect(foldLetters(folded) === folded).toBe(true);
  });

  it('folds a long text as it folds its parts, wherever it is cut', () => {
    const tricky = fc.constantFrom(
      '\r',
      '\n',
      '\r\n',
      '😀',
      '\u0301',
      'e\u0301',
      'а',
      '\u200b',
      'ﬁ',
      '가',
      '\ud800',
      '\udc00',
      'x',
    );
    const anyEnd = fc.array(tricky, { minLength: 1, maxLength: 12 }).map((parts) => `é${parts.join('')}`);
    fc.assert(
      fc.property(fc.integer({ min: 8_180, max: 8_200 }), anyEnd, (chars, end) => {
        const start = 'ж'.repeat(chars);
        expect(foldLetters(`${start}${end}${start}`)).toBe(`${start}${foldLetters(`${end}x`).slice(0, -1)}${start}`);
      }),
    );
  });
});

describe('canonicalText', () => {
  it('undoes each escape', () => {
    const misses = missesOf(
      [
        ['%2e%2e%2fetc', '../etc'],
        ['%g1%4g%4', '%g1%4g%4'],
        ['%u0041%U0041%u004g', 'AA%u004g'],
        ['x%u00410', 'xA0'],
        ['&#x110000;&#1114112;', '&#x110000;&#1114112;'],
        ['&#65;&#x41;&#X41;&#65x;&#;&#x;', 'AAA&#65x;&#;&#x;'],
        ['amp; &amp x; &none;', 'amp; &amp x; &none;'],
        ['&amp;&lt;&gt;&quot;&apos;&nbsp;.', '&<>"\' .'],
        ['&sol;&colon;&period;&commat;&num;&percnt;', '/:.@#%'],
        ['&bsol;x41', 'A'],
        ['&lowbar;&UnderBar;&hyphen;&dash;&equals;&plus;', '__--=+'],
        ['&lpar;&rpar;&semi;&comma;&excl;&dollar;a&Tab;b&NewLine;c&shy;d', '();,!$a\tb\ncd'],
        ['&LT;', '&LT;'],
        ['%f0%9f%98%80', '😀'],
        ['%c0%af%e0%80%af%f0%80%80%af', '///'],
        ['%80', '%80'],
        ['a%00b', 'ab'],
        ['%f8%80%80%80%af', '%f8%80%80%80%af'],
        ['%xu0041', '%xu0041'],
        ['%xx41', '%xx41'],
        ['%x101', '%x101'],
        ['%c3', '%c3'],
        ['%c3%28', '%c3('],
        ['%e2%82', '%e2%82'],
        ['%f8%88%80%80%80', '%f8%88%80%80%80'],
        ['%ff%bf', '%ff%bf'],
        ['%e4%bd%a0', '你'],
        ['\\x4g\\x4', '\\x4g\\x4'],
        ['\\400\\377', '\\400y'],
        ['\\u{41}\\u{110000}\\u{}', 'A\\u{110000}\\u{}'],
        ['\\u004g\\u0041', '\\u004gA'],
        ['a\\nb\\rc\\td\\q', 'a\nb\nc\tdq'],
        ['\\U0041', 'A'],
        ['%5cx41', 'A'],
        ['&amp;amp;lt;', '<'],
        ['&#37;41', 'A'],
        ['100% & more \\', '100% & more \\'],
        ['\\ud83d\\ude00', '😀'],
        ['\\ud83dx', '\ufffdx'],
        ['x\\ude00', 'x\ufffd'],
        ['%252e%252e%255cetc', '..etc'],
        ['%25252525252e', '.'],
        ['%c0%af and %C3%A9 and %D0%B0', '/ and e and a'],
        ['%f0%9d%90%80', 'A'],
        ['%u0041%u0430', 'Aa'],
        ['&#x41;&#66;&amp;#67;&lt;', 'ABC<'],
        ['\\x41\\u0042\\103\\u{44}\\-', 'ABCD-'],
        ['\\ud835\\udc00', 'A'],
        ['%5cx41', 'A'],
        ['100 % sure, R&D, 5 %zz', '100 % sure, R&D, 5 %zz'],
        ['%e4', '%e4'],
        ['line\\nnext', 'line\nnext'],
      ],
      ([text, canonical]) => {
        expect(canonicalText(text)).toBe(canonical);
      },
    );
    expect(misses).toEqual([]);
  });

  it.each(Object.keys(ENCODERS))('sees through %s, also twice', (name) => {
    const encode = ENCODERS[name] ?? ((text: string) => text);
    const printable = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_./:=@+,'), maxLength: 30 });
    fc.assert(
      fc.property(printable, (text) => {
        expect(canonicalText(encode(text))).toBe(text);
        expect(canonicalText(percent(encode(text)))).toBe(text);
      }),
    );
  });

  it('is idempotent, and so is the caseless form', () => {
    const unit = fc.oneof(
      fc.constantFrom('%', '2', '5', 'c', '3', 'a', '9', '&', '#', 'x', ';', '\\', 'u', '{', '}', 'd', '8', '0'),
      fc.constantFrom('&amp;', '%25', '\\u005c', '\ud835', '\udc00', 'Σ', 'İ', '\u0301', '한', 'ﷺ', '\u200b'),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 40 }), (parts) => {
        const once = canonicalText(parts.join(''));
        expect(canonicalText(once)).toBe(once);
        const word = caseless(parts.join(''));
        expect(caseless(word)).toBe(word);
      }),
      { numRuns: 500 },
    );
  });

  it('leaves plain words, mails and addresses as they are', () => {
    const text = 'See https://example.com/a?b=c#d, mail ada@example.com (50 € less): it is 12:30.';
    expect(canonicalText(text.replace('€', 'EUR'))).toBe(text.replace('€', 'EUR'));
  });
});

describe('canonicalText, escape by escape', () => {
  it.each([
    ['a\r\nb\u2028c\rd\ve', 'a\nb\nc\nd\ne'],
    ['a\u1680b', 'a b'],
    ['a&#0;b', 'ab'],
    ['&#x10ffff;', '\u{10ffff}'],
    ['&#1114111;', '\u{10ffff}'],
    ['abcdef%u0041', 'abcdefA'],
    ['%U0041', 'A'],
    ['%u1041', '\u1041'],
    ['%f0%9f%92%a9', '\u{1f4a9}'],
    ['%4\\ud835\\udfcf', 'A'],
    ['\\ud800\\udc00', '\u{10000}'],
    ['\\udbff\\udfff', '\u{10ffff}'],
    ['x\\u{41}y', 'xAy'],
    ['x\\u{000041}y', 'xAy'],
    ['&UnderBar;', '_'],
    ['a&amp;lt;', 'a<'],
    ['\\\\x41', 'A'],
    ['\\101\\x2f\\u002e', 'A/.'],
  ])('undoes %j', (text, canonical) => {
    expect(canonicalText(text)).toBe(canonical);
  });

  it.each([
    '%g1',
    '%u00g1',
    '%u004',
    '&#x41g;',
    '&#0x41;',
    '&#65x;',
    '&#;',
    '&#x110000;',
    '&unknown;',
    '&amp',
    'amp;',
    '%f8%88%80%80%81',
    '%c3%c3',
    '%c3%c0',
    'xc3%a4',
    '%xc3%a4',
    '%e2%zz%a4',
    '%c3',
    '%a4',
    'u0041 x41 101',
  ])('leaves %j as it is', (text) => {
    expect(canonicalText(text)).toBe(text);
  });
});

describe('look-alikes', () => {
  it('are folded to the letter they look like', () => {
    const misses = missesOf(
      [
        ['A', 'АΑᎪ'],
        ['B', 'ВΒᏴ'],
        ['C', 'СᏟ'],
        ['D', 'Ꭰ'],
        ['E', 'ЕΕᎬ'],
        ['G', 'ԌᏀ'],
        ['H', 'НΗᎻ'],
        ['I', 'ІΙӀ'],
        ['J', 'ЈᎫ'],
        ['K', 'КΚᏦ'],
        ['L', 'Ꮮ'],
        ['M', 'МΜᎷ'],
        ['N', 'Ν'],
        ['O', 'ОΟՕ'],
        ['P', 'РΡᏢ'],
        ['Q', 'Ԛ'],
        ['S', 'ЅՏᏚ'],
        ['T', 'ТΤᎢ'],
        ['V', 'ᏙѴ'],
        ['W', 'ԜᎳ'],
        ['X', 'ХΧ'],
        ['Y', 'УΥҮ'],
        ['Z', 'ΖᏃ'],
        ['a', 'аαɑ'],
        ['b', 'Ьƅ'],
        ['c', 'с'],
        ['d', 'ԁđ'],
        ['e', 'еҽ'],
        ['g', 'ɡց'],
        ['h', 'һհħ'],
        ['i', 'іιıɩ'],
        ['j', 'јϳ'],
        ['k', 'κк'],
        ['l', 'ӏł'],
        ['n', 'ոп'],
        ['o', 'оοօøσς'],
        ['p', 'рρ'],
        ['q', 'ԛզ'],
        ['r', 'г'],
        ['s', 'ѕ'],
        ['t', 'тτŧ'],
        ['u', 'υսʋ'],
        ['v', 'νѵ'],
        ['w', 'ԝѡω'],
        ['x', 'хχ'],
        ['y', 'уγү'],
        ['-', '‐‑‒–—−⁃'],
        ["'", '‘’ʼ′‵'],
        ['"', '“”'],
        ['/', '⁄∕⧸'],
        ['\\', '∖⧵'],
        [':', 'ː∶꞉։'],
        ['.', '。٠۰'],
        [',', '‚'],
        ['|', 'ǀ∣'],
        ['*', '∗⁎'],
        ['~', '∼'],
        ['<', '‹'],
        ['>', '›'],
        ['_', 'ˍ'],
      ],
      ([ascii, letters]) => {
        expect(foldLetters(letters)).toBe(ascii.repeat([...letters].length));
      },
    );
    expect(misses).toEqual([]);
  });
});
