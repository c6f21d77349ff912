/** What counts as a URL of a text, and that an inert one is none any more. */

import { describe, expect, it } from 'vitest';
import { inertUrl, mapUrls, urlsIn } from '../../lib/gates/urls-in-text.ts';
import { INERT_URL_CHARS_MAX } from '../../lib/limits.ts';
import { fc } from '../support/fast-check.ts';

const inert = (text: string): string => mapUrls(text, inertUrl);

describe('urlsIn', () => {
  it.each<readonly [string, readonly string[]]>([
    ['See https://example.com/a?b=c#d.', ['https://example.com/a?b=c#d']],
    ['HTTP://EXAMPLE.COM and ftp://files.example.com/x', ['HTTP://EXAMPLE.COM', 'ftp://files.example.com/x']],
    [
      '[the report](https://example.com/r), (https://example.org/q)',
      ['https://example.com/r', 'https://example.org/q'],
    ],
    ['![](https://evil.example/p.png?d=secret)', ['https://evil.example/p.png?d=secret']],
    ['[https://good.example](https://evil.example/x)', ['https://good.example', 'https://evil.example/x']],
    ['www.example.com, evil.example/path and 例え.jp/x', ['www.example.com', 'evil.example/path', '例え.jp/x']],
    ['go to evil.example:8080/x?y or evil.example?q=1', ['evil.example:8080/x?y', 'evil.example?q=1']],
    ['c2VjcmV0.evil.example, and (data.exfil.evil.com)', ['c2VjcmV0.evil.example', 'data.exfil.evil.com']],
    ['192.0.2.7/x?y, 192.0.2.7:8080/z and 192.0.2.7?q', ['192.0.2.7/x?y', '192.0.2.7:8080/z', '192.0.2.7?q']],
    ['192.0.2.7/24/secret', ['192.0.2.7/24/secret']],
    ['10.0.0.0/8, 192.0.2.7, gates.test.ts, a.tar.gz, 1.2.3, a.b.c, ada@mail.example.com', []],
    ['tg://resolve?domain=x', ['tg://resolve?domain=x']],
    ['[x](//evil.example/y)', ['evil.example/y']],
    ['<https://example.com/a>|"https://example.com/b"', ['https://example.com/a', 'https://example.com/b']],
    ['https://example.com/a)b=secret', ['https://example.com/a)b=secret']],
    ['either/or, 1.5/2, lib/gates/network.ts, v1.2.3, e.g. this, ada@example.com/x', []],
    ['hxxps://evil[.]example/x', []],
    ['www.example, (www.example) and HXXPS://x', ['www.example']],
    ['xwww.example 1www.example @www.example éwww.example www..', []],
    ['say:evil.example/x', ['evil.example/x']],
    ['evil.example evil.example!x/y', []],
    ['aa.bb.js/x, aa.b1.js/x and aa.xn--p1ai/x', ['aa.bb.js/x', 'aa.b1.js/x', 'aa.xn--p1ai/x']],
    ['aa.bb.js.example aa.b1.example', ['aa.bb.js.example', 'aa.b1.example']],
    ['aa.bb.xn--p1ai, aa.bb.ex, and aa.bb.ey', ['aa.bb.xn--p1ai', 'aa.bb.ex', 'aa.bb.ey']],
    ['aa.bb.ex_y aa.bb.ex1 aa.bb.ex-y', []],
    [':192.0.2.7/y and 192.168.22.7/y', ['192.0.2.7/y', '192.168.22.7/y']],
    ['x192.0.2.7/y 192.0.2.0/24 .192.0.2.7/y', []],
    ['https://a.example/1 https://a.example/1', ['https://a.example/1']],
    ['', []],
  ])('finds in %s', (text, urls) => {
    expect([...urlsIn(text)]).toStrictEqual(urls);
  });
});

describe('inertUrl', () => {
  it.each([
    ['https://example.com/a.b?u=https://evil.example', 'hxxps://example[.]com/a[.]b?u=https[://]evil[.]example'],
    ['HTTP://example.com', 'hxxp://example[.]com'],
    ['www.example.com', 'www[.]example[.]com'],
    ['ftp://a.example/x', 'ftp[://]a[.]example/x'],
    ['git+https://a.example', 'git+https[://]a[.]example'],
    [
      `https://a.example/${'x'.repeat(INERT_URL_CHARS_MAX - 18)}`,
      `hxxps://a[.]example/${'x'.repeat(INERT_URL_CHARS_MAX - 18)}`,
    ],
    [`https://a.example/${'x'.repeat(INERT_URL_CHARS_MAX - 17)}`, `(a link of ${INERT_URL_CHARS_MAX + 1} characters)`],
  ])('turns %s into %s', (url, expected) => {
    expect(inertUrl(url)).toBe(expected);
  });

  it('leaves nothing that counts as a URL, whatever the text', () => {
    const part = fc.constantFrom(
      'https://',
      'http:',
      '//',
      'www.',
      'a.example',
      'evil.com',
      'data.evil.com',
      '192.0.2.7',
      '/',
      '?q=',
      '](',
      '[',
      ')',
      '(',
      ' ',
      '.',
      ':',
      'x',
      '@',
      '=',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const once = inert(parts.join(''));
        expect([...urlsIn(once)]).toStrictEqual([]);
        expect(inert(once)).toBe(once);
      }),
      { numRuns: 1000 },
    );
  });
});
