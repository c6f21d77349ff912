/**
 * The table "Systems of the original" of lib/README against the tests that play them. In
 * `test/journeys/rest/original` each `describe` is named by the first words of a system there, and
 * each `it` by what that system can do. A system that works has such a test.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../infra/bundling.ts';

/** Systems that no test plays: only such as the table does not call "works". */
const UNPLAYED: readonly string[] = [
  'Archive outside the machine',
  'Archivist (named in the original, never described)',
  'Signal',
  'Chaos: failures made on purpose',
];

interface System {
  readonly name: string;
  readonly works: boolean;
}

const systems: readonly System[] =
  readFileSync(join(ROOT, 'lib/README.md'), 'utf8')
    .split('## Systems of the original')[1]
    ?.split('\n')
    .flatMap((line) => {
      const [, name = '', , state] = line.split('|').map((cell) => cell.trim());
      return state === undefined || name === 'system' || name.startsWith('---')
        ? []
        : [{ name, works: state === 'works' }];
    }) ?? [];

const named: readonly string[] = globSync('test/journeys/rest/original/*.test.ts', { cwd: ROOT }).flatMap((file) =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^describe\(['"](.+?)['"], \(/gm)].map(([, name = '']) => name),
);

/** Whole words, from the first on. */
const begins = (name: string, words: string): boolean =>
  name.startsWith(words) && !/^\w/.test(name.slice(words.length));

it('reads the table', () => {
  expect(systems.length).toBeGreaterThan(70);
});

it('finds exactly one system by the name of each test', () => {
  const found = named.map((words) => [words, systems.filter(({ name }) => begins(name, words)).length]);
  expect(found.filter(([, count]) => count !== 1)).toStrictEqual([]);
});

it('finds a test of each system that works', () => {
  const missing = systems.filter(({ name }) => !named.some((words) => begins(name, words)));
  expect(missing.filter(({ works }) => works).map(({ name }) => name)).toStrictEqual([]);
  expect(missing.filter(({ works }) => !works).map(({ name }) => name)).toStrictEqual(UNPLAYED);
});
