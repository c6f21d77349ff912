/**
 * The data folder of one local stack: private to its owner, used by one stack at a time. Promises that a second start is
 * refused with the first one's process id, that a lock left by a crash is taken over, and that tokens we make are made once.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ConfigError, PassepartoutError } from '../../lib/base/errors.ts';
import { findProcess } from './process-table.ts';

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

/**
 * The cache of bundles takes 10 MB, the table's write-ahead log some more: a start with less would
 * end half way.
 */
const FREE_BYTES_MIN = 32 * 1024 * 1024;

/**
 * Makes the folder and its parents; other accounts of the machine may not look into it.
 * @throws ConfigError if the disk is nearly full
 */
export const openFolder = (folder: string): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= FREE_BYTES_MIN) return;
  const freeMb = Math.floor((bavail * bsize) / 1_000_000);
  throw new ConfigError([
    `DATA_DIR: the disk of ${folder} has ${freeMb} MB free; make room for at least ${FREE_BYTES_MIN / 1024 / 1024} MB`,
  ]);
};

/**
 * Takes the folder for this process. Gives the function that releases it.
 * @throws FolderInUseError naming the process that has it
 */
export const lockFolder = (folder: string): (() => void) => {
  const path = join(folder, LOCK);
  const own: Owner = { pid: process.pid, startedAt: findProcess(process.pid)?.startedAt ?? '' };
  for (let attempt = 0; attempt < TAKEOVER_TRIES_MAX; attempt += 1) {
    try {
      writeFileSync(path, JSON.stringify(own), { ...PRIVATE_FILE, flag: 'wx' });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if (!isPresent(error)) throw error;
    }
    const owner = readOwner(path);
    if (owner !== undefined && findProcess(owner.pid)?.startedAt === owner.startedAt) {
      throw new FolderInUseError(folder, owner.pid);
    }
    // Its process is gone. Renaming takes the file away from exactly one of several starts that see this.
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
  approverToken: z.string().min(1),
  telegramWebhookSecret: z.string().min(1),
  logSigningKey: z.string().min(1),
});
export type Tokens = z.infer<typeof Tokens>;

/**
 * The tokens of this folder: read, or made (256 random bits each, hex) and kept for the owner alone. They serve where the
 * environment sets none; the command line reads them from the same file.
 */
export const keepTokens = (folder: string): Tokens => {
  const path = join(folder, 'tokens.json');
  const make = (): string => randomBytes(32).toString('hex');
  const fresh: Tokens = {
    approverToken: make(),
    telegramWebhookSecret: make(),
    logSigningKey: make(),
  };
  try {
    // An earlier release made a console token, too: nothing takes it any more.
    const { consoleToken, ...stored } = z.looseObject({}).parse(JSON.parse(readFileSync(path, 'utf8')));
    const tokens = Tokens.parse({ ...fresh, ...stored });
    // What an earlier release did not know is made once, too: another key would be another log.
    if (consoleToken !== undefined || !Object.keys(tokens).every((name) => Object.hasOwn(stored, name)))
      replaceFile(path, JSON.stringify({ ...stored, ...tokens }));
    return tokens;
  } catch (error) {
    if (!isMissing(error))
      throw new ConfigError([`${path} is not what was written there; remove it to get new tokens`]);
  }
  replaceFile(path, JSON.stringify(fresh));
  return fresh;
};

/** Writes a file as a whole or not at all. */
export const replaceFile = (path: string, text: string): void => {
  const draft = `${path}.${process.pid}.draft`;
  writeFileSync(draft, text, PRIVATE_FILE);
  renameSync(draft, path);
};
