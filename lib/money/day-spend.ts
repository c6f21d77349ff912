/**
 * The counter: one small item per space and day (UTC), which every reservation goes through, so
 * that two functions racing for the last cent are told apart by one conditional write. It holds the
 * day's sums, and an entry for each conversation that spent lately. When a turn ends, Act copies
 * the entry to the conversation's head; from then on any later reservation may release it
 * (lib/money/release-entries.ts), so the item stays below 1 KB. Reading never guesses: what cannot
 * be read is refused.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { StoredItemError } from '../base/errors.ts';
import type { Key } from '../store/keys.ts';
import type { Item } from '../store/table.ts';

/** A call that was paid for, or may have been: its id, micro-dollars and tokens. */
export const Charge = z.object({
  id: z.string(),
  usd: z.int(),
  tokens: z.int(),
  /** Micro-dollars that asking a small model, and the provider's cache, saved; absent where nothing is known of it. */
  savedByTier: z.optional(z.int()),
  savedByCache: z.optional(z.int()),
});
export type Charge = z.infer<typeof Charge>;

/** One conversation's day. Sums in micro-dollars, reservations included. */
export interface Entry {
  /** Short name of the turn last seen, and what it has spent. */
  readonly turn: string;
  readonly turnUsd: number;
  readonly usd: number;
  /**
   * Reserved at worst, and not yet settled; `id` is a short name. One that is never settled stays
   * counted as spent.
   */
  readonly open?: Pick<Charge, 'id' | 'usd' | 'tokens'> | undefined;
}

/** An entry as it stands in the item. Those of earlier releases do not name their session. */
export interface StoredEntry {
  readonly name: string;
  /** As a condition compares it. */
  readonly stored: string;
  readonly session: string | undefined;
  /** The entry alone, as `parseEntry` takes it. */
  readonly text: string;
}

/**
 * A conversation's spending as its head has it: the last entry that Act copied, and the sum of the
 * days before that entry's.
 */
export const HeadSpend = z.strictObject({
  day: z.string(),
  /** As `formatEntry` writes it. */
  entry: z.string(),
  beforeUsd: z.int(),
  /** First day that is counted. */
  since: z.string(),
});
export type HeadSpend = z.infer<typeof HeadSpend>;

export interface DaySpend {
  /** The day the item is of; empty if nothing was spent yet. */
  readonly day: string;
  readonly usd: number;
  readonly tokens: number;
  /** Micro-dollars saved by tiers and by the providers' caches, as far as calls are settled. */
  readonly savedByTier: number;
  readonly savedByCache: number;
  readonly stored: (session: string) => StoredEntry | undefined;
  readonly entry: (session: string) => Entry | undefined;
  /** Entries that may be released: those that name their session. */
  readonly releasable: () => readonly StoredEntry[];
  /**
   * Writes that released entries; and how many entries the last of them left, for then to be looked
   * at again.
   */
  readonly releases: number;
  readonly entriesLeft: number;
  /** Of all jobs together, and how many there were. */
  readonly jobsUsd: number;
  readonly jobCount: number;
  /** What an earlier release counted for a job, apart from its conversation. */
  readonly earlierJobUsd: (job: string) => number;
  /** Conversations that have an entry. */
  readonly entryCount: number;
}

/** `2026-11-22`, in UTC: the day counters are kept for. */
export const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

const DAY_CHARS = '2026-11-22'.length;
const DAY_MS = 24 * 60 * 60 * 1000;
/** When the day's counters begin anew, epoch milliseconds. */
export const resetsAt = (now: number): number => (Math.floor(now / DAY_MS) + 1) * DAY_MS;

export const spendKey = (space: string, now: number): Key => ({ pk: `spend#${space}#${dayOf(now)}`, sk: 'day' });

/** Ids of any length and alphabet as a short word: 48 bits, told apart within one day of one space. */
export const shortName = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** The account of a job is the conversation it runs in. */
const JOB_SESSION = 'job:';
export const jobSession = (job: string): string => `${JOB_SESSION}${job}`;
export const jobOf = (session: string): string | undefined =>
  session.startsWith(JOB_SESSION) ? session.slice(JOB_SESSION.length) : undefined;

export const entryName = (session: string): string => `s_${shortName(session)}`;
export const toldName = (what: string): string => `told_${what}`;

/** Attribute of the day's counter, which every turn reads anyhow: until when the embeddings endpoint counts as closed to its key. */
export const EMBEDDINGS_REFUSED = 'r_embeddings';

export const isEmbeddingRefused = (item: Item | undefined, now: number): boolean => {
  const until: unknown = item?.[EMBEDDINGS_REFUSED];
  return typeof until === 'number' && until > now;
};

const numberIn = (item: Item | undefined, name: string): number => {
  const value: unknown = item?.[name] ?? 0;
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw new StoredItemError('spend', `${name} is no number`);
  return value;
};

