/**
 * The list of signals: searched, filtered and counted while it is read, within bounds, with the
 * names that a person would give.
 */

import { defined } from '../../base/defined.ts';
import { ProtocolError } from '../../base/errors.ts';
import { readJson } from '../../base/json.ts';
import { type Language, languageFor, USUAL_LANGUAGE } from '../../base/language.ts';
import { type HttpResponse, respondJson } from '../../http/function-url.ts';
import { endingOf } from '../../ledger/old-sentences.ts';
import { SignalRecord } from '../../ledger/record.ts';
import { chatOf, sendsMessages } from '../../signal/channels.ts';
import { isCommandLineId, isRunId, isStepId } from '../../signal/ids.ts';
import { hasRun, JobRun } from '../../signal/job-run.ts';
import type { Signal } from '../../signal/signal.ts';
import { indexPartitions, jobKeys, signalIdOf } from '../../store/keys.ts';
import { parseStored, readOrSkip } from '../../store/parse-stored.ts';
import type { Item } from '../../store/table.ts';
import { countWords } from '../../text/quoted.ts';
import { SHOWN_STATES, type ShownState, shownStateOf } from '../../wings/signals/plain-words.ts';
import { sensorWords } from '../../wings/signals/sensor-words.ts';
import { FEED_LIMIT_MAX } from '../limits.ts';
import { shownOutcome, titleOf } from './list-words.ts';
import { type About, costsOf, nameSignals } from './name-signals.ts';
import { type ConsoleDeps, checkQuery, parseCount, parseCursor, type RouteCall } from './router.ts';
import type { ListedSignal } from './views.ts';

const FEED_LIMIT_DEFAULT = 20;
/** Feed entries read for one page of a filtered list; the cursor goes on from there. */
const FEED_SCAN_MAX = 500;
/** Text of a signal in a list: one line on a wide screen. */
const FEED_TEXT_CHARS_MAX = 120;
/** A search reads the feed in pieces of so many, whatever fits. */
const SEARCH_PAGE = 100;
/** Entries of a call that asks for costs: the decisions of each are read. */
const COST_SCAN_MAX = 100;
const WORDS_CHARS_MAX = 200;

/** A filter is the whole value of a field; empty stands for any. */
interface Filters {
  /** In the text, the name, the id or another field; lower case. */
  readonly words: string;
  readonly outcome: string;
  readonly channel: string;
  readonly source: string;
  readonly job: string;
  readonly tool: string;
  /** Epoch milliseconds, both within. */
  readonly from: number;
  readonly to: number | undefined;
  /** Micro-dollars; 0 for any. */
  readonly cost: number;
}

const FILTER_NAMES = ['words', 'outcome', 'channel', 'source', 'job', 'tool', 'from', 'to', 'cost'];

const parseFilters = (query: URLSearchParams): Filters => {
  const [words = '', outcome = '', channel = '', source = '', job = '', tool = ''] = FILTER_NAMES.slice(0, 6).map(
    (name) => query.get(name) ?? '',
  );
  if (words.length > WORDS_CHARS_MAX) throw new ProtocolError(`words may have at most ${WORDS_CHARS_MAX} characters`);
  const to = query.has('to') ? parseCount(query, 'to', 0) : undefined;
  const [from, cost] = [parseCount(query, 'from', 0), parseCount(query, 'cost', 0)];
  return { ...{ words: words.trim().toLowerCase(), outcome, channel, source, job, tool }, from, to, cost };
};

interface ListQuery {
  readonly filters: Filters;
  readonly state: ShownState | undefined;
  /** Only signals that nothing else caused, and the steps of runbooks, which no signal lists. */
  readonly isOfRoots: boolean;
  readonly limit: number;
  readonly cursor: string | undefined;
}

