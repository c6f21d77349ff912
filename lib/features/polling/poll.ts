/**
 * Reads events of an MCP server that an approver let in, and takes each as one that a webhook
 * brought: an `outside` signal of the source `mcp-<server>`, within the quota of that source. Its
 * id is made of server, name and event id, so that an event counts once, also if Act dies before
 * the cursor is stored. The cursor goes back to the very address that gave it, and nowhere else.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { canonicalJson } from '../../core/base/canonical.ts';
import { PassepartoutError, ProtocolError } from '../../core/base/errors.ts';
import { isObject, readJson } from '../../core/base/json.ts';
import { MCP_TIMEOUT_MS } from '../../core/base/limits.ts';
import { makeVisible } from '../../core/base/make-visible.ts';
import { type AdmitDeps, admitSignal } from '../../core/ledger/accept.ts';
import { jobOf } from '../../core/money/day-spend.ts';
import type { EventSettings } from '../../core/operations/event-door.ts';
import { type Key, mcpKey } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import type { Table } from '../../core/store/table.ts';
import { countWords } from '../../core/text/quoted.ts';
import type { ToolContext, ToolOutput } from '../../core/tools/tool.ts';
import { loadJob } from '../jobs/read-jobs.ts';
import type { McpSession, McpStore, Reach } from '../mcp/servers.ts';
import type { EventServer, ServerEvent } from '../mcp/session.ts';
import { BodyError } from '../webhooks/edge/webhook-body.ts';
import { buildFetchedSignal } from '../webhooks/edge/webhook-signal.ts';
import type { EventPlace } from './tools.ts';

/** Events of one answer, and answers of one look for a name: the next look goes on. */
const PAGE_EVENTS_MAX = 50;
const PAGES_MAX = 4;
/** Events of a server that an answer names. */
const EVENTS_SHOWN_MAX = 24;
const DESCRIPTION_CHARS_MAX = 200;

/** Errors of events (SEP-3415, Error Handling) in our words. */
const REFUSALS: Readonly<Record<number, string>> = {
  [-32023]: 'the MCP server has no such event, or has it no more',
  [-32024]: 'the MCP server does not let this token see such events',
};

export interface PollDeps extends AdmitDeps {
  readonly table: AdmitDeps['table'] & Pick<Table, 'load'>;
  readonly space: string;
  readonly settings: EventSettings;
  readonly store: Pick<McpStore, 'load'>;
  readonly loadSession: () => Promise<Pick<McpSession, 'withServerEvents'>>;
  readonly tokenFor: Reach['tokenFor'];
}

interface PollRequest extends EventPlace, Pick<ToolContext, 'now'> {}

/** A model that works for another job calls the tool in vain. @throws ProtocolError */
const checkIsStep = async (
  { table, space }: PollDeps,
  { server, url, events }: EventPlace,
  session: string,
): Promise<void> => {
  const job = await loadJob(table, space, jobOf(session) ?? '');
  const { work } = job?.definition ?? {};
  const step = canonicalJson({ tool: 'poll-mcp-events', args: { server, url, events } });
  if (work?.kind !== 'steps' || !work.steps.some((one) => canonicalJson(one) === step))
    throw new ProtocolError('events are read by a job whose step says so, and by nothing else');
};

const Cursors = z.record(z.string(), z.string());
type Cursors = z.infer<typeof Cursors>;

const cursorsKey = (space: string, server: string): Key => ({ ...mcpKey(space), sk: `events#${server}` });

/** Cursors of another address count for nothing. */
const loadCursors = async ({ table, space }: PollDeps, { server, url }: PollRequest): Promise<Cursors> => {
  const item = await loadItem(table, cursorsKey(space, server));
  if (!isObject(item) || item.url !== url) return {};
  return Cursors.safeParse(readJson(String(item.cursors))).data ?? {};
};

const saveCursors = async ({ table, space }: PollDeps, { server, url }: PollRequest, cursors: Cursors) => {
  await table.put(cursorsKey(space, server), { schemaVersion: 1, url, cursors: JSON.stringify(cursors) });
};

interface Tally {
  taken: number;
  /** Events that cannot be stored. */
  unfit: number;
  /** The server says that it left some out. */
  hasGap: boolean;
  /** The quota of the source is used up for today. */
  isFull: boolean;
}

const takeEvent = async (
  deps: PollDeps,
  { server, now }: PollRequest,
  one: ServerEvent,
): Promise<'taken' | 'repeated' | 'unfit' | 'full'> => {
  const request = { name: `mcp-${server}`, now, space: deps.space, ...deps.settings };
  const id = createHash('sha256').update(`${one.name}\n${one.eventId}`).digest('hex').slice(0, 32);
  try {
    const signal = buildFetchedSignal(request, { id, event: one.name, json: JSON.stringify(one) });
    const admitted = await admitSignal(deps, signal);
    if (typeof admitted === 'object') return 'full';
    return admitted === 'accepted' ? 'taken' : 'repeated';
  } catch (error) {
    // A body that can never be stored must not hold up those behind it.
    if (error instanceof BodyError) return 'unfit';
    throw error;
  }
};

