/**
 * Resolves the words of a command: absolute paths in one spelling, from each folder in which the
 * command may run. A pattern stands for the folder it begins in. A path that nobody can know
 * beforehand, or that has two readings, stands for the whole machine. Pure.
 */

import { canonicalPath } from '../../../core/text/path-canonical.ts';
import { PROCESS_FILE, UNKNOWN } from './program-run.ts';

export interface Place {
  /** Folders in which the command may run; '' if that is unknown. */
  readonly folders: readonly string[];
  readonly home: string;
}

/** Stands for a path that nobody can know. */
export const ANYWHERE = '/';

/** As the kernel reads it: nothing but `.`, `..` and doubled slashes. */
const normalised = (path: string): string => {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
};

const WILD = /[*?[]|[@+!]\(/;
export const isWild = (word: string): boolean => WILD.test(word);

/** The fixed part before the first wildcard, up to its last slash. */
const fixedPart = (word: string): string | undefined => {
  const at = word.search(WILD);
  if (at < 0) return word;
  if (/(?:^|\/)\.\.(?:\/|$)/.test(word.slice(at))) return undefined;
  const fixed = word.slice(0, word.slice(0, at).lastIndexOf('/') + 1);
  return fixed === '' ? '.' : fixed;
};

const absolute = (word: string, folder: string, home: string): string | undefined => {
  if (word === '~' || word.startsWith('~/')) return `${home}/${word.slice(1)}`;
  if (word.startsWith('~')) return undefined;
  if (word.startsWith('/')) return word;
  return folder === '' ? undefined : `${folder}/${word}`;
};

const resolveFrom = (word: string, folder: string, home: string): string => {
  const fixed = word.includes(UNKNOWN) ? undefined : fixedPart(word);
  const path = fixed === undefined ? undefined : absolute(fixed, folder, home);
  if (path === undefined) return ANYWHERE;
  const plain = normalised(path);
  // Gates and tools know one spelling; a name that has another could lead elsewhere.
  return canonicalPath(plain) === plain ? plain : ANYWHERE;
};

const isNoFile = (word: string): boolean =>
  word === '' ||
  word === '-' ||
  word.includes(PROCESS_FILE) ||
  /^\/dev\/(?:null|zero|stdin|stdout|stderr|tty|full|random|urandom|fd\/\d+)$/.test(word);

/** Each path the words may lead to, once. */
export const resolvePaths = (words: readonly string[], { folders, home }: Place): readonly string[] => [
  ...new Set(
    words.filter((word) => !isNoFile(word)).flatMap((word) => folders.map((folder) => resolveFrom(word, folder, home))),
  ),
];

/** The same for people: a pattern is shown whole. */
export const showPaths = (words: readonly string[], place: Place): readonly string[] => [
  ...new Set(
    words
      .filter((word) => !isNoFile(word))
      .flatMap((word) =>
        place.folders.map((folder) => {
          if (word.includes(UNKNOWN)) return 'what nobody can name beforehand';
          const path = normalised(absolute(word, folder, place.home) ?? word);
          return WILD.test(word) ? `what matches ${path}` : path;
        }),
      ),
  ),
];
