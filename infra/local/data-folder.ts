/**
 * The data folder of one local stack: private, and used by one stack at a time. The lock of a
 * crashed stack is taken over. Failures of files become sentences that say what to do.
 */

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { url as inspectorUrl } from 'node:inspector';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { ConfigError, PassepartoutError } from '../../lib/core/base/errors.ts';

export const TABLE_NAME = 'passepartout';
/** Keys of providers that were added while the stack runs. */
export const VAULT_FILE = 'vault.json';

/** By error code, the cause of a failed file operation and the way out. */
const CAUSES: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; make room',
  EDQUOT: 'the disk quota of this account is used up; make room',
  EROFS: 'the file system is read-only; set DATA_DIR to a folder that can be written',
  EACCES: 'this account may not use it; change its permissions, or set DATA_DIR to a folder of your own',
  EPERM: 'the system does not permit it; change its permissions, or set DATA_DIR to a folder of your own',
  ENOENT: 'it cannot be made there; set DATA_DIR to a folder that can be written',
  ENOTDIR: 'a file stands where a folder is needed; remove it, or set another DATA_DIR',
  EEXIST: 'a file stands where a folder is needed; remove it, or set another DATA_DIR',
  EISDIR: 'a folder stands where a file is needed; remove it, or set another DATA_DIR',
  EIO: 'the disk reports an error; check it, and restore the folder from a backup if need be',
};

const OF_OTHERS = 'it belongs to another account; start as that account, or set DATA_DIR to a folder of your own';

/** Tells whether another account owns it or, if it is not there, the nearest folder above it. */
const isOfOthers = (path: string): boolean => {
  // Windows has no numbers of accounts.
  if (process.getuid === undefined) return false;
  try {
    return statSync(path).uid !== process.getuid();
  } catch {
    return dirname(path) !== path && isOfOthers(dirname(path));
  }
};

/** @returns undefined if the error is not about a file, or no person can mend its cause */
export const describeFileProblem = (error: unknown, path?: string): string | undefined => {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const code = String(error.code);
  const file = path ?? ('path' in error ? String(error.path) : undefined);
  if (CAUSES[code] === undefined || file === undefined) return undefined;
  const isOwners = (code === 'EACCES' || code === 'EPERM') && isOfOthers(file);
  return `${file} cannot be used: ${isOwners ? OF_OTHERS : CAUSES[code]}.`;
};

const readProc = (pid: number): string | undefined => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses may hold anything; fields are counted from the last one. The state is
  // the first of them.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? undefined : fields[19];
};

