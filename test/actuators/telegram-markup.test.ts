import { describe, expect, it } from 'vitest';
import { buildTelegramHtml } from '../../lib/actuators/telegram-markup.ts';
import { parseHtml } from '../support/bot-api-format.ts';
import { fc } from '../support/fast-check.ts';

describe('buildTelegramHtml', () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['plain & <simple>', undefined],
    ['2 * 3 * 4 = 24, a*b*c, 2**3**4', undefined],
    ['snake_case_name and __init__', undefined],
    ['https://example.org/_a_/*b*', undefined],
    ['open **bold', undefined],
    ['a **bold** word', 'a <b>bold</b> word'],
    ['*so* and _so_.', '<i>so</i> and <i>so</i>.'],
    ['(**a < b**)', '(<b>a &lt; b</b>)'],
    ['run `rm -rf <x> & y`', 'run <code>rm -rf &lt;x&gt; &amp; y</code>'],
    ['`**no bold**`', '<code>**no bold**</code>'],
    ['```ts\nconst a = b<c>;\n```\nend', '<pre><code class="language-ts">const a = b&lt;c&gt;;</code></pre>\nend'],
    ['```\n*a*\n```', '<pre><code>*a*</code></pre>'],
    ['see [the bank](https://evil.example/?a=1&b=2)', 'see the bank (https://evil.example/?a=1&amp;b=2)'],
    ['[https://a.example](https://a.example)', 'https://a.example'],
    ['[x](javascript:alert(1)) **b**', '[x](javascript:alert(1)) <b>b</b>'],
    ['<b>raw</b> **b**', '&lt;b&gt;raw&lt;/b&gt; <b>b</b>'],
  ];
  it.each(cases)('converts %j', (source, html) => {
    expect(buildTelegramHtml(source)).toBe(html);
  });

  it('gives up on markup whose HTML would be too large', () => {
    expect(buildTelegramHtml(`**b** ${'&'.repeat(8000)}`)).toBeUndefined();
  });

  it('always gives HTML Telegram can parse, that shows no more than the source has and never hides an address', () => {
    const token = fc.constantFrom(
      '*',
      '**',
      '_',
      '`',
      '```',
      '\n',
      ' ',
      'a',
      '<',
      '&',
      '>',
      '[a](https://x.example)',
      '(',
      ')',
      '"',
    );
    const source = fc
      .array(fc.oneof(token, fc.string({ maxLength: 5 })), { maxLength: 40 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(source, (text) => {
        const html = buildTelegramHtml(text);
        if (html === undefined) return;
        const shown = parseHtml(html);
        expect(shown.text.length).toBeLessThanOrEqual(text.length);
        expect(shown.entities.every(({ type }) => type !== 'text_link')).toBe(true);
        expect(shown.text.split('https://x.example').length).toBe(text.split('https://x.example').length);
      }),
      { numRuns: 500 },
    );
  });
});
