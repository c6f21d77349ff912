/**
 * Anchors: checkpoints kept outside the functions' table, so that a log that was cut, rewritten or
 * replaced by an older copy is found out. Beside them the tombstones of everything forgotten: a
 * restored copy forgets it again by them. They hold ids, hashes and names of records, never words.
 * Files for a stack on one machine; `anchor-bucket.ts` is the same in the cloud.
 */
import { appendFile, mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { StoredItemError } from '../base/errors.ts';
import { readJson } from '../base/json.ts';
import { KIB } from '../base/limits.ts';
import type { Table } from '../store/table.ts';
import { loadCheckpoint, loadLogHead } from './read-log.ts';
import { KeptTombstone } from './tombstone.ts';

/** Bytes of the file's end that are read to find its last line. */
const ANCHOR_TAIL_BYTES = 1024 * KIB;

export const AnchoredCheckpoint = z.object({
  v: z.literal(1),
  /** Leaves, and the last commit among them. */
  size: z.int(),
  commit: z.int(),
  at: z.int(),
  note: z.string(),
});
export type AnchoredCheckpoint = z.infer<typeof AnchoredCheckpoint>;

/** Tombstones of one or more commits that forgot. */
export const KeptForgotten = z.object({
  v: z.literal(1),
  /** Time when this was stored, epoch milliseconds; and the last of the commits. */
  at: z.int(),
  commit: z.int(),
  tombstones: z.array(KeptTombstone),
});
export type KeptForgotten = z.infer<typeof KeptForgotten>;

export interface Anchors {
  readonly save: (anchored: AnchoredCheckpoint) => Promise<void>;
  /** The anchor with the most leaves; undefined before the first. */
  readonly newest: () => Promise<Pick<AnchoredCheckpoint, 'size' | 'commit'> | undefined>;
  /** Keeping the same twice changes nothing for a reader. */
  readonly keepForgotten: (kept: KeptForgotten) => Promise<void>;
  /** Everything kept since then, oldest first. @throws StoredItemError if one cannot be read */
  readonly forgottenSince: (at: number) => Promise<readonly KeptForgotten[]>;
}

/** @throws StoredItemError: what cannot be read could not be forgotten again */
export const parseKept = (text: string, where: string): KeptForgotten => {
  const parsed = KeptForgotten.safeParse(readJson(text));
  if (parsed.success) return parsed.data;
  throw new StoredItemError(where, 'what was forgotten cannot be read from it');
};

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const parseLine = (line: string): readonly AnchoredCheckpoint[] => {
  // Half a line may be left by a writer that died: only whole lines count.
  const parsed = AnchoredCheckpoint.safeParse(readJson(line));
  return parsed.success ? [parsed.data] : [];
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

/** Anchors only ever grow, so the last line is the largest. */
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

/** Half a line of a writer that died does not count: it was kept again. */
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

/**
 * `<space>.jsonl` and `<space>.forgotten.jsonl` only grow; `<space>.txt` is the newest checkpoint
 * alone, for `verify --anchor`.
 */
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
    // A line feed on both sides: the line before may be half of one.
    await appendFile(join(folder, `${space}.jsonl`), `\n${JSON.stringify(anchored)}\n`, { mode: 0o600 });
    // A reader of the file gets the old or the new content, never half of it.
    const draft = join(folder, `${space}.txt.draft`);
    await writeFile(draft, anchored.note, { mode: 0o600 });
    await rename(draft, join(folder, `${space}.txt`));
  },
});

interface AnchorDeps {
  readonly table: Pick<Table, 'load' | 'query'>;
  readonly space: string;
  readonly anchors: Pick<Anchors, 'newest' | 'save'>;
  readonly now: number;
  /** The newest checkpoint, if its writer still has it at hand; else it is read. */
  readonly made?: Pick<AnchoredCheckpoint, 'size' | 'commit' | 'note'> | undefined;
}

const loadNewest = async ({ table, space }: AnchorDeps): Promise<AnchorDeps['made']> => {
  const head = await loadLogHead(table, space);
  if (head === undefined || head.checkpointSize === 0) return undefined;
  const { checkpointSize: size, lastCommit: commit } = head;
  const note = await loadCheckpoint(table, space, size);
  return note === undefined ? undefined : { size, commit, note };
};

/**
 * Anchors the newest checkpoint, if it is not anchored yet: after every run, so that one whose
 * anchoring failed is caught up with. Never anchors a log that has fewer leaves than the newest
 * anchor: that log is a restored copy.
 */
export const anchorNewest = async (deps: AnchorDeps): Promise<void> => {
  const { anchors, now } = deps;
  const made = deps.made ?? (await loadNewest(deps));
  if (made === undefined) return;
  const newest = await anchors.newest();
  if (newest === undefined || newest.size < made.size) await anchors.save({ v: 1, ...made, at: now });
};
