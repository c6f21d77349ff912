/**
 * Events for clients that poll (MCP Events, SEP-3415): an action waits, a job missed its run, a run
 * of a runbook ended. Each poll is a look of the caller's own token at the console, from a moment
 * that the client's cursor names: nothing is kept here, and the console decides who may look. A
 * forged cursor names another moment, and no more. An event says where an approver decides, and
 * holds no approval's id (I5).
 */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import { DAY_MS, SECOND_MS } from '../../core/base/limits.ts';
import { isAllowed, type Need } from '../../core/edge/console/tokens.ts';
import { type AskConsole, type ConsoleRequest, schemaOf } from './tools.ts';

/** Names of its error codes (SEP-3415, Error Handling). */
const NOT_FOUND = -32023;
const FORBIDDEN = -32024;

/** Time after which everything of a moment is stored, and found. */
export const SETTLE_MS = 5 * SECOND_MS;
/** Pause that a client is asked to keep. */
const NEXT_POLL_MS = 30 * SECOND_MS;
/** A client that was away longer is told that it missed something. */
export const REPLAY_MS_MAX = 7 * DAY_MS;
const EVENTS_MAX = 50;
/** Pages of the list of signals that one poll reads, of 500 entries at most each. */
const PAGES_MAX = 4;
/** As many runs as one answer of the console lists. */
const RUNS_LISTED = 20;

