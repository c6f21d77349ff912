/**
 * GET /api/signals/<id>/stream → server-sent events (`stream-events.ts`): what was released of its answer while it is still being
 * written, then of the answers to what its tools gave, and in the end how the turn ended. One response holds what is new since
 * `Last-Event-ID`; while there is nothing, the request is held for a few seconds, so that it works behind a function URL as well.
 * Shown is only what fits its stored hash and trace, undecided and not stopped; from the decision on the replies are shown as
 * ever, by what was performed. While an answer is written a look reads its signal alone, and else what of the turn is not over.
 * Few requests are held at once (`stream-place.ts`): one ends with `gave-way` when newer ones come.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../base/limits.ts';
import { isStoppedFor, loadKillSwitch } from '../../ledger/kill-switch.ts';
import { loadPartition } from '../../ledger/load-partition.ts';
import { readDraft, type ShownChunk } from '../../signal/draft.ts';
import { isFinal } from '../../signal/signal.ts';
import type { Table } from '../../store/table.ts';
import { HttpError, type HttpResponse, respondEvents } from '../function-url.ts';
import { STREAM_RETRY_MS } from '../limits.ts';
import { isSignalId } from './console-ids.ts';
import type { ConsoleDeps, RouteCall } from './deps.ts';
import { walkDescendants } from './show-signal.ts';
import { buildSignalView } from './signal-view.ts';
import { parsePartition, type StoredSignal } from './stored-signal.ts';
import {
  endEvent,
  freshChunks,
  gaveWayEvent,
  nextEvent,
  parseEventId,
  type ReadSoFar,
  textEvents,
} from './stream-events.ts';
import { takePlace } from './stream-place.ts';

/** How long the console holds a request for what comes next of an answer, and how often it looks. */
export const STREAM_WAIT_MS_MAX = 4 * SECOND_MS;
export const STREAM_LOOK_MS = 60;
/** A held stream looks whether newer ones took its place once in so many looks. */
const STREAM_PLACE_LOOKS = 4;
/**
 * When a stream that gave way may ask again: at once it would push out another, which does the
 * same.
 */
const STREAM_GAVE_WAY_RETRY_MS = 15 * SECOND_MS;

/** However the clock goes. */
const LOOKS_MAX = STREAM_WAIT_MS_MAX / STREAM_LOOK_MS;

interface Streamed {
  readonly stored: StoredSignal;
  readonly isWritten: boolean;
  /** Empty unless its answer is being written. */
  readonly chunks: readonly ShownChunk[];
}

type LoadStreamed = (id: string) => Promise<Streamed | undefined>;

const parseStreamed = (id: string, items: Awaited<ReturnType<typeof loadPartition>>): Streamed | undefined => {
  const stored = parsePartition(id, items);
  if (stored === undefined) return undefined;
  const { state, signal } = stored.record;
  const isWritten = stored.decision === undefined && (state === 'received' || state === 'perceived');
  const drafts = isWritten ? items.filter(({ sk }) => String(sk).startsWith('stream#')) : [];
  return { stored, isWritten, chunks: readDraft(drafts, signal.reply) };
};

/** Within one request, what is over is read once. */
const buildLoadStreamed = (table: Pick<Table, 'query'>, space: string): LoadStreamed => {
  const over = new Map<string, Streamed>();
  return async (id) => {
    const known = over.get(id);
    if (known !== undefined) return known;
    const streamed = parseStreamed(id, await loadPartition(table, space, id));
    if (streamed !== undefined && isFinal(streamed.stored.record.state)) over.set(id, streamed);
    return streamed;
  };
};

interface Asked {
  readonly id: string;
  /** The last chunk the reader has. */
  readonly read: ReadSoFar | undefined;
}

/** What is new of an answer that is being written; empty for nothing, and where it was stopped since. */
const tellWritten = async (deps: ConsoleDeps, { id, read }: Asked, { stored, chunks }: Streamed): Promise<string> => {
  const answered = stored.record.signal.id;
  const fresh = freshChunks(chunks, read?.id === answered ? read : undefined);
  const [first] = fresh;
  if (first === undefined || isStoppedFor(await loadKillSwitch(deps.table, deps.space), first.at)) return '';
  return textEvents(id, answered, fresh);
};

/** What there is to tell by now; empty for nothing. @throws HttpError 404 */
const look = async (deps: ConsoleDeps, load: LoadStreamed, asked: Asked): Promise<string> => {
  const { id, read } = asked;
  const answered = read?.id ?? id;
  const current = await load(answered);
  if (current?.isWritten === true) return tellWritten(deps, asked, current);
  const root = answered === id ? current : await load(id);
  if (root === undefined) throw new HttpError(404, 'not-found', 'there is no such signal');
  const turn = new Map([[id, root]]);
  const descendants = await walkDescendants(async (child) => {
    const streamed = await load(child);
    if (streamed !== undefined) turn.set(child, streamed);
    return streamed?.stored;
  }, root.stored);
  const view = buildSignalView(root.stored, descendants, deps.now());
  if (view.turn !== 'running') return endEvent(view);
  const next = [...turn.values()].findLast(({ chunks }) => chunks.length > 0);
  const told = next === undefined ? '' : await tellWritten(deps, asked, next);
  return told === '' || next === root ? told : `${nextEvent(view)}${told}`;
};

const respondGaveWay = (): HttpResponse => respondEvents(gaveWayEvent(), STREAM_GAVE_WAY_RETRY_MS);

/**
 * Waits in a place of its own until there is something to tell, the wait is over, or newer streams
 * take the place.
 */
const holdStream = async (deps: ConsoleDeps, lookAgain: () => Promise<string>): Promise<HttpResponse> => {
  const wait = deps.wait ?? sleep;
  const until = deps.now() + STREAM_WAIT_MS_MAX;
  const place = await takePlace(deps, until);
  if (place === undefined) return respondGaveWay();
  try {
    for (let looks = 1; ; looks += 1) {
      await wait(STREAM_LOOK_MS);
      const events = await lookAgain();
      if (events !== '' || deps.now() >= until || looks >= LOOKS_MAX) return respondEvents(events, STREAM_RETRY_MS);
      if (looks % STREAM_PLACE_LOOKS === 0 && !(await place.isKept())) return respondGaveWay();
    }
  } finally {
    await place.leave();
  }
};

export const streamSignal = async (deps: ConsoleDeps, { params, request }: RouteCall): Promise<HttpResponse> => {
  const id = params[0] ?? '';
  if (!isSignalId(id)) throw new HttpError(404, 'not-found', 'there is no such signal');
  const asked = { id, read: parseEventId(id, request.lastEventId) };
  const load = buildLoadStreamed(deps.table, deps.space);
  const first = await look(deps, load, asked);
  return first === '' ? holdStream(deps, () => look(deps, load, asked)) : respondEvents(first, STREAM_RETRY_MS);
};
