/**
 * The day's counter: one small item a space and day (UTC). Every reservation is a conditional write
 * to it, so of two functions that race for the last cent one loses. It holds the day's sums, and an
 * entry for each conversation that spent lately. When a turn ends, Act copies the entry to the
 * conversation's head; a later reservation may then release it, so the item stays below 1 KB. An
 * item that cannot be read is refused, never guessed.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { StoredItemError } from '../base/errors.ts';
import type { Key } from '../store/keys.ts';
import type { Item, Table } from '../store/table.ts';

export const Charge = z.object({
  id: z.string(),
  /** Micro-dollars. */
  usd: z.int(),
  tokens: z.int(),
  /** Micro-dollars that a small model and the provider's cache saved; absent if unknown. */
  savedByTier: z.optional(z.int()),
  savedByCache: z.optional(z.int()),
});
export type Charge = z.infer<typeof Charge>;

/** One conversation's day. Sums in micro-dollars, reservations included. */
export interface Entry {
  /** Short name of the turn last seen, and its sum. */
  readonly turn: string;
  readonly turnUsd: number;
  readonly usd: number;
  /** The open reservation, by its short name. One that is never settled stays counted as spent. */
  readonly open?: Pick<Charge, 'id' | 'usd' | 'tokens'> | undefined;
}

export interface StoredEntry {
  /** The attribute's name. */
  readonly name: string;
  /** The whole value, as a condition compares it. */
  readonly stored: string;
  readonly session: string;
  /** The entry alone, for `parseEntry`. */
  readonly text: string;
}

/** In a conversation's head: the entry copied last, and the sum of the days before. */
export const HeadSpend = z.strictObject({
  day: z.string(),
  entry: z.string(),
  beforeUsd: z.int(),
  /** First day that is counted. */
  since: z.string(),
});
export type HeadSpend = z.infer<typeof HeadSpend>;

export interface DaySpend {
  /** Empty if nothing was spent yet. */
  readonly day: string;
  readonly usd: number;
  readonly tokens: number;
  /** Micro-dollars saved by small models and caches, as far as calls are settled. */
  readonly savedByTier: number;
  readonly savedByCache: number;
  /** By attribute name. */
  readonly entries: ReadonlyMap<string, StoredEntry>;
  /** The spending of each source of events, by attribute name. */
  readonly sources: ReadonlyMap<string, number>;
  /** Writes that released entries, and the entries that the last of them left. */
  readonly releases: number;
  readonly entriesLeft: number;
  /** All jobs together, and their number. */
  readonly jobsUsd: number;
  readonly jobCount: number;
}

/** `2026-11-22`, in UTC. */
export const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

const DAY_CHARS = '2026-11-22'.length;
const DAY_MS = 24 * 60 * 60 * 1000;
/** When the day's counters begin again, epoch milliseconds. */
export const resetsAt = (now: number): number => (Math.floor(now / DAY_MS) + 1) * DAY_MS;

export const spendKey = (space: string, now: number): Key => ({ pk: `spend#${space}#${dayOf(now)}`, sk: 'day' });

/** The day's counter; yesterday's while nothing was asked today. */
export const loadLatestSpend = async (
  table: Pick<Table, 'load'>,
  space: string,
  now: number,
): Promise<Item | undefined> => {
  const [today, yesterday] = await table.load([spendKey(space, now), spendKey(space, now - DAY_MS)]);
  return today ?? yesterday;
};

/** Any id as a short word: 48 bits, enough within one day of one space. */
export const shortName = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** A job's account is the conversation it runs in. */
const JOB_SESSION = 'job:';
export const jobSession = (job: string): string => `${JOB_SESSION}${job}`;
export const jobOf = (session: string): string | undefined =>
  session.startsWith(JOB_SESSION) ? session.slice(JOB_SESSION.length) : undefined;

/** Attributes of a source's sums: micro-dollars, and tokens. */
const SOURCE_PREFIX = 'q_';
export const sourceNames = (source: string): { readonly usd: string; readonly tokens: string } => {
  const name = `${SOURCE_PREFIX}${shortName(source)}`;
  return { usd: name, tokens: `${name}_tokens` };
};

export const entryName = (session: string): string => `s_${shortName(session)}`;
/** Attribute that says who gave today's notice of something. */
export const noticeName = (what: string): string => `told_${what}`;

/** Attribute: until when the embeddings endpoint counts as refusing our key. */
export const EMBEDDINGS_REFUSED = 'r_embeddings';

export const isEmbeddingRefused = (item: Item | undefined, now: number): boolean => {
  const until: unknown = item?.[EMBEDDINGS_REFUSED];
  return typeof until === 'number' && until > now;
};

const int = z.int();
const ShortEntry = z.tuple([z.string(), int, int, z.optional(z.string()), z.optional(int), z.optional(int)]);

