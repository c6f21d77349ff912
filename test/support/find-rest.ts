/**
 * The test files that take more in `npm run test:all` than in `npm test`, of those that reach, by
 * themselves or by their imports, a file that changed since the last tag or in the last fifty
 * commits.
 */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../infra/bundling.ts';
import { importsOf } from './imports-of.ts';

const COMMITS = 50;
/** A file that takes more asks so, itself or in its support, or lies in a folder `rest`. */
const ASKS = /\bTAKES_MORE\b|\bsomeOf\(/;
const ASKED = 'test/support/sample.ts';

const git = (...words: readonly string[]): string => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' });

/** Empty in a folder that is no checkout. */
const changedLately = (): ReadonlySet<string> => {
  try {
    const tag = git('tag', '--sort=-creatordate').split('\n')[0];
    const first =
      git('rev-list', `--max-count=${COMMITS + 1}`, 'HEAD')
        .trim()
        .split('\n')
        .at(-1) ?? 'HEAD';
    const since = tag === undefined || tag === '' ? first : tag;
    return new Set(git('diff', '--name-only', since, 'HEAD').trim().split('\n'));
  } catch {
    return new Set();
  }
};

const asksFor = (file: string): boolean =>
  file.startsWith('test/') &&
  file !== ASKED &&
  (file.includes('/rest/') || ASKS.test(readFileSync(join(ROOT, file), 'utf8')));

export const findRest = (): readonly string[] => {
  const changed = changedLately();
  return globSync('test/**/*.test.ts', { cwd: ROOT })
    .filter((file) => {
      const reached = new Set([file]);
      for (const one of reached) for (const next of importsOf(one)) reached.add(next);
      return [...reached].some((one) => changed.has(one)) && [...reached].some(asksFor);
    })
    .sort();
};
