/**
 * The counter: one small item per space and day (UTC), which every reservation goes through, so that two functions racing for
 * the last cent are told apart by one conditional write. Beside the day's sums it holds one short entry a conversation: what
 * that has spent, what its running turn has, and its open reservation. Reading never guesses: what cannot be read is refused.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Key } from '../aws/keys.ts';
import type { Item } from '../aws/table.ts';
import { StoredItemError } from '../errors.ts';

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
const Entry = z.object({
  /** Short name of the turn last seen, and what it has spent. */
  turn: z.string(),
  turnUsd: z.int(),
  usd: z.int(),
  /** Reserved at worst, and not yet settled. One that is never settled stays counted as spent. */
  open: z.optional(Charge),
  /** Short name of the job the open call is for. */
  openJob: z.optional(z.string()),
});
export type Entry = z.infer<typeof Entry>;

export interface DaySpend {
  readonly usd: number;
  readonly tokens: number;
  /** Micro-dollars saved by tiers and by the providers' caches, as far as calls are settled. */
  readonly savedByTier: number;
  readonly savedByCache: number;
  /** Stored text of a conversation's entry, as a condition compares it. */
  readonly entryText: (session: string) => string | undefined;
  readonly entry: (session: string) => Entry | undefined;
  readonly jobUsd: (job: string) => number;
  /** Of all jobs together, and how many there were. */
  readonly jobsUsd: number;
  readonly jobCount: number;
  /** Conversations that have an entry. */
  readonly entryCount: number;
}

/** `2026-11-22`, in UTC: the day counters are kept for. */
export const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

const DAY_MS = 24 * 60 * 60 * 1000;
/** When the day's counters begin anew, epoch milliseconds. */
export const resetsAt = (now: number): number => (Math.floor(now / DAY_MS) + 1) * DAY_MS;

export const spendKey = (space: string, now: number): Key => ({ pk: `spend#${space}#${dayOf(now)}`, sk: 'day' });

/** Ids of any length and alphabet as a short word: 48 bits, told apart within one day of one space. */
export const shortName = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

export const entryName = (session: string): string => `s_${shortName(session)}`;
export const jobName = (job: string): string => `j_${shortName(job)}`;
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

const parseEntry = (text: string): Entry => {
  try {
    return Entry.parse(JSON.parse(text));
  } catch {
    throw new StoredItemError('spend', 'an entry of a conversation cannot be read');
  }
};

/** The day as an item has it; an item that is not there is a day on which nothing was spent. @throws StoredItemError */
export const parseDaySpend = (item: Item | undefined): DaySpend => {
  const entryText = (session: string): string | undefined => {
    const value: unknown = item?.[entryName(session)];
    return typeof value === 'string' ? value : undefined;
  };
  const jobs = Object.keys(item ?? {}).filter((name) => name.startsWith('j_'));
  return {
    usd: numberIn(item, 'usd'),
    tokens: numberIn(item, 'tokens'),
    savedByTier: numberIn(item, 'savedByTier'),
    savedByCache: numberIn(item, 'savedByCache'),
    entryText,
    entry: (session) => {
      const text = entryText(session);
      return text === undefined ? undefined : parseEntry(text);
    },
    jobUsd: (job) => numberIn(item, jobName(job)),
    jobsUsd: jobs.reduce((sum, name) => sum + numberIn(item, name), 0),
    jobCount: jobs.length,
    entryCount: Object.keys(item ?? {}).filter((name) => name.startsWith('s_')).length,
  };
};