const parseListQuery = (query: URLSearchParams, space: string): ListQuery => {
  checkQuery(query, ['state', 'roots', 'limit', 'cursor', ...FILTER_NAMES]);
  const given = query.get('state') || undefined;
  const state = SHOWN_STATES.find((known) => known === given);
  if (given !== undefined && state === undefined)
    throw new ProtocolError(`state must be one of ${SHOWN_STATES.join(', ')}`);
  const roots = query.get('roots') || 'false';
  if (roots !== 'true' && roots !== 'false') throw new ProtocolError('roots must be true or false');
  const limit = query.get('limit') || String(FEED_LIMIT_DEFAULT);
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > FEED_LIMIT_MAX)
    throw new ProtocolError(`limit must be a whole number from 1 to ${FEED_LIMIT_MAX}`);
  const cursor = parseCursor(query, space);
  return { filters: parseFilters(query), state, isOfRoots: roots === 'true', limit: Number(limit), cursor };
};

const cut = (text: string): string =>
  text.length > FEED_TEXT_CHARS_MAX ? `${text.slice(0, FEED_TEXT_CHARS_MAX - 1).toWellFormed()}…` : text.toWellFormed();

const DECIDED = {
  approve: 'approved',
  deny: 'denied',
  'allow-similar': 'allowed similar ones of',
  'allow-task': 'allowed for its task',
} as const;

/** `Restart shop: step 2 of 3` */
const describeAbout = (about: About): string => {
  if (about.kind === 'job') return `the job ${about.job} ${about.hasRun ? 'is due' : 'did not run'}`;
  if (about.kind === 'step') {
    const { runbook, n, of } = about;
    const step = n === undefined ? 'begins' : `step ${n}`;
    return `${titleOf(runbook)}: ${step}${of === undefined ? '' : n === undefined ? `, ${countWords(of, 'step')}` : ` of ${of}`}`;
  }
  const { decision, sentence } = about;
  const isLook = decision === 'show-similar' || decision === 'hide-similar';
  return isLook ? `you looked at: ${sentence}` : `you ${DECIDED[decision]}: ${sentence}`;
};

/** Values of a command that is given as JSON, and else its words as they were typed. */
const restWords = (rest: string): string => {
  const [, verb = '', given = ''] = /^(\S*) ?(\{.*\})$/s.exec(rest) ?? [];
  if (given === '') return rest;
  const values = Object.values(Object(readJson(given))).filter((value) => typeof value === 'string');
  return [verb, ...values].filter(Boolean).join(' ');
};

const describePayload = ({ id, payload }: Signal): string => {
  if (payload.sensor === 'command') {
    const words = `${payload.name} ${restWords(payload.rest)}`.trim();
    return cut(isCommandLineId(id) ? words : `/${words}`);
  }
  const first = 'text' in payload ? payload.text[0]?.text : undefined;
  if (payload.sensor === 'run-step')
    return payload.n === 0 ? 'a runbook begins' : `step ${payload.n} of ${payload.run}`;
  if (first === undefined || first === '') return sensorWords(payload.sensor);
  return cut(first);
};

/** The ticks of the schedule that changed something are in the log; nobody sent them. */
const isTick = ({ signal }: SignalRecord): boolean => signal.payload.sensor === 'heartbeat';

interface Listed {
  readonly record: SignalRecord;
  /** Only beside a run of a job, and a moment that did not run. */
  readonly occurrence: JobRun | undefined;
}

/**
 * Records, and what became of the moments of jobs among them, in one read. One that this release
 * cannot read hides no other: it is counted.
 */
const loadListed = async (
  { table, space }: ConsoleDeps,
  entries: readonly Item[],
): Promise<{ readonly listed: readonly Listed[]; readonly unread: number }> => {
  const keys = entries.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) }));
  const runs = keys.map(({ pk }) => signalIdOf(pk, space)).filter((id) => isRunId(id) && !id.includes('/'));
  const items = await table.load([...keys, ...runs.map((id) => jobKeys.occurrence(space, id))]);
  const occurrences = new Map(
    items.slice(keys.length).flatMap((item) => {
      const occurrence = readOrSkip(item, (known) => parseStored(known, JobRun));
      return occurrence === undefined ? [] : [[item?.pk, occurrence]];
    }),
  );
  const stored = items.slice(0, keys.length).filter((item) => item !== undefined);
  const listed = stored.flatMap((item) => {
    const record = readOrSkip(item, (known) => parseStored(known, SignalRecord));
    return record === undefined ? [] : [{ record, occurrence: occurrences.get(item.pk) }];
  });
  return { listed, unread: stored.length - listed.length };
};

