/** The page of bounds lists what the sources declare. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../infra/bundling.ts';
import { buildPage, findBounds } from '../../infra/list-bounds.ts';

describe('findBounds', () => {
  it('reads bounds with their reasons, and nothing else', () => {
    const source = [
      '/** As long as a page. */',
      'export const PAGE_CHARS_MAX = 2 * KIB;',
      'const PAGE_CHARS_MIN: number = 1;',
      '/**',
      ' * Waits between tries,',
      ' * in milliseconds.',
      ' */',
      'const WAITS_MS = [1 * SECOND_MS, 5_000] as const;',
      '/** No number. */',
      "const NAME_MAX = 'many';",
      'const FLAGS = 3;',
      'const later_MAX = 3;',
      'const SUM_MAX = sum(1, 2);',
    ].join('\n');
    expect(findBounds('lib/a/b.ts', source)).toStrictEqual([
      { name: 'PAGE_CHARS_MAX', value: '2 * KIB', reason: 'As long as a page.', file: 'lib/a/b.ts' },
      { name: 'PAGE_CHARS_MIN', value: '1', reason: '', file: 'lib/a/b.ts' },
      {
        name: 'WAITS_MS',
        value: '[1 * SECOND_MS, 5_000]',
        reason: 'Waits between tries, in milliseconds.',
        file: 'lib/a/b.ts',
      },
    ]);
  });
});

describe('buildPage', () => {
  it('has a row for each bound of a room, with where it stands', () => {
    const page = buildPage();
    const file = 'lib/core/text/choices.ts';
    const [bound] = findBounds(file, readFileSync(join(ROOT, file), 'utf8'));
    const rooms = page.split('\n## ');
    const room = rooms.find((one) => one.startsWith('lib/core/text\n')) ?? '';
    expect(bound?.name).toBe('CHOICES_MAX');
    expect(room.split('\n')).toContain('| `CHOICES_MAX` | 6 |  | `choices.ts` |');
    expect(rooms.length).toBeGreaterThan(20);
  });
});
