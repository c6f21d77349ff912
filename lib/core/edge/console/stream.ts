/**
 * GET /api/signals/<id>/stream → server-sent events: what was released of the turn's answers while
 * they are written, and in the end how the turn ended. One response holds what is new since
 * `Last-Event-ID`; while there is nothing new, the request is held for a few seconds. Only chunks
 * that fit their stored hash and trace, undecided and not stopped, are shown.
 * - `next`: {"type", "replies"}: another answer begins, after tools; the replies so far take the
 *   place of the draft
 * - `text`: {"type", "text", "chars"}: the next piece of the answer, and the length of all of it
 * - `end`: {"type", "state", "turn", "replies"}: the replies take the place of the draft
 * - `gave-way`: {"type", "message"}: newer streams took this one's place; the signal itself says
 *   how the turn ends
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../base/limits.ts';
import { type HttpResponse, respondEvents } from '../../http/function-url.ts';
import { isStoppedFor, loadKillSwitch } from '../../ledger/kill-switch.ts';
import { loadPartition } from '../../ledger/ledger.ts';
import { readDraft, type ShownChunk } from '../../signal/draft.ts';
import { isFinal } from '../../signal/signal.ts';
import { settingKey } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import type { Item } from '../../store/table.ts';
import { loadDescendants } from '../../verbs/signals/load-story.ts';
import { buildTurnView } from '../../verbs/signals/signal-view.ts';
import { parsePartition, type StoredSignal } from '../../verbs/signals/stored-signal.ts';
import { STREAM_REQUESTS_HELD_MAX, STREAM_RETRY_MS } from '../limits.ts';
import { type ConsoleDeps, noSuchSignal, parseSignalId, type RouteCall } from './router.ts';

/** How long a request is held, and how often it looks for something new. */
export const STREAM_WAIT_MS_MAX = 4 * SECOND_MS;
export const STREAM_LOOK_MS = 60;
/** A held stream checks in every fourth look whether it still has its place. */
const STREAM_PLACE_LOOKS = 4;
/** Before a stream that gave way asks again: at once it would push out another. */
const STREAM_GAVE_WAY_RETRY_MS = 15 * SECOND_MS;
/** Bounds a request even if the clock stands still. */
const LOOKS_MAX = STREAM_WAIT_MS_MAX / STREAM_LOOK_MS;
/** Streams a space keeps at once. A page follows one; a browser has 6 connections to one server. */
export const STREAMS_HELD_MAX = 3;

/** The last chunk a reader has. */
interface ReadSoFar {
  /** The signal it answers. */
  readonly id: string;
  readonly attempt: number;
  readonly n: number;
}

interface StreamRequest {
  readonly deps: ConsoleDeps;
  /** The signal that was asked for. */
  readonly id: string;
  readonly read: ReadSoFar | undefined;
  /** Signals that are over are read once within one request. */
  readonly finished: Map<string, StreamedSignal>;
}

interface StreamedSignal {
  readonly stored: StoredSignal;
  readonly isBeingWritten: boolean;
  /** Empty unless its answer is being written. */
  readonly chunks: readonly ShownChunk[];
}

const EVENT_ID = /^(?:((?:[a-z0-9-]{1,12}\/){0,11}[a-z0-9-]{1,12})\.)?(\d{1,3})\.(\d{1,4})$/;

