/**
 * The stored files of a data folder or a bucket as lines of a backup, and back. Each is named by
 * the hash of its bytes, so a file that is not what its name says is left out, in both directions.
 * They keep their age: what is older than 30 days goes as usual, but for files of skills.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ATTACHMENT_BYTES_MAX } from '../../../lib/core/base/limits.ts';
import { loadS3 } from '../../../lib/core/store/clients.ts';
import { skillPlace } from '../../../lib/core/store/contents.ts';
import { CliError, EXIT } from '../../cli/terminal.ts';
import { BackupFileError, type BackupLine } from './backup-lines.ts';

const filesOf = (folder: string): string => join(folder, 'contents');

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

/** The place of a file: those of skills lie apart. */
type FilePlace = Pick<FileLine, 'space' | 'isOfSkill'>;

/** Name of the folder, or of the bucket's part, in which it lies. */
const placeName = ({ space, isOfSkill }: FilePlace): string => (isOfSkill === true ? skillPlace(space) : space);

const placesOf = (space: string): readonly FilePlace[] => [{ space }, { space, isOfSkill: true }];

function* linesOf(place: FilePlace, hash: string, bytes: Buffer, at: number): Generator<FileLine> {
  if (hashOf(bytes) !== hash) return;
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    const data = bytes.subarray(from, from + PIECE_BYTES).toString('base64');
    yield { type: 'file', ...place, hash, at, isLast: from + PIECE_BYTES >= bytes.length, data };
  }
}

/**
 * The same of a deployed stack's bucket, with the person's own credentials. One that is erased
 * meanwhile is left out. @param endpoint of a server that speaks S3; for tests
 */
export async function* bucketLines(bucket: string, space: string, endpoint?: string): AsyncGenerator<FileLine> {
  const { GetObjectCommand, NoSuchKey, paginateListObjectsV2, S3Client } = await loadS3();
  const client = new S3Client({
    maxAttempts: 3,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
  });
  for (const place of placesOf(space)) {
    const prefix = `${placeName(place)}/`;
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix }))
      for (const { Key = '', LastModified = new Date(), Size = 0 } of Contents) {
        if (Size > ATTACHMENT_BYTES_MAX) continue;
        try {
          const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key }));
          const bytes = Buffer.from((await Body?.transformToByteArray()) ?? []);
          yield* linesOf(place, Key.slice(prefix.length), bytes, LastModified.getTime());
        } catch (error) {
          if (!(error instanceof NoSuchKey)) throw error;
        }
      }
  }
}

/** @param folder the data folder */
export async function* fileLines(folder: string): AsyncGenerator<FileLine> {
  const spaces = new Set(namesIn(filesOf(folder)).map((name) => name.replace(/\..*$/, '')));
  for (const place of [...spaces].flatMap(placesOf)) {
    const within = join(filesOf(folder), placeName(place));
    for (const hash of namesIn(within)) {
      const found = await readIfThere(join(within, hash));
      if (found !== undefined) yield* linesOf(place, hash, found.bytes, found.at);
    }
  }
}

/** Of all files together: some hundred days of photos. */
const BACKUP_FILES_BYTES_MAX = 4_000_000_000;

const bytesOf = ({ data }: FileLine): number => Buffer.byteLength(data, 'base64');

/** @throws CliError if they are more than a backup holds */
export async function* boundFiles(
  files: AsyncIterable<FileLine>,
  bytesMax = BACKUP_FILES_BYTES_MAX,
): AsyncGenerator<FileLine> {
  let bytes = 0;
  for await (const line of files) {
    bytes += bytesOf(line);
    if (bytes > bytesMax)
      throw new CliError(
        EXIT.failed,
        `the stored files have more than ${bytesMax / 1_000_000} MB, which is the most that a backup holds; none was written`,
        'without --with-files it holds the table alone',
      );
    yield line;
  }
}

/**
 * Puts the pieces of files together again. @returns a file with its last piece
 * @throws BackupFileError if the bytes are not what their name says, or too many
 */
export const joinPieces = () => {
  let pieces: Buffer[] = [];
  let [size, all] = [0, 0];
  return (line: FileLine): Buffer | undefined => {
    pieces.push(Buffer.from(line.data, 'base64'));
    size += bytesOf(line);
    all += bytesOf(line);
    if (all > BACKUP_FILES_BYTES_MAX) throw new BackupFileError('it has more files than a backup holds');
    if (size > ATTACHMENT_BYTES_MAX) throw new BackupFileError('it has a file that is larger than any message brings');
    if (!line.isLast) return undefined;
    const whole = Buffer.concat(pieces);
    if (hashOf(whole) !== line.hash) throw new BackupFileError('it has a file that is not what its name says');
    pieces = [];
    size = 0;
    return whole;
  };
};

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
  const wholeOf = joinPieces();
  const whole: { readonly place: string; readonly hash: string }[] = [];
  return {
    take: (line) => {
      const bytes = wholeOf(line);
      if (bytes === undefined) return;
      const { hash, at } = line;
      const place = placeName(line);
      mkdirSync(join(draft, place), { recursive: true, mode: 0o700 });
      const path = join(draft, place, hash);
      writeFileSync(path, bytes, { mode: 0o600 });
      utimesSync(path, at / 1000, at / 1000);
      whole.push({ place, hash });
    },
    keep: () => {
      for (const { place, hash } of whole) {
        mkdirSync(join(filesOf(folder), place), { recursive: true, mode: 0o700 });
        renameSync(join(draft, place, hash), join(filesOf(folder), place, hash));
      }
      drop();
      return whole.length;
    },
    drop,
  };
};