const showOccurrence = ({ state, instant, why }: JobRun): ListedSignal['occurrence'] => ({
  ...{ state, instant },
  ...defined({ why }),
});

/** A call that failed and was then done with another try is no failure. */
const outcomeOf = ({ state, toolCalls = [] }: SignalRecord): ListedSignal['outcome'] => {
  const last = [...new Map(toolCalls.map((call) => [call.tool, call.state])).values()];
  return state === 'acted' ? (['unknown', 'failed'] as const).find((one) => last.includes(one)) : undefined;
};

/** A run without words of its own, and a moment without a run. */
const nameRun = ({ payload }: Signal, occurrence: JobRun | undefined): About | undefined => {
  if (occurrence !== undefined && !hasRun(occurrence.state)) return { kind: 'job', job: occurrence.job, hasRun: false };
  if (payload.sensor !== 'job-due' || payload.text[0] !== undefined) return undefined;
  return { kind: 'job', job: payload.job, hasRun: true };
};

/** Of a run, or of the event that was handed to it. */
const jobOf = (record: SignalRecord, occurrence: JobRun | undefined): string | undefined =>
  occurrence?.job ??
  (record.signal.payload.sensor === 'job-due' ? record.signal.payload.job : endingOf(record)?.jobs?.[0]);

const buildListedSignal = ({ record, occurrence }: Listed, name: About | undefined): ListedSignal => {
  const { signal, toolCalls = [] } = record;
  const about = name ?? nameRun(signal, occurrence);
  const tools = [...new Set(toolCalls.map(({ tool }) => tool))];
  return {
    id: signal.id,
    state: shownStateOf(record),
    source: signal.source,
    session: signal.session,
    answeredIn: `${signal.reply.target}:${signal.reply.to}`,
    sensor: signal.payload.sensor,
    depth: signal.depth,
    root: signal.root,
    sender: signal.sender.id,
    receivedAt: signal.receivedAt,
    text: about === undefined ? describePayload(signal) : cut(describeAbout(about)),
    ...defined({ outcome: outcomeOf(record), occurrence: occurrence && showOccurrence(occurrence), about }),
    ...(signal.payload.sensor === 'webhook' ? { event: signal.payload.event } : {}),
    ...(sendsMessages(signal.reply.target) ? { chat: chatOf(signal.reply) } : {}),
    ...defined({ job: jobOf(record, occurrence), tools: tools.length === 0 ? undefined : tools }),
  };
};

/** All that a person may look for a signal by. */
const hasWords = ({ record }: Listed, one: ListedSignal, words: string): boolean => {
  const { payload } = record.signal;
  const texts = 'text' in payload ? payload.text.map(({ text }) => text) : [];
  const { job = '', event = '', tools = [] } = one;
  const fields = [one.text, one.id, one.source, one.sender, one.answeredIn, job, event, ...tools];
  return [...texts, ...fields].some((text) => text.toLowerCase().includes(words));
};

const isOf = (wanted: string, given: string | undefined): boolean => wanted === '' || wanted === given;

/** All filters but the outcome, by which the rest is counted. */
const fits = (listed: Listed, one: ListedSignal, filters: Filters): boolean =>
  isOf(filters.channel, one.answeredIn.split(':')[0]) &&
  isOf(filters.source, one.source) &&
  isOf(filters.job, one.job) &&
  (filters.tool === '' || one.tools?.includes(filters.tool) === true) &&
  one.receivedAt >= filters.from &&
  (filters.to === undefined || one.receivedAt <= filters.to) &&
  (filters.words === '' || hasWords(listed, one, filters.words));

