/**
 * Summaries that go with what is forgotten: those of which some version was made from a turn in which an object was written, or that
 * was shown one. Followed by what code wrote down as a version's sources, never by its words. Also those already forgotten of
 * which versions are still to be erased, so that a crash in between is mended by a repeat. Reads only.
 */
import type { MemoryStore } from '../../memory/memory.ts';
import type { MemoryObject } from '../../memory/object.ts';
import { summarySources } from '../../memory/summary.ts';
import { chainOf } from '../../signal/ids.ts';

/** What is forgotten: objects, and signals that wrote any version of them. */
export interface Forgetting {
  readonly objectIds: ReadonlySet<string>;
  readonly signals: ReadonlySet<string>;
}

const isMadeFrom = (version: MemoryObject, objectIds: ReadonlySet<string>, roots: ReadonlySet<string>): boolean => {
  if (version.state !== 'live') return false;
  const { turns, shownIds } = summarySources(version);
  return turns.some((root) => roots.has(root)) || shownIds.some((id) => objectIds.has(id));
};

/** Ids of those summaries; none of the objects themselves. */
export const findSummaries = async (
  memory: Pick<MemoryStore, 'view' | 'storedVersions'>,
  { objectIds, signals }: Forgetting,
): Promise<readonly string[]> => {
  const roots = new Set([...signals].map((id) => chainOf(id)[0] ?? id));
  const { objects } = await memory.view();
  const found: string[] = [];
  for (const { id, type } of objects.values()) {
    if (type !== 'summary' || objectIds.has(id)) continue;
    const versions = await memory.storedVersions(id);
    if (versions.some((version) => isMadeFrom(version, objectIds, roots))) found.push(id);
  }
  return found;
};

/**
 * Those summaries, and the signals that wrote the objects or any of them. @param named further signals whose turns are erased:
 * summaries made from them go too.
 */
export const withSummaries = async (
  memory: Pick<MemoryStore, 'view' | 'storedVersions' | 'linkedRecords'>,
  objectIds: readonly string[],
  signals: readonly string[],
  named: readonly string[],
): Promise<{ readonly summaries: readonly string[]; readonly signals: ReadonlySet<string> }> => {
  const forgotten = { objectIds: new Set(objectIds), signals: new Set([...signals, ...named]) };
  const summaries = await findSummaries(memory, forgotten);
  const all = new Set(signals);
  for (const id of summaries) for (const signal of (await memory.linkedRecords(id)).signals) all.add(signal);
  return { summaries, signals: all };
};
