/**
 * Sends the traces of ended turns, oldest first, each once: a tick that dies or loses an answer
 * repeats the same spans. While the collector is away, turns wait in the table, where their records
 * are anyway, and it is asked less often; what it refuses, or what waited for a week, is counted.
 * Nothing here is on the way of a message.
 */
import { randomBytes } from 'node:crypto';
import { ConfigError, StoredItemError } from '../../core/base/errors.ts';
import { DAY_MS, HOUR_MS, KIB, MINUTE_MS, SECOND_MS } from '../../core/base/limits.ts';
import { loadSignalRecords } from '../../core/log/collect.ts';
import { isForgetting, loadRestoreState } from '../../core/log/restore-state.ts';
import { rootOf } from '../../core/signal/ids.ts';
import { indexPartitions, signalIdOf } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import type { Log } from '../../core/store/log.ts';
import { parseStored } from '../../core/store/parse-stored.ts';
import type { Secrets } from '../../core/store/secrets.ts';
import type { Table } from '../../core/store/table.ts';
import { loadEndedSignals } from '../jobs/ended-signals.ts';
import { buildSpans, type Say } from './build-spans.ts';
import { type Posted, parseHeaders, postSpans } from './post-spans.ts';
import type { Span } from './span.ts';
import { TraceState, traceKey } from './state.ts';

/** Turns of one tick: the next minute takes the rest. */
const TURNS_MAX = 100;
/** JSON of one request: far below what a collector takes. */
const REQUEST_CHARS_MAX = 1024 * KIB;
/** A tick begins no further turn after this: the function ends after a minute. */
const TICK_MS_MAX = 25 * SECOND_MS;
/** The index may show a turn so much later than others that began with it. */
const INDEX_LAG_MS = 2 * MINUTE_MS;
/** Turns from before the first tick that are sent too. */
const FIRST_MS = HOUR_MS;
/** Leaves come within a minute; without them a turn is sent all the same. */
const LEAVES_WAIT_MS = 5 * MINUTE_MS;
/** Collectors refuse older spans, and so long nobody looked. */
const KEPT_MS_MAX = 7 * DAY_MS;
/** Turns that go on at once: of more, those that began first are given up. */
const OPEN_MAX = 200;
/** Keys of one page of the index, and pages of one tick. */
const PAGE_KEYS = 500;
const PAGES_MAX = 20;
/** The first wait for a collector that is away; it doubles up to the other. */
const PAUSE_MS = MINUTE_MS;
const PAUSE_MS_MAX = HOUR_MS;
/** A collector may name a longer wait. */
const NAMED_PAUSE_MS_MAX = DAY_MS;

export interface TraceSettings {
  readonly endpoint: string;
  /** Whether words go along. */
  readonly hasWords: boolean;
  readonly privateTags: readonly string[];
}

export interface SendDeps {
  readonly table: Table;
  readonly space: string;
  readonly settings: () => Promise<TraceSettings>;
  readonly readSecrets: (now: number) => Promise<Secrets>;
  readonly log: Log;
  readonly now: () => number;
}

interface Root {
  readonly id: string;
  /** When it began, epoch milliseconds. */
  readonly at: number;
}

interface Prepared extends Root {
  readonly spans: readonly Span[];
}

const firstState = (now: number): TraceState => ({
  schemaVersion: 1,
  salt: randomBytes(16).toString('hex'),
  since: now - FIRST_MS,
  done: {},
  open: {},
  sent: 0,
  refused: 0,
  left: 0,
  rejectedSpans: 0,
});

/** Roots that began since, oldest first. @returns too up to when all are known */
const findRoots = async ({ table, space }: SendDeps, { since, done, open }: TraceState, now: number) => {
  const roots: Root[] = [];
  let cursor: string | undefined;
  let upTo = since;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const partition = indexPartitions.feed(space);
    const found = await table.queryIndex({ index: 'feed', partition, from: since, limit: PAGE_KEYS, cursor });
    for (const { pk, feedAt } of found.items) {
      if (roots.length === TURNS_MAX) return { roots, upTo };
      const [id, at] = [signalIdOf(pk, space), Number(feedAt)];
      if (rootOf(id) === id && done[id] === undefined && open[id] === undefined) roots.push({ id, at });
      upTo = at;
    }
    cursor = found.cursor;
    if (cursor === undefined) return { roots, upTo: Math.max(since, now - INDEX_LAG_MS) };
  }
  return { roots, upTo };
};

/** @returns undefined while the turn goes on, `left` if it is never sent */
const prepare = async (
  { table, space, log }: SendDeps,
  { id, at }: Root,
  { salt, say, now }: { readonly salt: string; readonly say: Say | undefined; readonly now: number },
): Promise<Prepared | 'left' | undefined> => {
  if (now - at > KEPT_MS_MAX) return 'left';
  try {
    const ended = await loadEndedSignals(table, space, id);
    if (ended === undefined) return undefined;
    if (now - at < LEAVES_WAIT_MS && ended.some(({ record }) => record.awaitsLog)) return undefined;
    const signals = await Promise.all(ended.map(({ record }) => loadSignalRecords(table, record)));
    return { id, at, spans: buildSpans({ signals, salt, say }) };
  } catch (error) {
    if (!(error instanceof StoredItemError)) throw error;
    log('warn', 'trace-unreadable', { id });
    return 'left';
  }
};