/** One page of the feed as a list, without the turns that cost less than was asked for. */
const listPage = async (
  deps: ConsoleDeps,
  entries: readonly Item[],
  { state, isOfRoots, filters }: ListQuery,
  language: Language,
): Promise<{ readonly signals: readonly ListedSignal[]; readonly unread: number }> => {
  const { listed, unread } = await loadListed(deps, entries);
  const shown = listed.filter(
    ({ record }) =>
      !isTick(record) && (!isOfRoots || record.signal.id === record.signal.root || isStepId(record.signal.id)),
  );
  const names = await nameSignals(
    deps,
    shown.map(({ record }) => record.signal),
    language,
  );
  const found = shown.flatMap((of) => {
    const one = buildListedSignal(of, names.get(of.record.signal.id));
    return (state === undefined || one.state === state) && fits(of, one, filters) ? [one] : [];
  });
  if (filters.cost === 0) return { signals: found, unread };
  const costs = await costsOf(
    deps,
    found.map(({ id }) => id),
  );
  const signals = found.flatMap((one) => {
    const cost = costs.get(one.id) ?? 0;
    return cost >= filters.cost ? [{ ...one, cost }] : [];
  });
  return { signals, unread };
};

/**
 * GET /api/signals?state=&roots=&limit=&cursor= → {"signals", "counts", "unread"?, "cursor"?},
 * newest first.
 * `words`, `channel`, `source`, `job`, `tool`, `from`, `to`, `cost` and `outcome` filter further;
 * `counts` has how many that were read fit all of these but `outcome`. It is filtered while
 * reading, at most FEED_SCAN_MAX entries a call; a cursor means that there may be more.
 */
export const listSignals = async (deps: ConsoleDeps, { request }: RouteCall): Promise<HttpResponse> =>
  respondJson(200, await findSignals(deps, request.query, languageFor(request.headers['accept-language'])));

interface FoundSignals {
  readonly signals: readonly ListedSignal[];
  readonly counts: Readonly<Record<string, number>>;
  /** How many entries this release cannot read. */
  readonly unread?: number;
  readonly cursor?: string;
}

/** @param query as of GET /api/signals @throws ProtocolError */
export const findSignals = async (
  deps: ConsoleDeps,
  query: URLSearchParams,
  language: Language = USUAL_LANGUAGE,
): Promise<FoundSignals> => {
  const { table, space } = deps;
  const asked = parseListQuery(query, space);
  const { filters, limit } = asked;
  const scanMax = filters.cost === 0 ? FEED_SCAN_MAX : COST_SCAN_MAX;
  const isSearch = FILTER_NAMES.some((name) => (query.get(name) ?? '') !== '');
  const found: ListedSignal[] = [];
  const counts: Record<string, number> = {};
  let unread = 0;
  let next = asked.cursor;
  for (let scanned = 0; scanned < scanMax && found.length < limit; ) {
    const page = await table.queryIndex({
      index: 'feed',
      partition: indexPartitions.feed(space),
      isDescending: true,
      limit: isSearch ? SEARCH_PAGE : Math.min(limit - found.length, scanMax - scanned),
      cursor: next,
      ...defined({ upTo: filters.to }),
    });
    const listed = await listPage(deps, page.items, asked, language);
    unread += listed.unread;
    for (const one of listed.signals) {
      const outcome = shownOutcome(one);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
      if (isOf(filters.outcome, outcome)) found.push(one);
    }
    scanned += page.items.length;
    next = page.cursor;
    const isPast = Number(page.items.at(-1)?.feedAt ?? 0) < filters.from;
    if (isPast) next = undefined;
    if (next === undefined || page.items.length === 0) break;
  }
  return { signals: found, counts, ...defined({ unread: unread === 0 ? undefined : unread, cursor: next }) };
};