const buildEvent = (type: string, data: object, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

/** `<path>.<attempt>.<n>`, the path from the asked signal; undefined for any other text. */
const parseEventId = (requested: string, lastEventId: string | undefined): ReadSoFar | undefined => {
  const [, path, attempt, n] = EVENT_ID.exec(lastEventId ?? '') ?? [];
  if (attempt === undefined) return undefined;
  return { id: path === undefined ? requested : `${requested}/${path}`, attempt: Number(attempt), n: Number(n) };
};

const isFresh = (chunk: ShownChunk, read: ReadSoFar | undefined): boolean =>
  read === undefined || chunk.attempt > read.attempt || (chunk.attempt === read.attempt && chunk.n > read.n);

const buildTextEvents = (requested: string, answered: string, chunks: readonly ShownChunk[]): string => {
  const path = answered === requested ? '' : `${answered.slice(requested.length + 1)}.`;
  return chunks
    .map(({ attempt, n, text, chars }) => buildEvent('text', { text, chars }, `${path}${attempt}.${n}`))
    .join('');
};

const parseStreamed = (id: string, items: readonly Item[]): StreamedSignal | undefined => {
  const stored = parsePartition(id, items);
  if (stored === undefined) return undefined;
  const { state, signal } = stored.record;
  const isBeingWritten = stored.decision === undefined && (state === 'received' || state === 'perceived');
  const drafts = isBeingWritten ? items.filter(({ sk }) => String(sk).startsWith('stream#')) : [];
  return { stored, isBeingWritten, chunks: readDraft(drafts, signal.reply) };
};

const loadStreamed = async ({ deps, finished }: StreamRequest, id: string): Promise<StreamedSignal | undefined> => {
  const known = finished.get(id);
  if (known !== undefined) return known;
  const streamed = parseStreamed(id, await loadPartition(deps.table, deps.space, id));
  if (streamed !== undefined && isFinal(streamed.stored.record.state)) finished.set(id, streamed);
  return streamed;
};

/** New text of an answer that is being written; empty for none, or if it was stopped. */
const readNewText = async ({ deps, id, read }: StreamRequest, streamed: StreamedSignal): Promise<string> => {
  const answered = streamed.stored.record.signal.id;
  const fresh = streamed.chunks.filter((chunk) => isFresh(chunk, read?.id === answered ? read : undefined));
  const [first] = streamed.chunks;
  if (fresh.length === 0 || first === undefined) return '';
  if (isStoppedFor(await loadKillSwitch(deps.table, deps.space), first.at)) return '';
  return buildTextEvents(id, answered, fresh);
};

/**
 * All new events; empty for none. While an answer is written only its signal is read, and else the
 * signals of the turn that are not over. @throws HttpError 404
 */
const readEvents = async (request: StreamRequest): Promise<string> => {
  const { id, read } = request;
  const answered = read?.id ?? id;
  const current = await loadStreamed(request, answered);
  if (current?.isBeingWritten === true) return readNewText(request, current);
  const root = answered === id ? current : await loadStreamed(request, id);
  if (root === undefined) throw noSuchSignal();
  const turn = new Map([[id, root]]);
  const descendants = await loadDescendants(async (child) => {
    const streamed = await loadStreamed(request, child);
    if (streamed !== undefined) turn.set(child, streamed);
    return streamed?.stored;
  }, root.stored);
  const { state, turn: stage, replies } = buildTurnView(root.stored, descendants);
  if (stage !== 'running') return buildEvent('end', { state, turn: stage, replies });
  const next = [...turn.values()].findLast(({ chunks }) => chunks.length > 0);
  const text = next === undefined ? '' : await readNewText(request, next);
  return text === '' || next === root ? text : `${buildEvent('next', { replies })}${text}`;
};

interface StreamPlace {
  readonly isKept: () => Promise<boolean>;
  /** This promise never rejects. */
  readonly leave: () => Promise<void>;
}

/** Begins attributes that hold places: letters and digits only, as they become placeholders. */
const PLACE_PREFIX = 'held';

/** Newest first. */
const readPlaces = (item: Item = {}): readonly { readonly name: string; readonly until: number }[] =>
  Object.entries(item)
    .filter(([name]) => name.startsWith(PLACE_PREFIX))
    .map(([name, until]) => ({ name, until: Number(until) }))
    .sort((left, right) => right.until - left.until || (left.name < right.name ? -1 : 1));

/**
 * Takes a place for a held request, whichever environment it runs in: one item has an attribute for
 * each, with the time its wait ends. The newest STREAMS_HELD_MAX keep their places. A place that a
 * crash leaves behind counts until its time is over.
 * @returns undefined if too many requests are held
 */
const takePlace = async (
  { space, table, now, newId, report }: Pick<ConsoleDeps, 'space' | 'table' | 'now' | 'newId' | 'report'>,
  until: number,
): Promise<StreamPlace | undefined> => {
  const key = settingKey(space, 'streams');
  const own = `${PLACE_PREFIX}${newId()}`;
  const load = async () => readPlaces(await loadItem(table, key));
  const places = await load();
  const expired = places.filter((place) => place.until <= now());
  // Two requests at the same moment may both get in: one too many does no harm.
  if (places.length - expired.length >= STREAM_REQUESTS_HELD_MAX) return undefined;
  await table.update(key, { set: { schemaVersion: 1, [own]: until }, remove: expired.map(({ name }) => name) });
  return {
    // A place that is gone has waited to its end, and is no longer asked about.
    isKept: async () => (await load()).findIndex(({ name }) => name === own) < STREAMS_HELD_MAX,
    leave: async () => {
      await table.update(key, { remove: [own] }).catch(report);
    },
  };
};

const respondGaveWay = (): HttpResponse => {
  const message = 'newer streams took the place of this one; GET the signal itself instead';
  return respondEvents(buildEvent('gave-way', { message }), STREAM_GAVE_WAY_RETRY_MS);
};

/** Waits until there are events, the wait is over, or newer streams take the place. */
const holdStream = async (request: StreamRequest): Promise<HttpResponse> => {
  const { deps } = request;
  const wait = deps.wait ?? sleep;
  const until = deps.now() + STREAM_WAIT_MS_MAX;
  const place = await takePlace(deps, until);
  if (place === undefined) return respondGaveWay();
  try {
    for (let looks = 1; ; looks += 1) {
      await wait(STREAM_LOOK_MS);
      const events = await readEvents(request);
      if (events !== '' || deps.now() >= until || looks >= LOOKS_MAX) return respondEvents(events, STREAM_RETRY_MS);
      if (looks % STREAM_PLACE_LOOKS === 0 && !(await place.isKept())) return respondGaveWay();
    }
  } finally {
    await place.leave();
  }
};

export const streamSignal = async (deps: ConsoleDeps, { params, request }: RouteCall): Promise<HttpResponse> => {
  const id = parseSignalId(params[0]);
  const streamRequest: StreamRequest = {
    deps,
    id,
    read: parseEventId(id, request.headers['last-event-id']),
    finished: new Map(),
  };
  const events = await readEvents(streamRequest);
  return events === '' ? holdStream(streamRequest) : respondEvents(events, STREAM_RETRY_MS);
};
