/**
 * Facts about a space that are known outside its table: the newest checkpoint, and everything
 * forgotten. A restore joins the backup's own with those of a folder of anchors that went on since.
 */
import { readdirSync } from 'node:fs';
import {
  type AnchoredCheckpoint,
  type Anchors,
  buildFileAnchors,
  type KeptForgotten,
  readAnchorFile,
} from '../../../lib/core/log/anchor.ts';

export interface KnownSpace {
  readonly anchored: AnchoredCheckpoint | undefined;
  readonly kept: readonly KeptForgotten[];
}

const FORGOTTEN_END = '.forgotten.jsonl';
const END = '.jsonl';

const spacesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder).flatMap((name) =>
      name.endsWith(END) && !name.endsWith(FORGOTTEN_END) ? [name.slice(0, -END.length)] : [],
    );
  } catch {
    return [];
  }
};

/** By space. @throws StoredItemError if what was forgotten cannot be read */
export const readKnown = async (folder: string): Promise<ReadonlyMap<string, KnownSpace>> => {
  const known = new Map<string, KnownSpace>();
  for (const space of spacesIn(folder)) {
    const anchored = (await readAnchorFile(folder, space)).at(-1);
    known.set(space, { anchored, kept: await buildFileAnchors(folder, space).forgottenSince(0) });
  }
  return known;
};

/** Both together, each forgetting once, the oldest first. */
export const joinKnown = (one: KnownSpace | undefined, other: KnownSpace | undefined): KnownSpace => {
  const anchors = [one?.anchored, other?.anchored].flatMap((anchored) => anchored ?? []);
  const kept = new Map([...(one?.kept ?? []), ...(other?.kept ?? [])].map((each) => [JSON.stringify(each), each]));
  return {
    anchored: anchors.toSorted((a, b) => b.size - a.size)[0],
    kept: [...kept.values()].toSorted((a, b) => a.at - b.at),
  };
};

export const asAnchors = ({ anchored, kept }: KnownSpace): Pick<Anchors, 'newest' | 'forgottenSince'> => ({
  newest: async () => anchored,
  forgottenSince: async (since) => kept.filter(({ at }) => at >= since),
});

/** Adds to a folder what it does not know yet. */
export const saveKnown = async (folder: string, space: string, known: KnownSpace): Promise<void> => {
  const anchors = buildFileAnchors(folder, space);
  const there = (await readKnown(folder)).get(space);
  const seen = new Set(there?.kept.map((each) => JSON.stringify(each)));
  for (const each of known.kept) if (!seen.has(JSON.stringify(each))) await anchors.keepForgotten(each);
  const { anchored } = known;
  if (anchored !== undefined && anchored.size > (there?.anchored?.size ?? 0)) await anchors.save(anchored);
};
