/** Signals over HTTP: the list, and one with the replies of everything it caused. */

import { defined } from '../../base/defined.ts';
import { ProtocolError } from '../../base/errors.ts';
import { type HttpResponse, respondJson } from '../../http/function-url.ts';
import { hasRun, type Occurrence, parseOccurrence } from '../../jobs/occurrence.ts';
import { signalIdOf } from '../../jobs/read-jobs.ts';
import { loadRules } from '../../judge/policy/rules-learned.ts';
import { SignalRecord } from '../../ledger/record.ts';
import { parseHead } from '../../ledger/session.ts';
import { loadStoppedSessions } from '../../ledger/session-controls.ts';
import { isCommandLineId, isRunId, isStepId } from '../../signal/ids.ts';
import type { Signal } from '../../signal/signal.ts';
import { indexPartitions, jobKeys, sessionKey, signalKeys } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import { parseStored } from '../../store/parse-stored.ts';
import type { Item, Table } from '../../store/table.ts';
import { buildStory, loadTurn } from '../../wings/signals/load-story.ts';
import { SHOWN_STATES, type ShownState, shownStateOf } from '../../wings/signals/plain-words.ts';
import { sensorWords } from '../../wings/signals/sensor-words.ts';
import { FEED_LIMIT_MAX } from '../limits.ts';
import { type ConsoleDeps, checkQuery, noSuchSignal, parseCursor, parseSignalId, type RouteCall } from './router.ts';
import { hasScope } from './tokens.ts';
import type { ListedSignal, StoppedSessionView } from './views.ts';

const FEED_LIMIT_DEFAULT = 20;
/** Feed entries read for one page of a filtered list; the cursor goes on from there. */
const FEED_SCAN_MAX = 500;
/** Text of a signal in a list: one line on a wide screen. */
const FEED_TEXT_CHARS_MAX = 120;
interface ListQuery {
  readonly state: ShownState | undefined;
  /** Only signals that nothing else caused, and the steps of runbooks, which no signal lists. */
  readonly isOfRoots: boolean;
  readonly limit: number;
  readonly cursor: string | undefined;
}

const parseListQuery = (query: URLSearchParams, space: string): ListQuery => {
  checkQuery(query, ['state', 'roots', 'limit', 'cursor']);
  const given = query.get('state') || undefined;
  const state = SHOWN_STATES.find((known) => known === given);
  if (given !== undefined && state === undefined)
    throw new ProtocolError(`state must be one of ${SHOWN_STATES.join(', ')}`);
  const roots = query.get('roots') || 'false';
  if (roots !== 'true' && roots !== 'false') throw new ProtocolError('roots must be true or false');
  const limit = query.get('limit') || String(FEED_LIMIT_DEFAULT);
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > FEED_LIMIT_MAX)
    throw new ProtocolError(`limit must be a whole number from 1 to ${FEED_LIMIT_MAX}`);
  return { state, isOfRoots: roots === 'true', limit: Number(limit), cursor: parseCursor(query, space) };
};

const describePayload = ({ id, payload }: Signal): string => {
  if (payload.sensor === 'command') return isCommandLineId(id) ? `${payload.name} (command line)` : `/${payload.name}`;
  const first = 'text' in payload ? payload.text[0]?.text : undefined;
  if (payload.sensor === 'job-due' && first === undefined) return `the job ${payload.job} is due`;
  if (payload.sensor === 'run-step')
    return payload.n === 0 ? 'a runbook begins' : `step ${payload.n} of ${payload.run}`;
  if (first === undefined || first === '') return sensorWords(payload.sensor);
  const isCut = first.length > FEED_TEXT_CHARS_MAX;
  return isCut ? `${first.slice(0, FEED_TEXT_CHARS_MAX - 1).toWellFormed()}…` : first.toWellFormed();
};

/** The ticks of the schedule that changed something are in the log; nobody sent them. */
const isTick = ({ signal }: SignalRecord): boolean => signal.payload.sensor === 'heartbeat';

interface Listed {
  readonly record: SignalRecord;
  /** Only beside a run of a job, and a moment that did not run. */
  readonly occurrence: Occurrence | undefined;
}

/** Records, and what became of the moments of jobs among them, in one read. */
const loadListed = async ({ table, space }: ConsoleDeps, entries: readonly Item[]): Promise<readonly Listed[]> => {
  const keys = entries.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) }));
  const runs = keys.map(({ pk }) => signalIdOf(pk, space)).filter((id) => isRunId(id) && !id.includes('/'));
  const items = await table.load([...keys, ...runs.map((id) => jobKeys.occurrence(space, id))]);
  const occurrences = new Map(
    items.slice(keys.length).flatMap((item) => (item === undefined ? [] : [[item.pk, parseOccurrence(item)]])),
  );
  return items.slice(0, keys.length).flatMap((item) => {
    if (item === undefined) return [];
    const record = parseStored(item, SignalRecord, `signal ${String(item.pk)}`);
    return [{ record, occurrence: occurrences.get(item.pk) }];
  });
};

