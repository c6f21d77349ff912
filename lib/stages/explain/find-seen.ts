/**
 * Decisions whose context included a memory object: named on the decision itself, or shown to it by a tool's output. So that what
 * a poisoned note touched can be followed. Reads only; items this release cannot read are passed over.
 */

import { parseDecision, parseRecord } from '../../ledger/ledger.ts';
import { type FeedTable, type WalkedSignal, walkFeed } from '../../ledger/walk-feed.ts';
import type { SeenObject } from '../../signal/decision.ts';
import type { Item } from '../../store/table.ts';
import { shownInResults } from '../../tools/show-objects.ts';

export interface Seeing {
  readonly signalId: string;
  /** When its signal was accepted, epoch milliseconds. */
  readonly at: number;
  readonly session: string;
  readonly state: string;
  readonly objects: readonly SeenObject[];
}

const tolerant = <T>(parse: () => T): T | undefined => {
  try {
    return parse();
  } catch {
    return undefined;
  }
};

const seenIn = (id: string, decision: Item | undefined): readonly SeenObject[] =>
  (decision === undefined ? undefined : tolerant(() => parseDecision(id, decision)))?.seen ?? [];

const seeingOf = ({ pk, record: item, decision }: WalkedSignal, ids: ReadonlySet<string>): readonly Seeing[] => {
  const signalId = pk.split('#').slice(2).join('#');
  const record = tolerant(() => parseRecord(signalId, item));
  if (record === undefined) return [];
  const { signal, state } = record;
  const results = 'results' in signal.payload ? signal.payload.results : [];
  const shown = [...seenIn(signalId, decision), ...shownInResults(results)];
  const objects = new Map(
    shown.filter(({ id }) => ids.has(id)).map((one) => [`${one.id} ${one.version}`, one] as const),
  );
  if (objects.size === 0) return [];
  return [{ signalId, at: signal.receivedAt, session: signal.session, state, objects: [...objects.values()] }];
};

/** Newest first. @param since epoch milliseconds. */
export const findSeen = async (
  table: FeedTable,
  space: string,
  ids: ReadonlySet<string>,
  since: number,
): Promise<{ readonly found: readonly Seeing[]; readonly isWhole: boolean }> => {
  const found: Seeing[] = [];
  const isWhole = await walkFeed(table, space, since, (signals) => {
    found.push(...signals.flatMap((signal) => seeingOf(signal, ids)));
  });
  return { found, isWhole };
};
