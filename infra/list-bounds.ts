/** `npm run bounds`: prints each bound of the sources, with its value and its reason. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(import.meta.dirname, '..');

export interface Bound {
  readonly name: string;
  readonly value: string;
  readonly reason: string;
  readonly file: string;
}

/**
 * A name that ends in a unit or an extreme, and a value made of numbers, lists and other bounds.
 */
const NAME = /_(?:MAX|MIN|DEFAULT|KEPT|MS|S|HOURS|DAYS|BYTES|CHARS|UNITS|TOKENS|PERCENT|USD|TRIES|COUNT|LEVELS)$/;
const VALUE = /^[-[(]?\s*(?:\d|[A-Z])[\dA-Z_\s.,*/+()[\]-]*(?: as const)?$/;
const DECLARATION =
  /(?:^\/\*\*(?<reason>(?:(?!\*\/)[\s\S])*)\*\/\n)?^(?:export )?const (?<name>[A-Z][A-Z0-9_]*)(?:: [^=]+)? = (?<value>[^;]*);/gm;

const plainText = (comment: string): string =>
  comment
    .replace(/^\s*\*( |$)/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** @returns the bounds a source declares, in its order */
export const findBounds = (file: string, source: string): readonly Bound[] =>
  [...source.matchAll(DECLARATION)].flatMap(({ groups = {} }): readonly Bound[] => {
    const { name = '', value = '', reason = '' } = groups;
    if (!NAME.test(name) || !VALUE.test(value)) return [];
    return [{ name, value: value.replace(' as const', '').replace(/\s+/g, ' '), reason: plainText(reason), file }];
  });

const roomOf = (file: string): string =>
  file.startsWith('lib/') ? file.split('/').slice(0, 3).join('/') : dirname(file).split('/').slice(0, 2).join('/');

const rowOf = ({ name, value, reason, file }: Bound, room: string): string =>
  `| \`${name}\` | ${value.replaceAll('*', '×')} | ${reason.replaceAll('|', '\\|')} | \`${file.slice(room.length + 1)}\` |`;

export const buildPage = (): string => {
  const files = globSync('{lib,functions,infra}/**/*.ts', { cwd: ROOT }).toSorted();
  const rooms = Map.groupBy(
    files.flatMap((file) => findBounds(file, readFileSync(join(ROOT, file), 'utf8'))),
    ({ file }) => roomOf(file),
  );
  const sections = [...rooms].map(([room, bounds]) =>
    [
      `## ${room}`,
      '',
      '| bound | value | reason | file |',
      '|---|---|---|---|',
      ...bounds.map((bound) => rowOf(bound, room)),
    ].join('\n'),
  );
  const opening = [
    '# Bounds',
    'Every bound of the product (I8), as `npm run bounds` reads them in the sources. Change a bound where it stands.',
    'An empty reason: see the row above.',
  ];
  return `${[...opening, ...sections].join('\n\n')}\n`;
};

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(buildPage());
