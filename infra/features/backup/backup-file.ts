/**
 * The file of a backup: compressed lines in the age format (age-encryption.org), which other
 * programs open too. Both ways are streams: the process keeps a few chunks, whatever the size.
 */
import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { Decrypter, Encrypter } from 'age-encryption';
import { BACKUP_LINE_CHARS_MAX, BackupFileError, type BackupLine, parseLine } from './backup-lines.ts';

/** Lines are written in pieces of about this size. */
const PIECE_CHARS = 64 * 1024;

async function* inPieces(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = '';
  for await (const line of lines) {
    piece += `${line}\n`;
    if (piece.length < PIECE_CHARS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** The types of Node's and of the browser's streams differ, the streams do not. */
const asWeb = (stream: Readable): ReadableStream<Uint8Array> => ReadableStream.from<Uint8Array>(stream);

/** Bytes on the disk before the name says so. */
const flush = async (path: string): Promise<void> => {
  await using file = await open(path, 'r+');
  await file.sync();
};

export interface WriteOptions {
  readonly passphrase: string;
  /** Base-2 logarithm of scrypt's work; tests take less than the usual 18. */
  readonly workFactor?: number | undefined;
}

/** A backup that is killed leaves it; the next one to the same file replaces it. */
export const draftOf = (path: string): string => `${path}.part`;

/** Writes the whole file or none. */
export const writeBackup = async (
  path: string,
  lines: AsyncIterable<string>,
  { passphrase, workFactor }: WriteOptions,
): Promise<void> => {
  const draft = draftOf(path);
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  if (workFactor !== undefined) encrypter.setScryptWorkFactor(workFactor);
  // A stream opens its file later, perhaps after a failure has removed it.
  const file = await open(draft, 'w', 0o600);
  try {
    const plain = Readable.from(inPieces(lines), { objectMode: false });
    const packed = createGzip();
    plain.once('error', (error) => packed.destroy(error));
    const sealed = await encrypter.encrypt(asWeb(plain.pipe(packed)));
    await pipeline(sealed, file.createWriteStream());
    await flush(draft);
    await rename(draft, path);
  } catch (error) {
    await file.close();
    await rm(draft, { force: true });
    throw error;
  }
};

const DAMAGED = 'it is damaged or cut off';

const openStream = async (path: string, passphrase: string): Promise<ReadableStream<Uint8Array>> => {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  const file = createReadStream(path);
  try {
    return await decrypter.decrypt(asWeb(file));
  } catch {
    file.destroy();
    throw new BackupFileError('the passphrase is wrong, or the file is no backup');
  }
};

async function* readLines(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const chunk of stream) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > BACKUP_LINE_CHARS_MAX) throw new BackupFileError(DAMAGED);
    yield* lines;
  }
  if (rest !== '') throw new BackupFileError(DAMAGED);
}

/**
 * The lines of a backup; the last is its end. Nothing may be made of them before that.
 * @throws BackupFileError
 */
export async function* readBackup(path: string, passphrase: string): AsyncGenerator<BackupLine> {
  const packed = Readable.from(await openStream(path, passphrase));
  const plain = createGunzip();
  packed.once('error', (error) => plain.destroy(error));
  packed.pipe(plain);
  let last: BackupLine | undefined;
  try {
    for await (const text of readLines(plain)) {
      if (last?.type === 'end') throw new BackupFileError(DAMAGED);
      const line = parseLine(text);
      if ((last === undefined) !== (line.type === 'header')) throw new BackupFileError(DAMAGED);
      last = line;
      yield line;
    }
  } catch (error) {
    throw error instanceof BackupFileError ? error : new BackupFileError(DAMAGED, { cause: error });
  }
  if (last?.type !== 'end') throw new BackupFileError(DAMAGED);
}