interface Found {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly id: string;
  readonly data: object;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

interface Source {
  /** @throws ProtocolError if the console refuses */
  readonly get: (path: string, query?: ConsoleRequest['query']) => Promise<unknown>;
  readonly page: string;
}

interface EventType {
  readonly name: string;
  readonly description: string;
  readonly payload: z.ZodMiniObject;
  /** Those of the span and perhaps others; `isWhole` is false if some of the span were not read. */
  readonly load: (
    source: Source,
    span: Span,
  ) => Promise<{ readonly found: readonly Found[]; readonly isWhole: boolean }>;
}

const signal = z.string().check(z.describe('the tool result tells more of this id'));

const run = z.string().check(z.describe('the tool runbook_show tells more of this id'));

const Approvals = z.object({
  approvals: z.array(
    z.object({
      ...{ signalId: z.string(), n: z.int(), createdAt: z.int() },
      action: z.object({ tool: z.optional(z.string()), target: z.string() }),
    }),
  ),
});

const Missed = z.object({
  signals: z.array(
    z.object({
      ...{ id: z.string(), receivedAt: z.int(), job: z.optional(z.string()) },
      occurrence: z.optional(z.object({ instant: z.int() })),
    }),
  ),
  cursor: z.optional(z.string()),
});

const Runs = z.object({
  runs: z.array(
    z.object({
      ...{ id: z.string(), runbook: z.string(), state: z.string(), startedAt: z.int(), changedAt: z.int() },
    }),
  ),
});

const LIVE: readonly string[] = ['running', 'waiting'];

const EVENT_TYPES: readonly EventType[] = [
  {
    name: 'approval.waiting',
    description: 'An action waits for the yes of an approver, who decides on the page, in a chat or in a terminal.',
    payload: z.object({ id: signal, n: z.int(), does: z.string(), page: z.string() }),
    load: async ({ get, page }) => {
      const { approvals } = Approvals.parse(await get('/api/approvals'));
      const found = approvals.map(({ signalId, n, createdAt, action: { tool, target } }) => ({
        at: createdAt,
        id: `${signalId}/${n}/${createdAt}`,
        data: { id: signalId, n, does: tool ?? `text to ${target}`, page },
      }));
      return { found, isWhole: true };
    },
  },
  {
    name: 'job.missed',
    description: 'A job did not run at its moment.',
    payload: z.object({ id: signal, job: z.string(), due: z.string() }),
    load: async ({ get }, { from, to }) => {
      const found: Found[] = [];
      let cursor: string | undefined;
      for (let pages = 0; pages < PAGES_MAX; pages += 1) {
        const query = { outcome: 'missed', from: `${from}`, to: `${to}`, limit: '100', cursor: cursor ?? '' };
        const page = Missed.parse(await get('/api/signals', query));
        for (const { id, receivedAt: at, job = '', occurrence } of page.signals)
          found.push({ at, id, data: { id, job, due: new Date(occurrence?.instant ?? at).toISOString() } });
        ({ cursor } = page);
        if (cursor === undefined) return { found, isWhole: true };
      }
      return { found, isWhole: false };
    },
  },
  {
    name: 'run.ended',
    description: 'A run of a runbook ended.',
    payload: z.object({ id: run, runbook: z.string(), state: z.string() }),
    load: async ({ get }, { from }) => {
      const { runs } = Runs.parse(await get('/api/runbook/runs'));
      const found = runs
        .filter(({ state }) => !LIVE.includes(state))
        .map(({ id, runbook, state, changedAt: at }) => ({ at, id, data: { id, runbook, state } }));
      return { found, isWhole: runs.length < RUNS_LISTED || runs.some(({ startedAt }) => startedAt < from) };
    },
  },
];

/** The right that every event takes: it tells of what others asked for. */
const NEEDED: Need = 'read';

const PollParams = z.looseObject({
  name: z.string(),
  arguments: z.optional(z.nullable(z.strictObject({}))),
  cursor: z.optional(z.nullable(z.string())),
  maxAgeMs: z.optional(z.nullable(z.int().check(z.nonnegative()))),
  maxEvents: z.optional(z.nullable(z.int().check(z.positive()))),
});

/** The answer to `events/list`: one page has them all. */
export const listEvents = (caller: Parameters<typeof isAllowed>[0]) => ({
  events: (isAllowed(caller, NEEDED) ? EVENT_TYPES : []).map(({ name, description, payload }) => ({
    ...{ name, description, delivery: ['poll'] },
    inputSchema: schemaOf(z.strictObject({})),
    payloadSchema: schemaOf(payload),
  })),
});

/** Everything up to here was given: first by the moment, then by the id. */
type Position = Pick<Found, 'at' | 'id'>;

const isAfter = (one: Position, other: Position): boolean =>
  one.at === other.at ? one.id > other.id : one.at > other.at;

const writeCursor = ({ at, id }: Position): string => `${at} ${id}`;

const readCursor = (cursor: string): Position => {
  const [, at, id = ''] = /^(\d{1,15}) (\S{0,300})$/.exec(cursor) ?? [];
  if (at === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'this is no cursor of this server');
  return { at: Number(at), id };
};

export interface EventDeps {
  readonly ask: AskConsole;
  readonly now: () => number;
  readonly page: string;
}

const buildGet =
  (ask: AskConsole): Source['get'] =>
  async (path, query) => {
    const { status, value } = await ask({ method: 'GET', path, ...(query === undefined ? {} : { query }) });
    if (status === 403) throw new ProtocolError(FORBIDDEN, 'this token may not see such events');
    if (status !== 200) throw new ProtocolError(ProtocolErrorCode.InternalError, 'the console did not answer');
    return value;
  };

/** The answer to `events/poll`. @throws ProtocolError with a code of SEP-3415 */
export const pollEvents = async ({ ask, now: clock, page }: EventDeps, params: Readonly<Record<string, unknown>>) => {
  const { data, error } = PollParams.safeParse(params);
  if (error !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, z.prettifyError(error));
  const { name, cursor, maxAgeMs, maxEvents } = data;
  const type = EVENT_TYPES.find((one) => one.name === name);
  if (type === undefined) throw new ProtocolError(NOT_FOUND, 'there is no such event', { kind: 'event' });
  const now = clock();
  const told = { events: [], truncated: false, hasMore: false, nextPollMs: NEXT_POLL_MS };
  if (typeof cursor !== 'string') return { ...told, cursor: writeCursor({ at: now, id: '' }) };
  const asked = readCursor(cursor);
  const floor = now - Math.min(maxAgeMs ?? REPLAY_MS_MAX, REPLAY_MS_MAX);
  const since = asked.at < floor ? { at: floor, id: '' } : asked;
  const to = now - SETTLE_MS;
  if (since.at >= to) return { ...told, cursor: writeCursor(since), truncated: since !== asked };
  const { found, isWhole } = await type.load({ get: buildGet(ask), page }, { from: since.at, to });
  const due = found
    .filter((one) => isAfter(one, since) && one.at < to)
    .toSorted((one, other) => (isAfter(one, other) ? 1 : -1));
  const given = due.slice(0, Math.min(maxEvents ?? EVENTS_MAX, EVENTS_MAX));
  const last = given.length < due.length ? given.at(-1) : undefined;
  return {
    ...told,
    events: given.map(({ at, id, data }) => ({ eventId: id, name, timestamp: new Date(at).toISOString(), data })),
    cursor: writeCursor(last ?? { at: to, id: '' }),
    truncated: since !== asked || !isWhole,
    hasMore: last !== undefined,
  };
};
