/**
 * Anchors: checkpoints kept where the functions' table is not, so that a log that was cut, rewritten or replaced by an older copy
 * is found out. With each go the ids of objects forgotten since the one before, so that a restored copy is told what to
 * forget again. A file for a stack on one machine; `lib/aws/anchor-bucket.ts` is the same in the cloud.
 */
import { appendFile, mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { ANCHOR_TAIL_BYTES } from '../limits.ts';

export const AnchoredCheckpoint = z.object({
  v: z.literal(1),
  /** Leaves, and the last commit among them. */
  size: z.int(),
  commit: z.int(),
  /** Epoch milliseconds. */
  at: z.int(),
  note: z.string(),
  /** Objects forgotten since the anchor before. */
  forgotten: z.array(z.string()),
});
export type AnchoredCheckpoint = z.infer<typeof AnchoredCheckpoint>;

export interface Anchors {
  readonly save: (anchored: AnchoredCheckpoint) => Promise<void>;
  /** The one of the most leaves; undefined before the first. */
  readonly newest: () => Promise<Pick<AnchoredCheckpoint, 'size' | 'commit'> | undefined>;
}

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

/** `<space>.jsonl` only grows; `<space>.txt` is the newest alone, as `verify --anchor` takes it. */
export const buildFileAnchors = (folder: string, space: string): Anchors => ({
  newest: () => readNewest(folder, space),
  save: async (anchored) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // A line feed on both sides: the line before may be half of one, if its writer died.
    await appendFile(join(folder, `${space}.jsonl`), `\n${JSON.stringify(anchored)}\n`, { mode: 0o600 });
    await writeFile(join(folder, `${space}.txt`), anchored.note, { mode: 0o600 });
  },
});
