import { describe, expect, it } from 'vitest';
import { splitText, TELEGRAM_PARTS_MAX, TELEGRAM_TEXT_UNITS_MAX } from '../../lib/actuators/telegram-format.ts';
import { fc } from '../support/fast-check.ts';

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
    expect(splitText(text)).toStrictEqual(parts);
  });

  it('cuts a text of too many parts with a note', () => {
    const parts = splitText('word '.repeat(20_000));
    expect(parts.length).toBe(TELEGRAM_PARTS_MAX);
    expect(parts.at(-1)?.endsWith('\n\n[The text ends here: it has 100000 characters in all.]')).toBe(true);
    expect(parts.at(-1)?.length).toBeLessThanOrEqual(TELEGRAM_TEXT_UNITS_MAX);
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
        const parts = splitText(value);
        expect(parts.length).toBeLessThanOrEqual(TELEGRAM_PARTS_MAX);
        for (const part of parts) {
          expect(part.isWellFormed() && part.trim() !== '' && part.length <= TELEGRAM_TEXT_UNITS_MAX).toBe(true);
        }
        const isCut = parts.at(-1)?.endsWith('characters in all.]') === true;
        if (!isCut) expect(bare(parts.join(''))).toBe(bare(value));
      }),
      { numRuns: 200 },
    );
  });
});
