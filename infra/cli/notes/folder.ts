/**
 * Reads the notes of a folder, and writes exported ones. Reading follows no link and opens nothing
 * hidden, no place of secrets, and not the data folder. Writing goes through no link, leaves other
 * content alone unless overwriting is meant, and shows each file whole or not at all.
 */
import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { findSecretPath } from '../../../lib/core/text/find-secret-path.ts';
import { formatOf, NOTE_FILE_BYTES_MAX, type NoteFormat, type NoteProblem } from './note.ts';
import type { ExportFile } from './plan-export.ts';

/** Files of one import, and folders inside folders: a larger folder is not somebody's notes. */
const NOTE_FILES_MAX = 20_000;
const NOTE_FOLDER_DEPTH_MAX = 32;

export interface FoundFile {
  /** Path inside the folder, with `/`. */
  readonly file: string;
  readonly format: NoteFormat;
}

export interface NoteFile extends FoundFile {
  readonly text: string;
  readonly remarks: readonly NoteProblem[];
  /** Its bytes are the text in UTF-8, so that writing it back loses none. */
  readonly isUtf8: boolean;
}

const isInside = (path: string, folder: string): boolean => path === folder || path.startsWith(folder + sep);

const linkProblem = async (path: string, root: string): Promise<string | undefined> => {
  try {
    const target = await realpath(path);
    return isInside(target, root) ? undefined : 'a link out of the folder is not followed';
  } catch {
    return 'a link that leads nowhere';
  }
};

/** @param excluded folders that are never read, such as the data folder */
export const findNotes = async (folder: string, excluded: readonly string[]) => {
  const root = await realpath(folder);
  const closed = await Promise.all(excluded.map((path) => realpath(path).catch(() => resolve(path))));
  const found: FoundFile[] = [];
  const problems: NoteProblem[] = [];
  const report = (file: string, problem: string): void => void problems.push({ file, line: 1, problem });

  const visit = async (inside: readonly string[]): Promise<void> => {
    const names = (await readdir(join(root, ...inside))).sort();
    for (const name of names) {
      if (name.startsWith('.')) continue;
      const file = [...inside, name].join('/');
      const path = join(root, ...inside, name);
      if (closed.some((one) => isInside(path, one))) continue;
      const stat = await lstat(path).catch(() => undefined);
      const format = formatOf(name);
      if (stat?.isSymbolicLink() === true) {
        const problem = await linkProblem(path, root);
        if (problem !== undefined) report(file, problem);
      } else if (stat?.isDirectory() === true) {
        if (inside.length + 1 >= NOTE_FOLDER_DEPTH_MAX) report(file, 'a folder too deep inside folders');
        else await visit([...inside, name]).catch(() => report(file, 'cannot be read'));
      } else if (format !== undefined && stat?.isFile() === true) {
        if (findSecretPath(path) !== undefined) report(file, 'a place where secrets live is not read');
        else if (found.length >= NOTE_FILES_MAX) report(file, `more than ${NOTE_FILES_MAX} files: not read`);
        else found.push({ file, format });
      }
    }
  };
  await visit([]);
  return { found, problems };
};

interface Decoded {
  readonly text: string;
  readonly line?: number;
  readonly problem?: string;
}

/** The text in UTF-8, UTF-16 with its mark, or as well as can be; undefined if it is binary. */
const decode = (bytes: Buffer): Decoded | undefined => {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return { text: new TextDecoder('utf-16le').decode(bytes) };
  if (first === 0xfe && second === 0xff) return { text: new TextDecoder('utf-16be').decode(bytes) };
  if (bytes.includes(0)) return undefined;
  const text = bytes.toString('utf8');
  if (isUtf8(bytes)) return { text };
  // No letter beyond ASCII is UTF-8: the file is of the usual encoding of old Windows.
  if (!/[^\0-\x7f\ufffd]/.test(text))
    return {
      text: new TextDecoder('windows-1252').decode(bytes),
      line: 1,
      problem: 'it is not UTF-8 and is read as Windows-1252: save it as UTF-8 if letters are wrong',
    };
  return {
    text,
    line: text.slice(0, text.indexOf('\ufffd')).split(/\r\n|\n|\r/).length,
    problem: 'bytes that are no UTF-8 are shown as \ufffd: save the file as UTF-8 and import it again',
  };
};

/** One file's text, or what keeps it out. A link that was put in its place meanwhile is refused. */
export const loadNote = async (folder: string, { file, format }: FoundFile): Promise<NoteFile | NoteProblem> => {
  try {
    await using handle = await open(
      join(folder, ...file.split('/')),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    const stat = await handle.stat();
    if (!stat.isFile()) return { file, line: 1, problem: 'not a file any more' };
    if (stat.size > NOTE_FILE_BYTES_MAX)
      return {
        file,
        line: 1,
        problem: `${stat.size} bytes, more than the ${NOTE_FILE_BYTES_MAX} one file may have: split it`,
      };
    const bytes = await handle.readFile();
    const decoded = decode(bytes);
    if (decoded === undefined) return { file, line: 1, problem: 'binary, not text' };
    const { text, line = 1, problem } = decoded;
    return {
      file,
      format,
      text,
      remarks: problem === undefined ? [] : [{ file, line, problem }],
      isUtf8: isUtf8(bytes),
    };
  } catch {
    return { file, line: 1, problem: 'cannot be read' };
  }
};

export type Saved = 'written' | 'unchanged' | 'differs' | 'refused';

/** The text at a path after `text:`, undefined if nothing is there, or `no file`. */
export const lookAt = async (path: string): Promise<string | undefined | 'no file'> => {
  const stat = await lstat(path).catch(() => undefined);
  if (stat === undefined) return undefined;
  return stat.isFile() ? `text:${await readFile(path, 'utf8')}` : 'no file';
};

/** One by one, so that none is made through a link; false if something is in the way. */
export const makeFolders = async (root: string, names: readonly string[]): Promise<boolean> => {
  for (const n of names.keys()) {
    const path = join(root, ...names.slice(0, n + 1));
    const stat = await lstat(path).catch(() => undefined);
    if (stat === undefined) await mkdir(path);
    else if (!stat.isDirectory()) return false;
  }
  return true;
};

const saveNote = async (root: string, { file, text }: ExportFile, mayOverwrite: boolean): Promise<Saved> => {
  const path = join(root, ...file.split('/'));
  const folder = dirname(path);
  if (!(await makeFolders(root, file.split('/').slice(0, -1)))) return 'refused';
  const found = await lookAt(path);
  if (found === 'no file') return 'refused';
  if (found === `text:${text}`) return 'unchanged';
  if (found !== undefined && !mayOverwrite) return 'differs';
  const fresh = join(folder, `.${basename(path)}.${randomUUID()}`);
  try {
    await writeFile(fresh, text, { flag: 'wx' });
    await rename(fresh, path);
    return 'written';
  } finally {
    await rm(fresh, { force: true });
  }
};

/** The outcome of each file, in order. */
export const saveNotes = async (
  folder: string,
  files: readonly ExportFile[],
  mayOverwrite: boolean,
): Promise<readonly { readonly file: string; readonly saved: Saved }[]> => {
  await mkdir(folder, { recursive: true });
  const root = await realpath(folder);
  const results: { readonly file: string; readonly saved: Saved }[] = [];
  for (const one of files)
    results.push({ file: one.file, saved: await saveNote(root, one, mayOverwrite).catch(() => 'refused' as const) });
  return results;
};
