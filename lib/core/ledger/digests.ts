/**
 * Digests: the lines of news that a chat does not get one by one (I15). A digest belongs to one
 * source, one place and one hour. It names the newest lines by their actions and counts all; the
 * words stand in the decisions, so that forgetting finds them there. Act adds a line in the
 * transaction that settles its effect. The heartbeat sends the digest, and edits it afterwards.
 */
import * as z from 'zod/mini';
import { asText } from '../base/json.ts';
import { DAY_MS, HOUR_MS } from '../base/limits.ts';
import { shortName } from '../money/day-spend.ts';
import type { Action } from '../signal/action.ts';
import { ReplyRoute } from '../signal/signal.ts';
import { absent, allOf, type Condition, equals } from '../store/condition.ts';
import { indexPartitions, type Key } from '../store/keys.ts';
import { parseStored } from '../store/parse-stored.ts';
import type { Item, Write } from '../store/table.ts';

/** Template of the text of a digest. */
export const NEWS_DIGEST = 'news-digest';

/** Lines that a digest names; older ones are counted. One message holds hardly more. */
export const DIGEST_LINES_MAX = 50;
/** How long `/news` shows a digest. */
const DIGEST_KEEP_MS = 30 * DAY_MS;

/** An action whose text is a line, the moment it came, and the event that it tells of. */
const Line = z.object({ id: z.string(), n: z.int(), at: z.int(), kind: z.optional(z.string()) });
export type Line = z.infer<typeof Line>;

export const Digest = z.object({
  schemaVersion: z.literal(1),
  /** The conversation that the lines come from. */
  session: z.string(),
  place: asText(ReplyRoute),
  /** Its lines came while the chat was muted. */
  isKept: z.boolean(),
  /** All lines, and the newest of them, oldest first. */
  lines: z.int(),
  newest: asText(z.array(Line)),
  /** Texts made of it so far: each one sends it or edits it. */
  edition: z._default(z.int(), 0),
  /** Lines that the last text accounts for, and those that the text before it did. */
  shown: z._default(z.int(), 0),
  shownBefore: z._default(z.int(), 0),
  /** Lines that stand in earlier messages, which are not edited any more. */
  passed: z._default(z.int(), 0),
  /** The message that the last text edits; absent if it was sent as a new one. */
  message: z.optional(z.int()),
});
export type Digest = z.infer<typeof Digest>;

export const parseDigest = (item: Item): Digest => parseStored(item, Digest);

export const digestsPartition = (space: string): string => `session#${space}#news`;
const DIGEST_PREFIX = 'digest#';
/** The key names a source that is no longer: ids of signals and buttons are made of it. */
const NAMED_SOURCE_CHARS_MAX = 40;
export const isDigestItem = ({ pk, sk }: Item): boolean =>
  String(pk).endsWith('#news') && String(sk).startsWith(DIGEST_PREFIX);

/** @param until when the chat is muted no more; undefined if it is not muted */
export const digestKey = (
  { space, session }: { readonly space: string; readonly session: string },
  { target, to = '', topic }: Pick<Action, 'target' | 'to' | 'topic'>,
  now: number,
  until: number | undefined,
): Key => {
  const hour = Math.floor(Math.max(now, until ?? now) / HOUR_MS);
  const name = shortName(JSON.stringify([session, target, to, topic ?? '', until !== undefined]));
  const source = sourceOf(session);
  const named = source === session || source.length > NAMED_SOURCE_CHARS_MAX ? '' : `.${source}`;
  return { pk: digestsPartition(space), sk: `${DIGEST_PREFIX}${String(hour).padStart(8, '0')}#${name}${named}` };
};

/** `github` of `webhook:github` and of `job:github`; another conversation by its whole name. */
export const sourceOf = (session: string): string => /^(?:webhook|job):(.+)$/.exec(session)?.[1] ?? session;

export interface AddedLine {
  readonly space: string;
  readonly session: string;
  readonly place: ReplyRoute;
  readonly line: Line;
  readonly until: number | undefined;
}

/** Adds a line to the digest as it was read. @param before undefined if there is none yet */
export const addLine = (
  key: Key,
  { space, session, place, line, until }: AddedLine,
  before: Digest | undefined,
): Write => {
  const isAsRead: Condition = {
    name: 'the digest is as it was read',
    holds: before === undefined ? absent('lines') : equals('lines', before.lines),
  };
  const newest = [...(before?.newest ?? []), line].slice(-DIGEST_LINES_MAX);
  const dueAt = until ?? line.at;
  return {
    kind: 'update',
    key,
    change: {
      add: { lines: 1 },
      set: {
        schemaVersion: 1,
        session,
        place: JSON.stringify(place),
        isKept: until !== undefined,
        newest: JSON.stringify(newest),
        unfinishedSpace: indexPartitions.jobs(space),
        unfinishedAt: dueAt,
        expiresAt: Math.ceil((dueAt + DIGEST_KEEP_MS) / 1_000),
      },
    },
    condition: isAsRead,
  };
};

/** No line was added, and no text was made, since it was read. */
export const isUnchanged = ({ lines, edition }: Digest): Condition => ({
  name: 'the digest is as it was read',
  holds: allOf(equals('lines', lines), edition === 0 ? absent('edition') : equals('edition', edition)),
});
