/**
 * The test files that take more in `npm run test:all` than in `npm test`, of those that reach, by
 * themselves or by their imports, a file that changed since the last tag or in the last fifty
 * commits.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { ROOT } from '../../infra/bundling.ts';

const COMMITS = 50;
/** A file that takes more asks so, itself or in its support, or lies in a folder `rest`. */
const ASKS = /\bTAKES_MORE\b|\bsomeOf\(/;
const ASKED = 'test/support/sample.ts';
const IMPORT = /(?:from |import\(|^import )'(\.[^']+)'/gm;

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

interface Source {
  readonly imports: readonly string[];
  readonly asks: boolean;
}

const read = (file: string): Source => {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const imports = [...text.matchAll(IMPORT)]
    .map(([, specifier = '']) => relative(ROOT, resolve(ROOT, dirname(file), specifier)))
    .filter((path) => /\.tsx?$/.test(path) && existsSync(join(ROOT, path)));
  const asks = file.startsWith('test/') && file !== ASKED && (ASKS.test(text) || file.includes('/rest/'));
  return { imports, asks };
};

export const findRest = (): readonly string[] => {
  const changed = changedLately();
  const known = new Map<string, Source>();
  const sourceOf = (file: string): Source => {
    const source = known.get(file) ?? read(file);
    known.set(file, source);
    return source;
  };
  return globSync('test/**/*.test.ts', { cwd: ROOT })
    .filter((file) => {
      const reached = new Set([file]);
      for (const one of reached) for (const next of sourceOf(one).imports) reached.add(next);
      return [...reached].some((one) => sourceOf(one).asks) && [...reached].some((one) => changed.has(one));
    })
    .sort();
};
