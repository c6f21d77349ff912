/**
 * The pictures of a data folder as lines of a backup, and back. Each is named by the hash of its
 * bytes, so a file that is not what its name says is left out, in both directions. They keep their
 * age: what is older than 30 days goes as usual.
 */
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
} from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupFileError, type BackupLine } from './backup-lines.ts';

export const filesOf = (folder: string): string => join(folder, 'contents');

type FileLine = Extract<BackupLine, { type: 'file' }>;

/** Base64 of so many bytes fits a line. */
const PIECE_BYTES = 1_000_000;

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);

const isGone = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** A running stack may erase one meanwhile. */
const readIfThere = async (path: string) => {
  try {
    return { bytes: await readFile(path), at: Math.round((await stat(path)).mtimeMs) };
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
};

/** @param folder the data folder */
export async function* fileLines(folder: string): AsyncGenerator<FileLine> {
  for (const space of namesIn(filesOf(folder)))
    for (const hash of namesIn(join(filesOf(folder), space))) {
      const found = await readIfThere(join(filesOf(folder), space, hash));
      if (found === undefined || hashOf(found.bytes) !== hash) continue;
      const { bytes, at } = found;
      for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
        const data = bytes.subarray(from, from + PIECE_BYTES).toString('base64');
        yield { type: 'file', space, hash, at, isLast: from + PIECE_BYTES >= bytes.length, data };
      }
    }
}

export interface RestoredFiles {
  /** @throws BackupFileError if the bytes are not what their name says */
  readonly take: (line: FileLine) => void;
  /** Puts all of them in their places. @returns how many there are */
  readonly keep: () => number;
  readonly drop: () => void;
}

/** Writes beside: nothing is in its place before `keep`. @param folder the data folder */
export const openRestoredFiles = (folder: string): RestoredFiles => {
  const draft = `${filesOf(folder)}.restored`;
  const drop = (): void => rmSync(draft, { recursive: true, force: true });
  drop();
  const whole: { readonly space: string; readonly hash: string }[] = [];
  return {
    take: ({ space, hash, at, isLast, data }) => {
      mkdirSync(join(draft, space), { recursive: true, mode: 0o700 });
      const path = join(draft, space, hash);
      appendFileSync(path, Buffer.from(data, 'base64'), { mode: 0o600 });
      if (!isLast) return;
      if (hashOf(readFileSync(path)) !== hash)
        throw new BackupFileError('it has a file that is not what its name says');
      utimesSync(path, at / 1000, at / 1000);
      whole.push({ space, hash });
    },
    keep: () => {
      for (const { space, hash } of whole) {
        mkdirSync(join(filesOf(folder), space), { recursive: true, mode: 0o700 });
        renameSync(join(draft, space, hash), join(filesOf(folder), space, hash));
      }
      drop();
      return whole.length;
    },
    drop,
  };
};