/** A list, because every reservation writes each byte. */
export const formatEntry = ({ turn, turnUsd, usd, open }: Entry): string =>
  JSON.stringify([turn, turnUsd, usd, ...(open === undefined ? [] : [open.id, open.usd, open.tokens])]);

export const parseEntry = (text: string): Entry => {
  try {
    const [turn, turnUsd, usd, id, openUsd = 0, tokens = 0] = ShortEntry.parse(JSON.parse(text));
    return { turn, turnUsd, usd, ...(id === undefined ? {} : { open: { id, usd: openUsd, tokens } }) };
  } catch {
    throw new StoredItemError('spend', 'an entry of a conversation cannot be read');
  }
};

/** `["<turn>",…] <session>`: the session says which head has a copy. */
export const storedText = (session: string, entry: Entry): string => `${formatEntry(entry)} ${session}`;

const parseStoredEntry = (name: string, stored: string): StoredEntry => {
  const end = stored.indexOf(']') + 1;
  return { name, stored, session: stored.slice(end + 1), text: stored.slice(0, end) };
};

const numberIn = (item: Item | undefined, name: string): number => {
  const value: unknown = item?.[name] ?? 0;
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw new StoredItemError('spend', `${name} is no number`);
  return value;
};

/** Nothing was spent on a day without an item. @throws StoredItemError */
export const parseDaySpend = (item: Item | undefined): DaySpend => {
  const attributes = Object.entries(item ?? {});
  const entries = attributes.flatMap(([name, value]): [string, StoredEntry][] =>
    name.startsWith('s_') && typeof value === 'string' ? [[name, parseStoredEntry(name, value)]] : [],
  );
  return {
    day: typeof item?.pk === 'string' ? item.pk.slice(-DAY_CHARS) : '',
    usd: numberIn(item, 'usd'),
    tokens: numberIn(item, 'tokens'),
    savedByTier: numberIn(item, 'savedByTier'),
    savedByCache: numberIn(item, 'savedByCache'),
    entries: new Map(entries),
    sources: new Map(
      attributes.flatMap(([name]) => (name.startsWith(SOURCE_PREFIX) ? [[name, numberIn(item, name)]] : [])),
    ),
    releases: numberIn(item, 'releases'),
    entriesLeft: numberIn(item, 'entriesLeft'),
    jobsUsd: numberIn(item, 'jobsUsd'),
    jobCount: numberIn(item, 'jobs'),
  };
};

/** Share of the day's cap at which the owner should know. */
const NEAR_CAP_PERCENT = 80;

/**
 * The used part of the fuller cap, in percent; undefined if much is left. At 100 no model is asked.
 * @param item the counter of any day: only today's counts
 */
export const percentUsed = (
  item: Item | undefined,
  caps: { readonly day: number; readonly dayTokens: number },
  now: number,
): number | undefined => {
  const { day, usd, tokens } = parseDaySpend(item);
  if (day !== dayOf(now)) return undefined;
  const percent = (part: number, whole: number): number => (whole === 0 ? 0 : Math.floor((100 * part) / whole));
  const most = Math.max(percent(usd, caps.day), percent(tokens, caps.dayTokens));
  return most < NEAR_CAP_PERCENT ? undefined : most;
};

export const storedEntry = (spend: DaySpend, session: string): StoredEntry | undefined =>
  spend.entries.get(entryName(session));

/** From the counter or, if released, from the head. @throws StoredItemError */
export const sessionEntry = (spend: DaySpend, session: string, head?: HeadSpend | undefined): Entry | undefined => {
  const stored = storedEntry(spend, session);
  if (stored !== undefined) return parseEntry(stored.text);
  return head !== undefined && head.day === spend.day ? parseEntry(head.entry) : undefined;
};

/** All a conversation has spent since `head.since`, today included. */
export const sessionUsd = (spend: DaySpend, session: string, head: HeadSpend | undefined): number => {
  const earlier = head === undefined ? 0 : head.beforeUsd + (head.day === spend.day ? 0 : parseEntry(head.entry).usd);
  return earlier + (sessionEntry(spend, session, head)?.usd ?? 0);
};

/** The head's spending at the end of a turn; undefined if it does not change. */
export const copyToHead = (spend: DaySpend, session: string, head: HeadSpend | undefined): HeadSpend | undefined => {
  const own = sessionEntry(spend, session);
  if (own === undefined) return undefined;
  const entry = formatEntry(own);
  if (head === undefined) return { day: spend.day, entry, beforeUsd: 0, since: spend.day };
  if (head.day === spend.day) return head.entry === entry ? undefined : { ...head, entry };
  return { ...head, day: spend.day, entry, beforeUsd: head.beforeUsd + parseEntry(head.entry).usd };
};
