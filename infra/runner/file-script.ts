/**
 * Runs inside the sandbox and touches one file. The file that it opened must be where the path was
 * judged to lead, and must have no second name; a write goes to a new file that takes the name. One
 * JSON line in, one out. It imports nothing of this repository: only this file is in the sandbox.
 */
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { createInterface } from 'node:readline';

/** A fault that is told as it is. */
class Refused extends Error {}

const refuse = (why: string): never => {
  throw new Refused(why);
};

const isLinux = existsSync('/proc/self/fd');

/** The path of a descriptor now; macOS cannot say it, so there the path is resolved again. */
const placeOf = (fd: number, path: string): string =>
  isLinux ? readlinkSync(`/proc/self/fd/${fd}`) : realpathSync(path);

const open = (path: string, flags: number, judged: string): number => {
  const fd = openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if (placeOf(fd, judged) !== judged) refuse('it is not where its path was judged to lead');
  return fd;
};

const openFile = (path: string, judged: string, bytesMax: number): { readonly fd: number; readonly stats: Stats } => {
  const fd = open(path, constants.O_RDONLY, judged);
  const stats = fstatSync(fd);
  if (!stats.isFile()) refuse('it is no ordinary file');
  if (stats.nlink > 1) refuse('it has a second name (a hard link), which may be anywhere');
  if (stats.size > bytesMax) refuse(`it is larger than ${Math.floor(bytesMax / 2 ** 20)} MB`);
  return { fd, stats };
};

interface Order {
  readonly op: string;
  readonly path: string;
  /** Bytes of a file, or names of a folder. */
  readonly max: number;
}

const read = ({ path, max }: Order): string => {
  const { fd } = openFile(path, path, max);
  return readFileSync(fd).toString('base64');
};

const list = ({ path, max }: Order): readonly string[] => {
  const fd = open(path, constants.O_RDONLY | constants.O_DIRECTORY, path);
  const entries = readdirSync(isLinux ? `/proc/self/fd/${fd}` : path, { withFileTypes: true });
  // A name with a line break would look like two.
  const names = entries.map(
    (entry) =>
      `${entry.name.replaceAll('\n', '\ufffd')}${entry.isDirectory() ? '/' : entry.isSymbolicLink() ? '@' : ''}`,
  );
  const sorted = names.toSorted();
  return sorted.length > max ? [...sorted.slice(0, max), `… and ${sorted.length - max} more`] : sorted;
};

interface Old {
  readonly content: string | null;
  readonly mark: string;
  readonly mode: number;
}

const markOf = ({ ino, size, mtimeMs, ctimeMs }: Stats): string => `${ino} ${size} ${mtimeMs} ${ctimeMs}`;

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const readOld = (at: string, judged: string, max: number): Old => {
  try {
    const { fd, stats } = openFile(at, judged, max);
    const content = readFileSync(fd).toString('base64');
    closeSync(fd);
    return { content, mark: markOf(stats), mode: stats.mode & 0o777 };
  } catch (error) {
    if (isMissing(error)) return { content: null, mark: '', mode: 0o644 };
    throw error;
  }
};

const replace = (folder: number, at: (name: string) => string, name: string, content: Buffer, mode: number): void => {
  const draft = at(`.${randomUUID()}.new`);
  const fd = openSync(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, mode);
  try {
    writeFileSync(fd, content);
    fsyncSync(fd);
    renameSync(draft, at(name));
    fsyncSync(folder);
  } catch (error) {
    unlinkSync(draft);
    throw error;
  } finally {
    closeSync(fd);
  }
};

/** @param next gives the new content, or undefined to leave the file */
const write = async ({ path, max }: Order, say: (line: unknown) => void, next: () => Promise<string | undefined>) => {
  mkdirSync(dirname(path), { recursive: true });
  const folder = open(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY, dirname(path));
  const at = (name: string): string => (isLinux ? `/proc/self/fd/${folder}/${name}` : `${dirname(path)}/${name}`);
  const name = basename(path);
  const old = readOld(at(name), path, max);
  say({ old: old.content });
  const content = await next();
  if (content === undefined) return;
  if (readOld(at(name), path, max).mark !== old.mark) refuse('it changed while it was being replaced');
  replace(folder, at, name, Buffer.from(content, 'base64'), old.mode);
};

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'it may not be opened',
  ELOOP: 'it is a symbolic link',
  ENOTDIR: 'it is no folder',
  EISDIR: 'it is a folder',
  EROFS: 'it may not be changed',
  ENOSPC: 'the disk is full',
};

const describe = (error: unknown): string => {
  if (error instanceof Refused) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return WORDS[code] ?? `the system refuses it (${code})`;
};

const main = async (): Promise<void> => {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const next = async (): Promise<string | undefined> => {
    const { value, done } = await lines.next();
    return done === true ? undefined : String(value);
  };
  const say = (line: unknown): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
  try {
    const order: Order = JSON.parse((await next()) ?? '');
    if (order.op === 'read') say({ done: read(order) });
    else if (order.op === 'list') say({ done: list(order).join('\n') });
    else if (order.op === 'write') {
      await write(order, say, next);
      say({ done: '' });
    } else refuse('this script does not know the operation');
  } catch (error) {
    say({ problem: describe(error) });
  }
  process.stdin.destroy();
};

await main();
