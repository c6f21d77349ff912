/** Decisions shown a memory object: what a poisoned note touched. Reads only. */
import { type FeedTable, type WalkedSignal, walkFeed } from '../../ledger/walk-feed.ts';
import type { SeenObject } from '../../signal/decision.ts';
import { shownInResults } from '../../tools/show-objects.ts';

/** A decision, and which of the objects it was shown. */
export interface Sighting {
  readonly signalId: string;
  /** When its signal was accepted, epoch milliseconds. */
  readonly at: number;
  readonly session: string;
  readonly state: string;
  readonly objects: readonly SeenObject[];
}

const findSightings = ({ id, record, decision }: WalkedSignal, ids: ReadonlySet<string>): readonly Sighting[] => {
  const { signal, state } = record;
  const results = 'results' in signal.payload ? signal.payload.results : [];
  const shown = [...(decision?.seen ?? []), ...shownInResults(results)].filter((one) => ids.has(one.id));
  const objects = new Map(shown.map((one) => [`${one.id} ${one.version}`, one]));
  if (objects.size === 0) return [];
  return [{ signalId: id, at: signal.receivedAt, session: signal.session, state, objects: [...objects.values()] }];
};

/** @returns newest first; `isWhole` if all signals were looked through */
export const findSeen = async (
  table: FeedTable,
  space: string,
  ids: ReadonlySet<string>,
  since: number,
): Promise<{ readonly found: readonly Sighting[]; readonly isWhole: boolean }> => {
  const found: Sighting[] = [];
  const isWhole = await walkFeed(table, space, since, (signals) => {
    found.push(...signals.flatMap((signal) => findSightings(signal, ids)));
  });
  return { found, isWhole };
};
