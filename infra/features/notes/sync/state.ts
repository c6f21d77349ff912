/**
 * The state that a folder and memory agreed on in the last round: a hidden file of the folder, with
 * hashes and ids and no word of a note. It is replaced whole. A round holds a lock beside it.
 */
import { open, readFile, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { MINUTE_MS } from '../../../../lib/core/base/limits.ts';
import { CliError, EXIT, printable } from '../../../cli/terminal.ts';

const STATE_FILE = '.passepartout-sync.json';
const LOCK_FILE = '.passepartout-sync.lock';
/** A round ends sooner; the lock of another machine that is older was left by a crash. */
const LOCK_STALE_MS = 30 * MINUTE_MS;

const Hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const Key = z.string().check(z.minLength(1), z.maxLength(256));

const StateNote = z.strictObject({
  key: Key,
  /** Depth in its file, from 0. */
  level: z.int().check(z.nonnegative()),
  /** Of its words as both sides had them; absent if they never agreed. */
  hash: z.optional(Hash),
  /** The key that a reader of the file gives it. */
  place: Key,
  /** Its object in memory. */
  object: z.optional(z.string()),
  isOutside: z.optional(z.literal(true)),
});
export type StateNote = z.infer<typeof StateNote>;

const StateFile = z.strictObject({
  /** Of memory, when both sides were read. */
  commit: z.int(),
  /** Key of the document. */
  root: Key,
  /** In the order of the file; none before the first agreement. */
  notes: z.array(StateNote),
  /** Hashes on their way, written before a side is changed: a round may die in the middle. */
  toMemory: z.optional(z.record(Key, Hash)),
  toFile: z.optional(z.record(Key, Hash)),
});
export type StateFile = z.infer<typeof StateFile>;

const Question = z.strictObject({
  kind: z.enum(['differs', 'gone-from-memory', 'gone-from-file', 'forgotten']),
  file: z.string(),
  key: Key,
  object: z.optional(z.string()),
  /** Of the object when it was asked: an answer in a chat makes a newer one. */
  version: z.optional(z.int()),
  /** Memory's own words as they stand in the copy. */
  hash: z.optional(Hash),
  /** The file with memory's version. If a person removes it, the file's version counts. */
  copy: z.optional(z.string()),
  answer: z.optional(z.enum(['file', 'memory'])),
});
export type Question = z.infer<typeof Question>;

const State = z.strictObject({
  schemaVersion: z.literal(1),
  /** Random: keys of notes of two folders differ. */
  folder: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  files: z.record(z.string(), StateFile),
  /** By a short code that a person types. */
  questions: z.record(z.string(), Question),
});
export type State = z.infer<typeof State>;

/** @throws CliError (exit 2) if the file is damaged: a person decides, nothing is guessed */
export const loadState = async (root: string): Promise<State | undefined> => {
  const path = join(root, STATE_FILE);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new CliError(EXIT.usage, `${printable(path)} cannot be read`);
  });
  if (text === undefined) return undefined;
  try {
    return z.parse(State, JSON.parse(text));
  } catch {
    throw new CliError(
      EXIT.usage,
      `${printable(path)} is damaged, or of another release`,
      'remove it to begin anew: what differs then is asked about, and nothing is overwritten',
    );
  }
};

/** Written whole or not at all. One round writes at a time, so the name beside it is free. */
export const writeWhole = async (path: string, text: string, mode: number): Promise<void> => {
  const fresh = join(dirname(path), `.${basename(path)}.part`);
  // Of a round that was killed.
  await rm(fresh, { force: true });
  {
    await using handle = await open(fresh, 'wx', mode);
    await handle.writeFile(text);
    await handle.sync();
  }
  await rename(fresh, path);
};

export const saveState = (root: string, state: State): Promise<void> =>
  writeWhole(join(root, STATE_FILE), `${JSON.stringify(state)}\n`, 0o600);

const Lock = z.object({ pid: z.int(), host: z.string(), at: z.int() });

const isHeld = (text: string, now: number): boolean => {
  try {
    const { pid, host, at } = z.parse(Lock, JSON.parse(text));
    if (host !== hostname()) return now - at < LOCK_STALE_MS;
    if (pid === process.pid) return true;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

/** @returns what ends the lock; undefined if another round runs */
export const takeLock = async (root: string, now: number): Promise<(() => Promise<void>) | undefined> => {
  const path = join(root, LOCK_FILE);
  for (const isLast of [false, true]) {
    try {
      await using handle = await open(path, 'wx', 0o600);
      await handle.writeFile(JSON.stringify({ pid: process.pid, host: hostname(), at: now }));
      return () => rm(path, { force: true });
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error;
      if (isLast || isHeld(await readFile(path, 'utf8').catch(() => ''), now)) return undefined;
      await rm(path, { force: true });
    }
  }
  return undefined;
};
