/**
 * Anchors: checkpoints kept where the functions' table is not, so that a log that was cut, rewritten or replaced by an older copy
 * is found out. Beside them the tombstones of what was forgotten, kept before the log has them: a restored copy is told by them
 * what to forget again. They name ids, hashes and records, never words. Files for a stack on one machine; `lib/log/anchor-bucket.ts`
 * is the same in the cloud.
 */
import { appendFile, mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { StoredItemError } from '../base/errors.ts';
import { KIB } from '../base/limits.ts';
import { KeptTombstone } from './tombstone.ts';

/** Of the end of the file of anchors, what is read to find the last one: it may name thousands of forgotten objects. */
const ANCHOR_TAIL_BYTES = 1024 * KIB;

export const AnchoredCheckpoint = z.object({
  v: z.literal(1),
  /** Leaves, and the last commit among them. */
  size: z.int(),
  commit: z.int(),
  /** Epoch milliseconds. */
  at: z.int(),
  note: z.string(),
});
export type AnchoredCheckpoint = z.infer<typeof AnchoredCheckpoint>;

/** What the log took in of one or more commits that forgot. */
export const KeptForgotten = z.object({
  v: z.literal(1),
  /** When it was kept, epoch milliseconds; and the last of the commits. */
  at: z.int(),
  commit: z.int(),
  tombstones: z.array(KeptTombstone),
});
export type KeptForgotten = z.infer<typeof KeptForgotten>;

export interface Anchors {
  readonly save: (anchored: AnchoredCheckpoint) => Promise<void>;
  /** The one of the most leaves; undefined before the first. */
  readonly newest: () => Promise<Pick<AnchoredCheckpoint, 'size' | 'commit'> | undefined>;
  /** Keeping the same twice changes nothing for who reads it. */
  readonly keepForgotten: (kept: KeptForgotten) => Promise<void>;
  /** All that was kept at that time or later, oldest first. @throws StoredItemError where one cannot be read */
  readonly forgottenSince: (at: number) => Promise<readonly KeptForgotten[]>;
}

/** What is kept in one place. @throws StoredItemError: what cannot be read could not be forgotten again */
export const parseKept = (text: string, where: string): KeptForgotten => {
  try {
    const parsed = KeptForgotten.safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data;
  } catch {
    // Told below.
  }
  throw new StoredItemError(where, 'what was forgotten cannot be read from it');
};

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const parseLine = (line: string): readonly AnchoredCheckpoint[] => {
  try {
    const parsed = AnchoredCheckpoint.safeParse(JSON.parse(line));
    return parsed.success ? [parsed.data] : [];
  } catch {
    // The last line of a file whose writer died, and nothing else: what is whole counts.
    return [];
  }
};

/** All anchors of a space, in the order they were written. */
export const readAnchorFile = async (folder: string, space: string): Promise<readonly AnchoredCheckpoint[]> => {
  try {
    return (await readFile(join(folder, `${space}.jsonl`), 'utf8')).split('\n').flatMap(parseLine);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
};

/** What the end of the file says: anchors only ever grow, so the last one is the largest. */
const readNewest = async (folder: string, space: string): Promise<AnchoredCheckpoint | undefined> => {
  try {
    await using file = await open(join(folder, `${space}.jsonl`));
    const { size } = await file.stat();
    const start = Math.max(0, size - ANCHOR_TAIL_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
    return buffer.toString('utf8', 0, bytesRead).split('\n').flatMap(parseLine).at(-1);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

/** Half a line, left by a writer that died, was never kept: the log had no leaf of it, and it was kept anew. */
const readKept = async (folder: string, space: string): Promise<readonly KeptForgotten[]> => {
  const file = `${space}.forgotten.jsonl`;
  try {
    const lines = (await readFile(join(folder, file), 'utf8')).split('\n').filter((line) => line !== '');
    return lines.filter((line) => line.endsWith('}')).map((line) => parseKept(line, file));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
};

/** `<space>.jsonl` and `<space>.forgotten.jsonl` only grow; `<space>.txt` is the newest alone, as `verify --anchor` takes it. */
export const buildFileAnchors = (folder: string, space: string): Anchors => ({
  newest: () => readNewest(folder, space),
  keepForgotten: async (kept) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const line = `\n${JSON.stringify(kept)}\n`;
    await appendFile(join(folder, `${space}.forgotten.jsonl`), line, { mode: 0o600, flush: true });
  },
  forgottenSince: async (since) => (await readKept(folder, space)).filter(({ at }) => at >= since),
  save: async (anchored) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // A line feed on both sides: the line before may be half of one, if its writer died.
    await appendFile(join(folder, `${space}.jsonl`), `\n${JSON.stringify(anchored)}\n`, { mode: 0o600 });
    // Whoever copies it meanwhile gets one or the other, never half of it.
    const draft = join(folder, `${space}.txt.draft`);
    await writeFile(draft, anchored.note, { mode: 0o600 });
    await rename(draft, join(folder, `${space}.txt`));
  },
});