/** Tells a process from a stranger that got its number. Undefined if there is none. */
export const findStart = (pid: number): string | undefined => {
  try {
    if (process.platform === 'linux') return readProc(pid);
    return execFileSync('ps', ['-o', 'lstart=', '-p', `${pid}`], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
};

const OTHERS = 0o077;
const isOpenToOthers = (path: string): boolean => (statSync(path).mode & OTHERS) !== 0;

export interface DoorInput {
  readonly dataDir: string;
  readonly envFile: string;
  readonly platform: NodeJS.Platform;
  /** Address of a debugger that may attach to this process. */
  readonly inspector: string | undefined;
}

export const doorInput = (dataDir: string, envFile: string): DoorInput => ({
  dataDir,
  envFile,
  platform: process.platform,
  inspector: inspectorUrl(),
});

/** Doors that other accounts of the machine could use. Nothing is refused: it may have only one. */
export const findOpenDoors = ({ dataDir, envFile, platform, inspector }: DoorInput): readonly string[] => {
  const sentences: string[] = [];
  if (platform === 'win32')
    sentences.push(`Windows has no modes of files: whoever may open ${dataDir} reads all that is kept there.`);
  else {
    if (isOpenToOthers(dataDir))
      sentences.push(
        `The file system of ${dataDir} keeps no modes: other accounts can read all that is kept there; set another DATA_DIR.`,
      );
    if (existsSync(envFile) && isOpenToOthers(envFile))
      sentences.push(`Other accounts can read the keys in ${envFile}: run "chmod 600 ${envFile}".`);
  }
  if (inspector !== undefined)
    sentences.push(
      `A debugger listens at ${new URL(inspector).host}: every account of this machine can run code here; start without --inspect.`,
    );
  return sentences;
};

/** Another stack is running on the same folder. */
export class FolderInUseError extends PassepartoutError {
  override readonly name: string = 'FolderInUseError';
  readonly pid: number;
  constructor(folder: string, pid: number) {
    super(`${folder} is in use by the stack with process id ${pid}; stop it first, or set another DATA_DIR`, false);
    this.pid = pid;
  }
}

const Owner = z.object({ pid: z.int(), startedAt: z.string() });
type Owner = z.infer<typeof Owner>;

const LOCK = 'lock.json';
const PRIVATE_FILE = { mode: 0o600 } as const;
const TAKEOVER_TRIES_MAX = 5;

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';
const isPresent = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';

const readOwner = (path: string): Owner | undefined => {
  try {
    return Owner.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
};

/** The cache of bundles takes 10 MB, and the table's write-ahead log some more. */
const FREE_BYTES_MIN = 32 * 1024 * 1024;

/** One folder at a time: the recursive form of Node never returns below /proc. */
const makeFolder = (folder: string): void => {
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!isPresent(error) || !statSync(folder).isDirectory()) throw error;
  }
};

/** @returns a sentence if the disk is nearly full */
export const findDiskProblem = (folder: string, bytesMin = FREE_BYTES_MIN): string | undefined => {
  const { bavail, bsize } = statfsSync(folder);
  const freeMb = Math.floor((bavail * bsize) / 1_000_000);
  return bavail * bsize >= bytesMin
    ? undefined
    : `the disk of ${folder} has ${freeMb} MB free; make room for at least ${FREE_BYTES_MIN / 1024 / 1024} MB`;
};

/** Other accounts of the machine may not look into it. @throws ConfigError if the disk is full */
export const openFolder = (folder: string): void => {
  makeFolder(folder);
  chmodSync(folder, 0o700);
  const problem = findDiskProblem(folder);
  if (problem !== undefined) throw new ConfigError([`DATA_DIR: ${problem}`]);
};

/** @returns the release. @throws FolderInUseError naming the process that has it */
export const lockFolder = (folder: string): (() => void) => {
  const path = join(folder, LOCK);
  const own: Owner = { pid: process.pid, startedAt: findStart(process.pid) ?? '' };
  for (let attempt = 0; attempt < TAKEOVER_TRIES_MAX; attempt += 1) {
    try {
      writeFileSync(path, JSON.stringify(own), { ...PRIVATE_FILE, flag: 'wx' });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if (!isPresent(error)) throw error;
    }
    const owner = readOwner(path);
    if (owner !== undefined && findStart(owner.pid) === owner.startedAt) {
      throw new FolderInUseError(folder, owner.pid);
    }
    // Its process is gone. Renaming takes the file away from exactly one of several starts that see
    // this.
    const stale = `${path}.${process.pid}`;
    try {
      renameSync(path, stale);
      rmSync(stale, { force: true });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  throw new Error(`${path} keeps being taken: is another stack starting?`);
};

const Tokens = z.object({
  approverToken: z.string().check(z.minLength(1)),
  telegramWebhookSecret: z.string().check(z.minLength(1)),
  logSigningKey: z.string().check(z.minLength(1)),
  runnerSigningKey: z.string().check(z.minLength(1)),
});
export type Tokens = z.infer<typeof Tokens>;

/** Made at the first start; they hold if the environment sets none. The command line reads them. */
export const keepTokens = (folder: string): Tokens => {
  const path = join(folder, 'tokens.json');
  const make = (): string => randomBytes(32).toString('hex');
  const fresh: Tokens = {
    approverToken: make(),
    telegramWebhookSecret: make(),
    logSigningKey: make(),
    runnerSigningKey: make(),
  };
  try {
    const stored = z.looseObject({}).parse(JSON.parse(readFileSync(path, 'utf8')));
    const tokens = Tokens.parse({ ...fresh, ...stored });
    // A token that an earlier release did not know is made once: another key would be another log.
    if (!Object.keys(tokens).every((name) => Object.hasOwn(stored, name)))
      replaceFile(path, JSON.stringify({ ...stored, ...tokens }));
    return tokens;
  } catch (error) {
    const problem = isMissing(error) ? undefined : describeFileProblem(error);
    if (problem !== undefined) throw new ConfigError([problem]);
    if (!isMissing(error))
      throw new ConfigError([
        `${path} is not what was written there: put a copy of it back, or restore a backup. Without it the evidence log cannot go on`,
      ]);
  }
  replaceFile(path, JSON.stringify(fresh));
  return fresh;
};

/** Writes a file whole or not at all, and to the disk before it returns. */
export const replaceFile = (path: string, text: string): void => {
  const draft = `${path}.${process.pid}.draft`;
  writeFileSync(draft, text, { ...PRIVATE_FILE, flush: true });
  renameSync(draft, path);
};
