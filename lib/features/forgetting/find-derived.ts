/**
 * Finds objects of memory that were made of a forgotten one, or of a turn that is erased:
 * summaries, notes of the Scribe, insights, and notes that became one with it. Looks at removed
 * objects too: a rollback could bring them back, and their versions hold the words. Follows
 * recorded links only. Reads only.
 */

import { mergedInto, sourcesOf } from '../../core/memory/made-notes.ts';
import type { MemoryStore } from '../../core/memory/memory.ts';
import type { LiveObject, MemoryObject } from '../../core/memory/object.ts';

/** Reads of versions at once: enough to hide the network's latency. */
const READS_AT_ONCE = 8;

export type DerivedMemory = Pick<MemoryStore, 'view' | 'storedVersions' | 'loadRemoved'>;

interface Maker {
  readonly id: string;
  /** Roots of turns. */
  readonly turns: readonly string[];
  readonly objectIds: readonly string[];
  /** Objects that became one with it. */
  readonly merged: readonly string[];
}

/** Answers without another read; keep it for one forgetting. */
export type FindDerived = (objectIds: ReadonlySet<string>, roots: ReadonlySet<string>) => readonly string[];

const makerOf = (id: string, versions: readonly LiveObject[]): Maker => {
  const sources = versions.map(sourcesOf);
  return {
    id,
    turns: sources.flatMap(({ turns }) => turns),
    objectIds: sources.flatMap(({ objectIds }) => objectIds),
    merged: versions.flatMap(mergedInto),
  };
};

const isLive = (object: MemoryObject): object is LiveObject => object.state === 'live';

/** Its versions are read: a summary has other sources in each, and a dead object shows none. */
const needsVersions = ({ state, type }: MemoryObject): boolean =>
  type === 'summary' || (state !== 'live' && type === 'note');

const loadMakers = async (memory: DerivedMemory): Promise<readonly Maker[]> => {
  const { objects } = await memory.view();
  const all = [...objects.values(), ...(await memory.loadRemoved())];
  const makers = all.filter(isLive).map((object) => makerOf(object.id, [object]));
  const others = all.filter(needsVersions);
  for (let first = 0; first < others.length; first += READS_AT_ONCE) {
    const some = others.slice(first, first + READS_AT_ONCE);
    const read = some.map(async ({ id }) => makerOf(id, (await memory.storedVersions(id)).filter(isLive)));
    makers.push(...(await Promise.all(read)));
  }
  return makers.filter((one) => one.turns.length + one.objectIds.length + one.merged.length > 0);
};

/** Also what was made of those, until nothing more is found. */
const closure = (
  makers: readonly Maker[],
  objectIds: ReadonlySet<string>,
  roots: ReadonlySet<string>,
): readonly string[] => {
  const found = new Set<string>();
  const isGone = (id: string): boolean => objectIds.has(id) || found.has(id);
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const { id, turns, objectIds: made, merged } of makers) {
      if (isGone(id)) for (const twin of merged) if (!objectIds.has(twin)) found.add(twin);
      if (!isGone(id) && (turns.some((root) => roots.has(root)) || made.some(isGone))) found.add(id);
    }
  }
  return [...found];
};

export const loadDerived = async (memory: DerivedMemory): Promise<FindDerived> => {
  const makers = await loadMakers(memory);
  return (objectIds, roots) => closure(makers, objectIds, roots);
};
