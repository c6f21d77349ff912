/** Names a cache entry by everything it was made from: file names and bytes, and whatever else is given. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

const filesOf = (path: string): readonly string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => name !== 'node_modules')
        .sort()
        .flatMap((name) => filesOf(join(path, name)))
    : [path];

/** First 128 bits of a SHA-256, hex. @param paths files or folders; @param extras further text that matters */
export const hashContent = (root: string, paths: readonly string[], extras: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const extra of extras) hash.update(`${extra.length}:${extra}`);
  for (const file of paths.flatMap(filesOf)) {
    const bytes = readFileSync(file);
    hash.update(`${relative(root, file)}\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex').slice(0, 32);
};