/** Each with as many turns as one request has room for; a larger turn has one of its own. */
const batchesOf = (turns: readonly Prepared[]): readonly (readonly Prepared[])[] => {
  const batches: Prepared[][] = [];
  let chars = REQUEST_CHARS_MAX;
  for (const turn of turns) {
    const more = JSON.stringify(turn.spans).length;
    if (chars + more > REQUEST_CHARS_MAX) batches.push([]);
    chars = chars + more > REQUEST_CHARS_MAX ? more : chars + more;
    batches.at(-1)?.push(turn);
  }
  return batches;
};

interface Looked {
  /** Turns that nobody looked at before. */
  readonly roots: readonly Root[];
  readonly upTo: number;
  /** Sent, refused or left out. */
  readonly settled: readonly Root[];
  readonly goesOn: readonly Root[];
}

const byId = (roots: readonly Root[]): Readonly<Record<string, number>> =>
  Object.fromEntries(roots.map(({ id, at }) => [id, at]));

/** A turn that was not settled is looked at again, from `since` on or among those that go on. */
const moveOn = (state: TraceState, { roots, upTo, settled, goesOn }: Looked): TraceState => {
  const isSettled = byId(settled);
  const open = Object.entries({ ...state.open, ...byId(goesOn) })
    .filter(([id]) => isSettled[id] === undefined)
    .sort(([, one], [, other]) => other - one);
  const known = Object.fromEntries(open.slice(0, OPEN_MAX));
  const since = roots.find(({ id }) => isSettled[id] === undefined && known[id] === undefined)?.at ?? upTo;
  const done = Object.entries({ ...state.done, ...isSettled }).filter(([, at]) => at >= since);
  const left = state.left + Math.max(0, open.length - OPEN_MAX);
  return { ...state, since, open: known, done: Object.fromEntries(done), left };
};

/** Keep it for as long as the process lives: it remembers how long the collector is left alone. */
export const buildSendTraces = (deps: SendDeps): (() => Promise<void>) => {
  const { table, space, log, now } = deps;
  let failures = 0;
  let pausedUntil = 0;

  const pauseAfter = (posted: Posted): void => {
    failures = posted.kind === 'taken' ? 0 : failures + 1;
    const backOffMs = Math.min(PAUSE_MS_MAX, PAUSE_MS * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
    const namedMs = posted.kind === 'away' ? posted.waitMs : undefined;
    const waitMs = namedMs === undefined ? backOffMs : Math.min(namedMs, NAMED_PAUSE_MS_MAX);
    pausedUntil = posted.kind === 'taken' ? 0 : now() + waitMs;
  };

  /** Until one is not taken. @returns the turns that need not be sent again */
  const sendAll = async (
    turns: readonly Prepared[],
    way: Parameters<typeof postSpans>[0],
    begun: TraceState,
  ): Promise<{ readonly state: TraceState; readonly settled: readonly Root[] }> => {
    let state = begun;
    const settled: Root[] = [];
    for (const batch of batchesOf(turns)) {
      const spans = batch.flatMap((turn) => turn.spans);
      const posted = await postSpans(way, spans);
      pauseAfter(posted);
      const { kind } = posted;
      const status = kind === 'taken' ? 200 : posted.status;
      state = { ...state, triedAt: now(), last: kind, status };
      if (kind !== 'away') settled.push(...batch);
      if (kind === 'taken') {
        const rejectedSpans = state.rejectedSpans + posted.rejectedSpans;
        state = { ...state, sent: state.sent + batch.length, rejectedSpans };
        continue;
      }
      log('warn', 'traces-not-taken', { kind, status, turns: batch.length });
      if (kind === 'refused') state = { ...state, refused: state.refused + batch.length };
      break;
    }
    return { state, settled };
  };

  return async () => {
    const startedAt = now();
    // While a restored copy still has to forget, nothing of it goes out.
    if (startedAt < pausedUntil || isForgetting(await loadRestoreState(table, space))) return;
    const item = await loadItem(table, traceKey(space));
    const state = item === undefined ? firstState(startedAt) : parseStored(item, TraceState);
    const { roots, upTo } = await findRoots(deps, state, startedAt);
    const waiting = [...Object.entries(state.open).map(([id, at]) => ({ id, at })), ...roots];
    if (waiting.length === 0 && item !== undefined && startedAt - state.since < HOUR_MS) return;
    const { endpoint, hasWords, privateTags } = await deps.settings();
    const secrets = await deps.readSecrets(startedAt);
    const headers = parseHeaders(secrets.get('OTEL_EXPORTER_OTLP_HEADERS') ?? '');
    if (typeof headers === 'string') throw new ConfigError([`OTEL_EXPORTER_OTLP_HEADERS: ${headers}`]);
    const say = hasWords ? (await import('./say.ts')).buildSay(secrets, privateTags) : undefined;
    const turns: Prepared[] = [];
    const left: Root[] = [];
    const goesOn: Root[] = [];
    for (const root of waiting) {
      if (now() - startedAt > TICK_MS_MAX) break;
      const prepared = await prepare(deps, root, { salt: state.salt, say, now: startedAt });
      if (prepared === undefined) goesOn.push(root);
      else if (prepared === 'left') left.push(root);
      else turns.push(prepared);
    }
    const sent = await sendAll(turns, { endpoint, headers, now }, { ...state, left: state.left + left.length });
    const settled = [...left, ...sent.settled];
    await table.put(traceKey(space), { ...moveOn(sent.state, { roots, upTo, settled, goesOn }) });
  };
};
