/** The files of the repository that a file imports, at once or later. Each is read once. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { ROOT } from '../../infra/bundling.ts';

const IMPORT = /(?:from |import\(|^import )'(\.[^']+)'/gm;
const known = new Map<string, readonly string[]>();

/** @param file from the repository's root, as the answers are */
export const importsOf = (file: string): readonly string[] => {
  const imports =
    known.get(file) ??
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT)]
      .map(([, specifier = '']) => relative(ROOT, resolve(ROOT, dirname(file), specifier)))
      .filter((path) => /\.tsx?$/.test(path) && existsSync(join(ROOT, path)));
  known.set(file, imports);
  return imports;
};
