/**
 * The files that one program would read and change, by the words it is given, and what is lost if
 * it runs. Of a program whose words nobody knows, those count that surely lead elsewhere. Pure.
 */

import { isRunFile } from '../../../core/text/find-run-file.ts';
import { findSecretPath } from '../../../core/text/find-secret-path.ts';
import { OUTPUT } from './class-options.ts';
import { isWild, type Place, resolvePaths, showPaths } from './class-paths.ts';
import { hasScript, isInPlace } from './class-scripts.ts';
import {
  BY_PATTERN,
  CHANGE_LAST,
  DELETES,
  NO_FILES,
  PACKERS,
  REPLACES,
  readsOperands,
  UNPACKS,
} from './class-tables.ts';
import { operandsIn } from './class-words.ts';
import { nameOf, type Run, SPLIT } from './program-run.ts';

/** A word that surely leads out of its folder: whatever the program, it is no mere name. */
const isFar = (word: string): boolean => /^(?:\/|~)|(?:^|\/)\.\.(?:\/|$)/.test(word) && !/^\/\/|:\/\//.test(word);

/** The path in an option: `--file=/x`, `-f/x`, `-f.env`, `if=/x`. */
const pathIn = (word: string): string =>
  /^(?:--?[\w-]+|[io]f)=(.+)$/s.exec(word)?.[1] ?? /^-[a-zA-Z]+?((?:[/.]|~\/).*)$/s.exec(word)?.[1] ?? '';

/** The path in a commit: `HEAD:x`, `:0:x`. */
const pathInCommit = (word: string): string => /^[^\s:]*:(?:\d:)?(.+)$/s.exec(word)?.[1] ?? '';

const isPatternGiven = ({ words }: Run): boolean =>
  words.some((word, index) => index > 0 && /^(?:-[a-zA-Z]*[ef]|--(?:reg|exp|fi))/.test(word));

const filesOf = (run: Run, name: string): readonly string[] => {
  const operands = operandsIn(run);
  if (BY_PATTERN.has(name) && !isPatternGiven(run) && !operands[0]?.includes(SPLIT)) return operands.slice(1);
  if (name !== 'find') return operands;
  const first = run.words.findIndex((word, index) => index > 0 && /^[-(!]/.test(word));
  const roots = run.words.slice(1, first < 0 ? undefined : first);
  return roots.length === 0 ? ['.'] : roots;
};

const outputsOf = (run: Run, name: string): readonly string[] => {
  const option = OUTPUT.get(name);
  if (option === undefined) return [];
  return run.words.flatMap((word, index) => {
    const attached = index === 0 ? undefined : option.exec(word)?.[1];
    return attached === undefined ? [] : [attached === '' ? (run.words[index + 1] ?? '') : attached];
  });
};

const farOf = (run: Run, name: string): readonly string[] => {
  const words = run.words.slice(1);
  const given = words.map(pathIn);
  return [
    ...[...filesOf(run, name), ...given].filter(isFar),
    // A secret counts wherever it stands.
    ...[...given, ...words.map(pathInCommit)].filter((path) => findSecretPath(path) !== undefined),
  ];
};

/** The files that it reads if it changes nothing. */
export const readBy = (run: Run, place: Place): readonly string[] => {
  const name = nameOf(run);
  const here = name === 'git' ? ['.'] : [];
  const files = readsOperands(name) ? filesOf(run, name) : [];
  const far = farOf(run, name).filter((word) => !/^(?:echo|printf)$/.test(name) || isWild(word));
  return resolvePaths([...here, ...files, ...far], place);
};

/** The files that a program may touch of which only the words are known. */
export const mentionedBy = (run: Run, place: Place): readonly string[] => resolvePaths(farOf(run, nameOf(run)), place);

/** If the last word may be a folder, a file that programs run is changed there by its own name. */
const runFilesIn = (files: readonly string[]): readonly string[] => {
  const folder = files.at(-1) ?? '';
  if (/[^/.]\.\w+$|^\/dev\//.test(folder)) return [];
  return files
    .slice(0, -1)
    .filter(isRunFile)
    .map((file) => `${folder}/${file.replace(/\/+$/, '').replace(/^.*\//s, '')}`);
};

/** They make a file whose name lacks this ending. */
const PACKED = /\.(?:t?gz|bz2|xz|lzma|zst)$/i;

const writtenWords = (run: Run, name: string): readonly string[] => {
  const files = filesOf(run, name);
  const outputs = outputsOf(run, name);
  if (name === 'git') return ['.', ...outputs, ...files.filter(isFar)];
  if (hasScript(run)) return isInPlace(run) ? files : [];
  if (name === 'tar' && !run.words.some((word) => /^(?:-x|--extract|--get)$/.test(word))) return archiveOf(run);
  if (outputs.length > 0) return outputs;
  if (UNPACKS.has(name) || files.length === 0)
    return ['.', ...(name === 'patch' ? files : name === 'split' ? files.slice(1) : [])];
  // A second name of a file changes with it.
  if (name === 'ln' && !run.words.some((word) => /^-[a-zA-Z]*s|^--s/.test(word)))
    return [...files, ...runFilesIn(files)];
  if (CHANGE_LAST.has(name)) return [...files.slice(-1), ...runFilesIn(files)];
  if (name === 'mv') return [...files, ...runFilesIn(files)];
  if (name === 'tar') return ['.'];
  return PACKERS.has(name) ? files.flatMap((file) => [file, file.replace(PACKED, '')]) : files;
};

/** The archive that tar packs into. */
const archiveOf = ({ words }: Run): readonly string[] => {
  const at = words.findIndex((word) => /^(?:-f|--file)$/.test(word));
  return [at < 0 ? '.' : (words[at + 1] ?? '.')];
};

interface Change {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Lines for a card. */
  readonly lost: readonly string[];
}

const lostBy = (run: Run, name: string, because: string, isDestroying: boolean, place: Place): readonly string[] => {
  const isDeep = name === 'rimraf' || run.words.some((word) => /^-[a-zA-Z]*[rR]|^--rec/.test(word));
  if (isDestroying && because === DELETES && name !== 'git')
    return showPaths(filesOf(run, name), place).map((path) => `deletes ${path}${isDeep ? ' and all below it' : ''}`);
  const written = name === 'mv' ? filesOf(run, name).slice(-1) : writtenWords(run, name);
  if (REPLACES.has(name)) return showPaths(written, place).map((path) => `replaces ${path} if it is there`);
  return isDestroying ? showPaths(written, place).map((path) => `${because.replace(/^it /, '')}: ${path}`) : [];
};

/** The files that it reads and changes. */
export const changedBy = (run: Run, because: string, isDestroying: boolean, place: Place): Change => {
  const name = nameOf(run);
  const far = farOf(run, name);
  if (NO_FILES.has(because)) {
    const paths = resolvePaths(far, place);
    return { reads: paths, writes: paths, lost: [because.replace(/^it /, '')] };
  }
  return {
    reads: resolvePaths([...(name === 'git' ? ['.'] : filesOf(run, name)), ...far], place),
    writes: resolvePaths(writtenWords(run, name), place),
    lost: lostBy(run, name, because, isDestroying, place),
  };
};