/** Reads one name on from its cursor. @returns the cursor behind all that was taken */
const readName = async (
  deps: PollDeps,
  request: PollRequest,
  server: EventServer,
  name: string,
  from: string | undefined,
  tally: Tally,
): Promise<string> => {
  let cursor = from;
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const page = await server.poll(name, cursor, PAGE_EVENTS_MAX);
    if (typeof page === 'number')
      throw new ProtocolError(REFUSALS[page] ?? `the MCP server refused to give events (code ${page})`);
    if (page.events.length > PAGE_EVENTS_MAX || page.events.some((one) => one.name !== name))
      throw new ProtocolError('the MCP server gave other or more events than it was asked for');
    if (page.cursor === undefined) throw new ProtocolError('the MCP server keeps no events, so none can be fetched');
    tally.hasGap ||= page.truncated === true;
    for (const one of page.events) {
      const how = await takeEvent(deps, request, one);
      if (how === 'taken') tally.taken += 1;
      if (how === 'unfit') tally.unfit += 1;
      if (how === 'full') tally.isFull = true;
      // Those from here on are fetched again tomorrow, from the same cursor.
      if (how === 'full') return cursor ?? page.cursor;
    }
    ({ cursor } = page);
    if (page.hasMore !== true) break;
  }
  return cursor ?? '';
};

const describeTally = ({ taken, unfit, hasGap, isFull }: Tally): string =>
  [
    `${countWords(taken, 'event')} came.`,
    ...(unfit === 0 ? [] : [`${countWords(unfit, 'event')} could not be stored.`]),
    ...(hasGap ? ['The server left some out.'] : []),
    ...(isFull ? ["Today's quota of this source is used up: the rest comes later."] : []),
  ].join(' ');

const pollNames = async (deps: PollDeps, request: PollRequest, server: EventServer): Promise<ToolOutput> => {
  const tally: Tally = { taken: 0, unfit: 0, hasGap: false, isFull: false };
  const cursors = { ...(await loadCursors(deps, request)) };
  const names = (request.events ?? '').split(',');
  for (const name of new Set(names)) {
    const cursor = await readName(deps, request, server, name, cursors[name], tally);
    if (cursor === cursors[name]) continue;
    cursors[name] = cursor;
    const kept = Object.fromEntries(Object.entries(cursors).filter(([one]) => names.includes(one)));
    await saveCursors(deps, request, kept);
  }
  return { output: describeTally(tally), origin: 'agent' };
};

const listNames = async (server: EventServer): Promise<ToolOutput> => {
  const events = await server.list();
  const lines = events
    .slice(0, EVENTS_SHOWN_MAX)
    .map(({ name, description = '' }) => makeVisible(`  ${name}: “${description.slice(0, DESCRIPTION_CHARS_MAX)}”`));
  const head = lines.length === 0 ? 'It has no events that can be fetched.' : 'It has these events:';
  return { output: [head, ...lines].join('\n'), origin: 'outside' };
};

/** @throws ProtocolError in fixed words: a server's own words are never a reason */
export const readServerEvents = async (
  deps: PollDeps,
  place: EventPlace,
  { now, addresses = [], session = '' }: Pick<ToolContext, 'now' | 'addresses' | 'session'>,
): Promise<ToolOutput> => {
  const { server, url, events } = place;
  if (events !== undefined) await checkIsStep(deps, place, session);
  const { servers } = await deps.store.load();
  if (!servers.some((one) => one.name === server && one.url === url))
    throw new ProtocolError('no MCP server of this name was let in at this address');
  if (addresses.length === 0) throw new ProtocolError('the host of the MCP server was not resolved');
  const { withServerEvents } = await deps.loadSession();
  const access = { server, url, addresses, ...deps.tokenFor(server, url), timeoutMs: MCP_TIMEOUT_MS };
  // The client is a bundle of its own, with classes of its own: it knows none of ours.
  let problem: PassepartoutError | undefined;
  const outcome = await withServerEvents(access, async (one): Promise<ToolOutput> => {
    try {
      return events === undefined ? await listNames(one) : await pollNames(deps, { ...place, now }, one);
    } catch (error) {
      if (error instanceof PassepartoutError) problem = error;
      throw error;
    }
  });
  if (problem !== undefined) throw problem;
  if ('kind' in outcome) throw new ProtocolError(outcome.why);
  return outcome;
};