const EarlierEntry = z.object({ turn: z.string(), turnUsd: z.int(), usd: z.int(), open: z.optional(Charge) });
const ShortEntry = z.tuple([
  z.string(),
  z.int(),
  z.int(),
  z.optional(z.string()),
  z.optional(z.int()),
  z.optional(z.int()),
]);

/**
 * As the item and the head store it: a list, because each byte is written with every reservation.
 */
export const formatEntry = ({ turn, turnUsd, usd, open }: Entry): string =>
  JSON.stringify([turn, turnUsd, usd, ...(open === undefined ? [] : [open.id, open.usd, open.tokens])]);

/** @throws StoredItemError */
export const parseEntry = (text: string): Entry => {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) {
      const [turn, turnUsd, usd, id, openUsd = 0, tokens = 0] = ShortEntry.parse(value);
      return { turn, turnUsd, usd, ...(id === undefined ? {} : { open: { id, usd: openUsd, tokens } }) };
    }
    const { turn, turnUsd, usd, open } = EarlierEntry.parse(value);
    return { turn, turnUsd, usd, ...(open === undefined ? {} : { open: { ...open, id: shortName(open.id) } }) };
  } catch {
    throw new StoredItemError('spend', 'an entry of a conversation cannot be read');
  }
};

/**
 * `["<turn>",…] <session>`; the session's name tells whoever releases the entry which head to look
 * at.
 */
export const storedText = (session: string, entry: Entry): string => `${formatEntry(entry)} ${session}`;

const parseStoredEntry = (name: string, stored: string): StoredEntry => {
  const end = stored.startsWith('[') ? stored.indexOf(']') + 1 : stored.length;
  const session = stored.slice(end + 1);
  return { name, stored, session: session === '' ? undefined : session, text: stored.slice(0, end) };
};

/** The day as an item has it; an item that is not there is a day on which nothing was spent. @throws StoredItemError */
export const parseDaySpend = (item: Item | undefined): DaySpend => {
  const names = Object.keys(item ?? {});
  const textOf = (name: string): string | undefined => {
    const value: unknown = item?.[name];
    return typeof value === 'string' ? value : undefined;
  };
  const stored = (session: string): StoredEntry | undefined => {
    const name = entryName(session);
    const text = textOf(name);
    return text === undefined ? undefined : parseStoredEntry(name, text);
  };
  const earlierJobs = names.filter((name) => name.startsWith('j_'));
  const entryNames = names.filter((name) => name.startsWith('s_'));
  return {
    day: (textOf('pk') ?? '').slice(-DAY_CHARS),
    usd: numberIn(item, 'usd'),
    tokens: numberIn(item, 'tokens'),
    savedByTier: numberIn(item, 'savedByTier'),
    savedByCache: numberIn(item, 'savedByCache'),
    stored,
    entry: (session) => {
      const found = stored(session);
      return found === undefined ? undefined : parseEntry(found.text);
    },
    releasable: () =>
      entryNames.flatMap((name) => {
        const text = textOf(name) ?? '';
        return text.startsWith('[') ? [parseStoredEntry(name, text)] : [];
      }),
    releases: numberIn(item, 'releases'),
    entriesLeft: numberIn(item, 'entriesLeft'),
    jobsUsd: earlierJobs.reduce((sum, name) => sum + numberIn(item, name), numberIn(item, 'jobsUsd')),
    jobCount: earlierJobs.length + numberIn(item, 'jobs'),
    earlierJobUsd: (job) => numberIn(item, `j_${shortName(job)}`),
    entryCount: entryNames.length,
  };
};

/**
 * A conversation's entry of the day: as the counter has it, or, once that was released, as its head
 * has it. @throws StoredItemError
 */
export const sessionEntry = (spend: DaySpend, session: string, head: HeadSpend | undefined): Entry | undefined =>
  spend.entry(session) ?? (head !== undefined && head.day === spend.day ? parseEntry(head.entry) : undefined);

/** All a conversation has spent since `head.since`, today included. */
export const sessionUsd = (spend: DaySpend, session: string, head: HeadSpend | undefined): number => {
  const earlier = head === undefined ? 0 : head.beforeUsd + (head.day === spend.day ? 0 : parseEntry(head.entry).usd);
  return earlier + (sessionEntry(spend, session, head)?.usd ?? 0);
};

/**
 * What a conversation's head shall have at the end of a turn; `undefined` if it has it, or nothing
 * was spent.
 */
export const copyToHead = (spend: DaySpend, session: string, head: HeadSpend | undefined): HeadSpend | undefined => {
  const here = spend.entry(session);
  if (here === undefined) return undefined;
  const entry = formatEntry(here);
  if (head === undefined) return { day: spend.day, entry, beforeUsd: 0, since: spend.day };
  if (head.day === spend.day) return head.entry === entry ? undefined : { ...head, entry };
  return { ...head, day: spend.day, entry, beforeUsd: head.beforeUsd + parseEntry(head.entry).usd };
};
