/**
 * Server-sent events of a turn's answers while they are written, and the ids by which a reader goes on where it left off: which
 * answer of the turn, and how far. Pure.
 * - `next`: {"type", "replies"}: another answer of the turn begins, after tools were called; what was shown of the one before it
 *   gives way to the turn's replies so far
 * - `text`: {"type", "text", "chars"}: what comes next of the answer, and the length of all of it
 * - `end`:  {"type", "state", "turn", "replies"}: nothing more comes; the draft gives way to the replies
 * - `gave-way`: {"type", "message"}: newer streams took this one's place; the signal itself says
 *   how the turn ends
 */
import type { ShownChunk } from '../../signal/draft.ts';
import type { SignalView } from './signal-view.ts';

/** The last chunk a reader has. */
export interface ReadSoFar {
  /** The signal it answers. */
  readonly id: string;
  readonly attempt: number;
  readonly n: number;
}

const EVENT_ID = /^(?:((?:[a-z0-9-]{1,12}\/){0,11}[a-z0-9-]{1,12})\.)?(\d{1,3})\.(\d{1,4})$/;

const event = (type: string, data: object, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

/**
 * `<path>.<attempt>.<n>`: the path leads from the signal that was asked for down to the answered one, and is left out for that
 * itself. @returns undefined for anything else: nothing was read.
 */
export const parseEventId = (asked: string, lastEventId: string | undefined): ReadSoFar | undefined => {
  const [, path, attempt, n] = EVENT_ID.exec(lastEventId ?? '') ?? [];
  if (attempt === undefined) return undefined;
  return { id: path === undefined ? asked : `${asked}/${path}`, attempt: Number(attempt), n: Number(n) };
};

const isFresh = (chunk: ShownChunk, read: ReadSoFar | undefined): boolean =>
  read === undefined || chunk.attempt > read.attempt || (chunk.attempt === read.attempt && chunk.n > read.n);

/** What a reader does not have yet of one answer. @param read of this very answer */
export const freshChunks = (chunks: readonly ShownChunk[], read: ReadSoFar | undefined): readonly ShownChunk[] =>
  chunks.filter((chunk) => isFresh(chunk, read));

/** @param asked the signal the reader asked for; @param answered it, or one it caused */
export const textEvents = (asked: string, answered: string, chunks: readonly ShownChunk[]): string => {
  const path = answered === asked ? '' : `${answered.slice(asked.length + 1)}.`;
  return chunks.map(({ attempt, n, text, chars }) => event('text', { text, chars }, `${path}${attempt}.${n}`)).join('');
};

export const nextEvent = ({ replies }: SignalView): string => event('next', { replies });

export const gaveWayEvent = (): string =>
  event('gave-way', { message: 'newer streams took the place of this one; GET the signal itself instead' });

export const endEvent = ({ state, turn, replies }: SignalView): string => event('end', { state, turn, replies });
