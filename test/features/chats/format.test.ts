import { describe, expect, it } from 'vitest';
import {
  formatMessage,
  splitText,
  TELEGRAM_ENTITIES_MAX,
  TELEGRAM_PARTS_MAX,
  TELEGRAM_TEXT_UNITS_MAX,
} from '../../../lib/features/chats/format.ts';
import { fc } from '../../support/fast-check.ts';
import { tappableIn } from '../../support/telegram-links.ts';

/** The message with each entity in brackets behind its kind. */
const show = ({ text, entities }: ReturnType<typeof formatMessage>): string =>
  entities.toReversed().reduce((shown, { type, offset, length, language, url }) => {
    const kind = [type, language, url].filter((part) => part !== undefined).join(' ');
    return `${shown.slice(0, offset)}${kind}{${shown.slice(offset, offset + length)}}${shown.slice(offset + length)}`;
  }, text);

describe('formatMessage', () => {
  it('folds the text from a place on, and lets no entity cross the fold', () => {
    const options = { hasMarkup: false, links: [] };
    const foldFrom = 'Open a.example/x\n'.length;
    expect(formatMessage('Open a.example/x\nAll of b.example/y', { ...options, foldFrom }).entities).toStrictEqual([
      { type: 'code', offset: 5, length: 11 },
      { type: 'expandable_blockquote', offset: 17, length: 18 },
      { type: 'code', offset: 24, length: 11 },
    ]);
    expect(formatMessage('> See a.example/x.', { hasMarkup: true, links: [] }).entities).toStrictEqual([
      { type: 'blockquote', offset: 0, length: 16 },
      { type: 'code', offset: 4, length: 11 },
    ]);
    const many = `a.example/x\n${'b.example/y '.repeat(100)}`;
    expect(formatMessage(many, { ...options, foldFrom: 12 }).entities).toStrictEqual([
      { type: 'pre', offset: 0, length: 12 },
      { type: 'expandable_blockquote', offset: 12, length: 1_200 },
      { type: 'pre', offset: 12, length: 1_200 },
    ]);
  });

  it('shows a moment that code names in the zone of each reader, but for quotations and what stands below the first line of the fold', () => {
    const [first, quoted] = ['Until 2026-11-27 16:51 UTC.', ' With “2026-11-27 16:51 UTC”, 2026-13-27 16:51 UTC.\n'];
    const text = `${first}${quoted}All of it:\n2026-11-27 16:51 UTC`;
    const options = { hasMarkup: false, links: [], foldFrom: first.length + quoted.length };
    const moment = { type: 'date_time', offset: 6, length: 20, unix_time: 1_795_798_260, date_time_format: 'dt' };
    const fold = { type: 'expandable_blockquote', offset: options.foldFrom, length: 31 };
    expect(formatMessage(text, { ...options, isByCode: true }).entities).toStrictEqual([moment, fold]);
    expect(formatMessage(text, options).entities).toStrictEqual([fold]);
  });

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
    ['## What to **buy**\n\nmilk', 'bold{What to buy}\n\nmilk'],
    ['#tag and # no heading', undefined],
    ['- milk\n  * **two** eggs\n+ tea', '• milk\n  • bold{two} eggs\n• tea'],
    ['- [ ] milk\n- [x] tea', '☐ milk\n☑ tea'],
    ['-5 degrees - cold', undefined],
    [
      'She wrote:\n> Come **soon**,\n>\n> > or late.\n\nWell?',
      'She wrote:\nblockquote{Come soon,\n\nor late.}\n\nWell?',
    ],
    ['~~not~~ that, ~~~x~~ and a~~b~~', 'strikethrough{not} that, ~~~x~~ and a~~b~~'],
    ['> all of it', 'blockquote{all of it}'],
    ['a > b\n>c\n>\n', undefined],
    [
      'Prices:\n| fruit | price |\n|---|---:|\n| apple | **1.20** |\n| fig | 12 |\n\nend',
      'Prices:\npre{fruit  price\napple  1.20\nfig    12}\n\nend',
    ],
    ['|a|b|\n|-|-|\n|much longer than a|x|\n|c|d|', 'pre{a  b\nmuch longer than a  x\nc  d}'],
    ['| no | rule |\n| a | b |\n| c | d |', undefined],
    ['```\n- a\n# b\n| c |\n```', 'pre{- a\n# b\n| c |}'],
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
    const options = { hasMarkup: false, links: [], isByCode: true };
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

const x = (units: number): string => 'x'.repeat(units);

describe('splitText', () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ['nothing', '', []],
    ['white space', ' \n\t', []],
    ['a short text as it is', '  hello\nyou \n', ['  hello\nyou']],
    ['exactly one part', x(4096), [x(4096)]],
    ['one unit more', x(4097), [x(4096), 'x']],
    ['at a paragraph', `${x(3000)}\n\n${x(500)}\n${x(1000)}`, [x(3000), `${x(500)}\n${x(1000)}`]],
    [
      'at a line, keeping its indentation',
      `${x(3000)} ${x(500)}\n  ${x(1000)}`,
      [`${x(3000)} ${x(500)}`, `  ${x(1000)}`],
    ],
    ['at a word', `${x(4000)} ${x(200)}`, [x(4000), x(200)]],
    ['at a separator right after a full part', `${x(4096)} ${x(3)}`, [x(4096), x(3)]],
    ['inside a word that starts too early', `${x(10)} ${x(5000)}`, [`${x(10)} ${x(4085)}`, x(915)]],
    ['before a surrogate pair', `${x(4095)}😀y`, [x(4095), '😀y']],
    ['without blank parts', `${'\n'.repeat(9000)}end`, [`${'\n'.repeat(804)}end`]],
  ];
  it.each(cases)('cuts %s', (_name, text, parts) => {
    expect(splitText(text)).toStrictEqual({ texts: parts, isWhole: true });
  });

  it('ends a block of code that is cut with its part, and begins it again with the next', () => {
    const block = (lines: number) => `\`\`\`js\n${'let a;\n'.repeat(lines)}\`\`\``;
    const { texts: parts } = splitText(`Here:\n${block(1_000)}\nDone.`, true);
    expect(parts).toHaveLength(2);
    for (const part of parts) {
      expect(part.length).toBeLessThanOrEqual(TELEGRAM_TEXT_UNITS_MAX);
      const { text, entities } = formatMessage(part, { hasMarkup: true });
      expect(text).not.toContain('```');
      expect(entities).toStrictEqual([expect.objectContaining({ type: 'pre', language: 'js' })]);
    }
    expect(splitText(block(10), true).texts).toStrictEqual([block(10)]);
  });

  it('gives the beginning of a text of too many parts', () => {
    const { texts, isWhole } = splitText(`${'word '.repeat(400)}\n\n${'word '.repeat(20_000)}`);
    expect(isWhole).toBe(false);
    expect(texts).toStrictEqual([
      expect.stringMatching(/^word [\s\S]* word\n\n\[This is its beginning\. All of it is in the file below\.\]$/),
    ]);
    expect(texts[0]?.length).toBeLessThanOrEqual(TELEGRAM_TEXT_UNITS_MAX);
    expect(splitText('x'.repeat(TELEGRAM_PARTS_MAX * TELEGRAM_TEXT_UNITS_MAX))).toMatchObject({ isWhole: true });
    expect(splitText('x'.repeat(TELEGRAM_PARTS_MAX * TELEGRAM_TEXT_UNITS_MAX + 1))).toMatchObject({ isWhole: false });
  });

  it('keeps every character but white space at the cuts, in bounds and well-formed', () => {
    const piece = fc.oneof(
      fc.constantFrom(' ', '\n', '\n\n', '😀', '👩‍👩‍👧', 'é', '**'),
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.integer({ min: 1, max: 5000 }).map((units) => '😀'.repeat(units)),
      fc.integer({ min: 1, max: 5000 }).map(x),
    );
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('').toWellFormed());
    const bare = (value: string): string => value.replace(/\s/g, '');
    fc.assert(
      fc.property(text, (value) => {
        const { texts: parts, isWhole } = splitText(value);
        expect(parts.length).toBeLessThanOrEqual(TELEGRAM_PARTS_MAX);
        for (const part of parts) {
          expect(part.isWellFormed() && part.trim() !== '' && part.length <= TELEGRAM_TEXT_UNITS_MAX).toBe(true);
        }
        if (isWhole) expect(bare(parts.join(''))).toBe(bare(value));
      }),
      { numRuns: 200 },
    );
  });
});
