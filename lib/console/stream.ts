/**
 * GET /api/signals/<id>/stream → server-sent events: what was released of its answer while it is still being written, and in the
 * end how it ended. One answer holds what is new since `Last-Event-ID`; while there is nothing, the request is held for a few
 * seconds, so that it works behind a function URL as well. Shown is only what fits its stored hash and trace, undecided and not
 * stopped; from the decision on the replies are shown as ever, by what was performed.
 * - `text`: {"type", "text", "chars"}: what comes next, and the length of all of it
 * - `end`:  {"type", "state", "turn", "replies"}: nothing more comes; the draft gives way to the replies
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpError, type HttpResponse, respondEvents } from '../http/function-url.ts';
import { STREAM_LOOK_MS, STREAM_RETRY_MS, STREAM_WAIT_MS_MAX } from '../limits.ts';
import { isStoppedFor, loadKillSwitch } from '../pipeline/kill-switch.ts';
import { loadPartition } from '../pipeline/load-partition.ts';
import { readDraft, type ShownChunk } from '../signal/draft.ts';
import { isSignalId } from './console-ids.ts';
import type { ConsoleDeps, RouteCall } from './deps.ts';
import { loadDescendants } from './show-signal.ts';
import { buildSignalView } from './signal-view.ts';
import { parsePartition } from './stored-signal.ts';

/** However the clock goes. */
const LOOKS_MAX = STREAM_WAIT_MS_MAX / STREAM_LOOK_MS;

const event = (type: string, data: object, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

/** `<attempt>.<n>` of the last chunk the reader has; anything else counts as none. */
const nextOf = (lastEventId: string | undefined): { readonly attempt: number; readonly n: number } => {
  const [, attempt, n] = /^(\d{1,3})\.(\d{1,4})$/.exec(lastEventId ?? '') ?? [];
  return { attempt: Number(attempt ?? 0), n: Number(n ?? -1) + 1 };
};

const isOf = (chunk: ShownChunk, next: ReturnType<typeof nextOf>): boolean =>
  chunk.attempt > next.attempt || (chunk.attempt === next.attempt && chunk.n >= next.n);

/** What there is to tell by now; empty for nothing. @throws HttpError 404 */
const look = async (deps: ConsoleDeps, id: string, next: ReturnType<typeof nextOf>): Promise<string> => {
  const items = await loadPartition(deps.table, deps.space, id);
  const stored = parsePartition(id, items);
  if (stored === undefined) throw new HttpError(404, 'not-found', 'there is no such signal');
  const isUnderWay = stored.record.state === 'received' || stored.record.state === 'perceived';
  if (stored.decision !== undefined || !isUnderWay) {
    const view = buildSignalView(stored, await loadDescendants(deps.table, deps.space, stored), deps.now());
    if (view.turn === 'running') return '';
    return event('end', { state: view.state, turn: view.turn, replies: view.replies });
  }
  const drafts = items.filter(({ sk }) => String(sk).startsWith('stream#'));
  const fresh = readDraft(drafts, stored.record.signal.reply).filter((chunk) => isOf(chunk, next));
  const [first] = fresh;
  if (first === undefined || isStoppedFor(await loadKillSwitch(deps.table, deps.space), first.at)) return '';
  return fresh.map(({ attempt, n, text, chars }) => event('text', { text, chars }, `${attempt}.${n}`)).join('');
};

export const streamSignal = async (deps: ConsoleDeps, { params, request }: RouteCall): Promise<HttpResponse> => {
  const id = params[0] ?? '';
  if (!isSignalId(id)) throw new HttpError(404, 'not-found', 'there is no such signal');
  const next = nextOf(request.lastEventId);
  const wait = deps.wait ?? sleep;
  const until = deps.now() + STREAM_WAIT_MS_MAX;
  for (let looks = 0; ; looks += 1) {
    const events = await look(deps, id, next);
    if (events !== '' || deps.now() >= until || looks >= LOOKS_MAX) return respondEvents(events, STREAM_RETRY_MS);
    await wait(STREAM_LOOK_MS);
  }
};