const showOccurrence = ({ state, instant, why }: Occurrence): ListedSignal['occurrence'] => ({
  ...{ state, instant },
  ...defined({ why }),
});

/** A call that failed and was then done with another try is no failure. */
const outcomeOf = ({ state, toolCalls = [] }: SignalRecord): ListedSignal['outcome'] => {
  const last = [...new Map(toolCalls.map((call) => [call.tool, call.state])).values()];
  return state === 'acted' ? (['unknown', 'failed'] as const).find((one) => last.includes(one)) : undefined;
};

const buildListedSignal = ({ record, occurrence }: Listed): ListedSignal => {
  const { signal, state, stateReason } = record;
  return {
    id: signal.id,
    state: shownStateOf(state, stateReason),
    source: signal.source,
    session: signal.session,
    answeredIn: `${signal.reply.target}:${signal.reply.to}`,
    sensor: signal.payload.sensor,
    depth: signal.depth,
    root: signal.root,
    sender: signal.sender.id,
    receivedAt: signal.receivedAt,
    text:
      occurrence === undefined || hasRun(occurrence.state)
        ? describePayload(signal)
        : `the job ${occurrence.job} did not run`,
    ...defined({ outcome: outcomeOf(record), occurrence: occurrence && showOccurrence(occurrence) }),
  };
};

/**
 * GET /api/signals?state=&roots=&limit=&cursor= → {"signals", "cursor"?}, newest first. It is
 * filtered while reading, at most FEED_SCAN_MAX entries a call; a cursor means that there may be
 * more.
 */
export const listSignals = async (deps: ConsoleDeps, { request }: RouteCall): Promise<HttpResponse> =>
  respondJson(200, await findSignals(deps, request.query));

/** @param query as of GET /api/signals @throws ProtocolError */
export const findSignals = async (
  deps: ConsoleDeps,
  query: URLSearchParams,
): Promise<{ readonly signals: readonly ListedSignal[]; readonly cursor?: string }> => {
  const { table, space } = deps;
  const { state, isOfRoots, limit, cursor } = parseListQuery(query, space);
  const found: ListedSignal[] = [];
  let next = cursor;
  for (let scanned = 0; scanned < FEED_SCAN_MAX && found.length < limit; ) {
    const page = await table.queryIndex({
      index: 'feed',
      partition: indexPartitions.feed(space),
      isDescending: true,
      limit: Math.min(limit - found.length, FEED_SCAN_MAX - scanned),
      cursor: next,
    });
    const listed = await loadListed(deps, page.items);
    found.push(
      ...listed
        .filter(({ record }) => !isTick(record))
        .map(buildListedSignal)
        .filter(
          (one) =>
            (state === undefined || one.state === state) && (!isOfRoots || one.id === one.root || isStepId(one.id)),
        ),
    );
    scanned += page.items.length;
    next = page.cursor;
    if (next === undefined || page.items.length === 0) break;
  }
  return { signals: found, ...defined({ cursor: next }) };
};

/** GET /api/signals/<id> → the signal's view; without `read` the turn's view alone. */
export const showSignal = async (deps: ConsoleDeps, { params, caller }: RouteCall): Promise<HttpResponse> => {
  const { table, space } = deps;
  const found = await loadTurn(table, space, parseSignalId(params[0]));
  if (found === undefined) throw noSuchSignal();
  if (!hasScope(caller, 'read')) return respondJson(200, found.turn);
  const now = deps.now();
  return respondJson(200, { ...(await buildStory(found, now)), rules: await loadRules(table, space, now) });
};

/** @throws HttpError 404 */
export const loadRecord = async (table: Pick<Table, 'load'>, space: string, id = ''): Promise<SignalRecord> => {
  const item = await loadItem(table, signalKeys.record(space, parseSignalId(id)));
  if (item === undefined) throw noSuchSignal();
  return parseStored(item, SignalRecord, `signal ${id}`);
};

/** GET /api/stopped → {"sessions", "role"}: stopped conversations, oldest stop first. */
export const listStopped = async (deps: ConsoleDeps, { caller }: RouteCall): Promise<HttpResponse> => {
  const names = await loadStoppedSessions(deps.table, deps.space);
  const heads = await deps.table.load(
    names.map((name) => sessionKey(deps.space, name)),
    { isConsistent: true },
  );
  const sessions = heads.flatMap((item, index): StoppedSessionView[] => {
    const session = names[index] ?? '';
    const head = item === undefined ? undefined : parseHead(session, item);
    // The index may lag: conversations that were resumed meanwhile are left out.
    if (head?.stoppedBecause === undefined) return [];
    const { stoppedBecause: because, stoppedAt = 0, stoppedBy: signalId = '' } = head;
    return [{ session, because, stoppedAt, signalId }];
  });
  return respondJson(200, { sessions, role: caller.kind });
};
