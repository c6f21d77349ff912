/**
 * Releasing entries: the day's counter holds one for each conversation that spent lately, and stays
 * small because later reservations take out those that the conversation's own head has by now (Act
 * copies them there when a turn ends). The release rides on the reservation's write and settles the
 * last call of each conversation; only looking at the heads is a request, one for every
 * ENTRIES_KEPT entries. An entry that its head does not have is left: no spending is lost.
 */
import * as z from 'zod/mini';
import { sessionKey } from '../store/keys.ts';
import { loadItem } from '../store/load-named.ts';
import type { Item, Table } from '../store/table.ts';
import { Charge, type DaySpend, HeadSpend, jobOf, parseEntry, type StoredEntry } from './day-spend.ts';
import { type Cost, settle } from './plan-reservation.ts';

/**
 * Entries of other conversations that the item holds before anybody looks which may go: six of 80
 * bytes, and 1 KB is one write unit.
 */
export const ENTRIES_KEPT = 5;
/** Heads that are looked at in one request. */
const HEADS_READ_MAX = 100;

/** What a conversation's head says of its spending. */
const Head = z.object({ spend: z.optional(HeadSpend), lastCall: z.optional(Charge) });
type Head = z.infer<typeof Head>;
export type Heads = ReadonlyMap<string, Head>;

export interface Release {
  readonly entries: readonly StoredEntry[];
  /** How many others stay. */
  readonly left: number;
  /**
   * What settling their last calls changes for the day, of it for jobs, and what those calls saved.
   */
  readonly correction: Cost;
  readonly jobsUsd: number;
  readonly saved: Readonly<Record<string, number>>;
}

const othersOf = (seen: DaySpend, session: string): readonly StoredEntry[] =>
  seen.releasable().filter((one) => one.session !== session);

/** Whether it is worth looking at the heads of the other conversations. */
export const isReleaseDue = (seen: DaySpend, session: string): boolean =>
  othersOf(seen, session).length >= seen.entriesLeft + ENTRIES_KEPT;

/** A head that cannot be read, or is none, releases nothing. */
const parseHead = (item: Item | undefined): Head => {
  const parsed = Head.safeParse(item);
  return parsed.success ? parsed.data : {};
};

export const loadHead = async (table: Pick<Table, 'load'>, space: string, session: string): Promise<Head> =>
  parseHead(await loadItem(table, sessionKey(space, session)));

/** One request. */
export const loadHeads = async (
  table: Pick<Table, 'load'>,
  space: string,
  seen: DaySpend,
  session: string,
): Promise<Heads> => {
  const sessions = othersOf(seen, session)
    .flatMap((one) => one.session ?? [])
    .slice(0, HEADS_READ_MAX);
  const items = await table.load(
    sessions.map((one) => sessionKey(space, one)),
    { isConsistent: true },
  );
  return new Map(sessions.map((one, index) => [one, parseHead(items[index])]));
};

/** Pure: which entries may go, from the item and the heads as read. */
export const planRelease = (seen: DaySpend, session: string, heads: Heads): Release => {
  const others = othersOf(seen, session);
  const entries = others.filter(({ session: name = '', text }) => {
    const spend = heads.get(name)?.spend;
    return spend !== undefined && spend.day === seen.day && spend.entry === text;
  });
  const settled = entries.flatMap(({ session: name = '', text }) => {
    const lastCall = heads.get(name)?.lastCall;
    const one = settle(parseEntry(text).open, lastCall === undefined ? [] : [lastCall]);
    return one === undefined ? [] : [{ ...one, isJob: jobOf(name) !== undefined }];
  });
  const sum = (of: (one: (typeof settled)[number]) => number): number =>
    settled.reduce((total, one) => total + of(one), 0);
  const saved = {
    savedByTier: sum((one) => one.saved.savedByTier ?? 0),
    savedByCache: sum((one) => one.saved.savedByCache ?? 0),
  };
  return {
    entries,
    left: others.length - entries.length,
    correction: { usd: sum(({ correction }) => correction.usd), tokens: sum(({ correction }) => correction.tokens) },
    jobsUsd: sum(({ correction, isJob }) => (isJob ? correction.usd : 0)),
    saved: Object.fromEntries(Object.entries(saved).filter(([, usd]) => usd > 0)),
  };
};
