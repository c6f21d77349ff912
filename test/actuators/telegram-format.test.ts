import { describe, expect, it } from 'vitest';
import { formatMessage, TELEGRAM_ENTITIES_MAX } from '../../lib/actuators/telegram-format.ts';
import { fc } from '../support/fast-check.ts';
import { tappableIn } from '../support/telegram-links.ts';

/** The message with each entity in brackets behind its kind. */
const show = ({ text, entities }: ReturnType<typeof formatMessage>): string =>
  entities.toReversed().reduce((shown, { type, offset, length, language, url }) => {
    const kind = [type, language, url].filter((part) => part !== undefined).join(' ');
    return `${shown.slice(0, offset)}${kind}{${shown.slice(offset, offset + length)}}${shown.slice(offset + length)}`;
  }, text);

describe('formatMessage', () => {
  it.each([
    ['plain & <simple>', undefined],
    ['2 * 3 * 4 = 24, a*b*c, 2**3**4', undefined],
    ['snake_case_name and __init__', undefined],
    ['https://example.org/_a_/*b*', undefined],
    ['open **bold', undefined],
    ['a **bold** word', 'a bold{bold} word'],
    ['*so* and _so_.', 'italic{so} and italic{so}.'],
    ['(**a < b**)', '(bold{a < b})'],
    ['run `rm -rf <x> & y`', 'run code{rm -rf <x> & y}'],
    ['`**no bold**`', 'code{**no bold**}'],
    ['```ts\nconst a = b<c>;\n```\nend', 'pre ts{const a = b<c>;}\nend'],
    ['```\n*a*\n```', 'pre{*a*}'],
    ['see [the bank](https://evil.example/?a=1&b=2)', 'see the bank (https://evil.example/?a=1&b=2)'],
    ['[https://a.example](https://a.example)', 'https://a.example'],
    ['[x](javascript:alert(1)) **b**', '[x](javascript:alert(1)) bold{b}'],
    ['<b>raw</b> **b**', '<b>raw</b> bold{b}'],
  ])('reads the Markdown of %j', (source, shown = source) => {
    expect(show(formatMessage(source, { hasMarkup: true }))).toBe(shown);
    expect(show(formatMessage(source, { hasMarkup: false }))).toBe(source);
  });

  const LINK = 'https://forge.example/acme/issues/7';
  it.each([
    ['see https://evil.example/x, @name and /stop', 'see code{https://evil.example/x}, code{@name} and code{/stop}'],
    [`see ${LINK}.`, `see text_link ${LINK}{${LINK}}.`],
    [`[#7](${LINK})`, `#7 (text_link ${LINK}{${LINK}})`],
    [`${LINK}|data ${LINK}/x u@${LINK}`, `code{${LINK}|data} code{${LINK}/x} code{u@${LINK}}`],
    ['evil`.`com/x', 'code{evil.com/x}'],
    ['`x`/approve', 'code{x/approve}'],
    ['**see evil.com/x now**', 'bold{see }code{evil.com/x}bold{ now}'],
    ['evil\u202e.com\r/x', 'code{evil.com/x}'],
    ['self.model.forward(x), v1.2.3, e.g. file.py', 'code{self.model.forward(x}), v1.2.3, e.g. code{file.py}'],
  ])('shows in %j as code what can be tapped and is not permitted', (source, shown) => {
    const message = formatMessage(source, { hasMarkup: true, links: [LINK] });
    expect(show(message)).toBe(shown);
    expect(tappableIn(message).filter((link) => link !== LINK)).toStrictEqual([]);
  });

  it('leaves commands in what code wrote', () => {
    const options = { hasMarkup: false, links: [], hasCommands: true };
    expect(show(formatMessage('/resume first, not /resume@evil_bot: a.example', options))).toBe(
      '/resume first, not code{/resume@evil_bot}: code{a.example}',
    );
  });

  it('shows a text as one block that needs more entities than Telegram reads, and drops styles before', () => {
    const many = formatMessage('a.example b '.repeat(TELEGRAM_ENTITIES_MAX + 1), { hasMarkup: true, links: [] });
    expect(many.entities).toStrictEqual([{ type: 'pre', offset: 0, length: many.text.length }]);
    const styled = formatMessage(`${'**b** '.repeat(200)}a.example`, { hasMarkup: true, links: [] });
    expect(styled.entities.length).toBe(TELEGRAM_ENTITIES_MAX);
    expect(tappableIn(styled)).toStrictEqual([]);
  });

  it('shows no more than the source has, in entities that lie within the text and do not overlap', () => {
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
      '[a](https://x.example)',
      '(',
      ')',
      '"',
      'x.example',
    );
    const source = fc
      .array(fc.oneof(token, fc.string({ maxLength: 5 })), { maxLength: 40 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(source, fc.constantFrom(undefined, ['https://x.example']), (text, links) => {
        const shown = formatMessage(text, { hasMarkup: true, links });
        expect(shown.text.length).toBeLessThanOrEqual(text.length);
        expect(shown.text.split('https://x.example').length).toBe(text.split('https://x.example').length);
        let end = 0;
        for (const { offset, length } of shown.entities) {
          expect(length).toBeGreaterThan(0);
          expect(offset).toBeGreaterThanOrEqual(end);
          end = offset + length;
        }
        expect(end).toBeLessThanOrEqual(shown.text.length);
      }),
      { numRuns: 500 },
    );
  });
});
