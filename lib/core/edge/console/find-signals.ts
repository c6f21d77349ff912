/**
 * The list of signals: searched, filtered and counted while it is read, within bounds, with the
 * names that a person would give.
 */
import type * as z from 'zod/mini';
import { defined } from '../../base/defined.ts';
import { readJson } from '../../base/json.ts';
import { type Language, USUAL_LANGUAGE } from '../../base/language.ts';
import { endingOf } from '../../ledger/old-sentences.ts';
import { SignalRecord } from '../../ledger/record.ts';
import { type Handler, look } from '../../operations/operation.ts';
import { chatOf, sendsMessages } from '../../signal/channels.ts';
import { isCommandLineId, isRunId, isStepId } from '../../signal/ids.ts';
import { hasRun, JobRun } from '../../signal/job-run.ts';
import type { Signal } from '../../signal/signal.ts';
import { indexPartitions, jobKeys, signalIdOf } from '../../store/keys.ts';
import { parseStored, readOrSkip } from '../../store/parse-stored.ts';
import type { Item } from '../../store/table.ts';
import { countWords } from '../../text/quoted.ts';
import { shownStateOf } from '../../verbs/signals/plain-words.ts';
import { sensorWords } from '../../verbs/signals/sensor-words.ts';
import { signals } from './console-verbs.ts';
import { shownOutcome, titleOf } from './list-words.ts';
import { type About, costsOf, nameSignals } from './name-signals.ts';
import { type ListDeps, parseCursor } from './router.ts';
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

/** A filter is the whole value of a field. */
type ListArgs = z.output<typeof signals.args>;

const FILTERS = ['words', 'outcome', 'channel', 'source', 'job', 'tool', 'from', 'to', 'cost'] as const;

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
  { table, space }: ListDeps,
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

const isOf = (wanted: string | undefined, given: string | undefined): boolean =>
  wanted === undefined || wanted === given;

/** All filters but the outcome, by which the rest is counted. */
const fits = (listed: Listed, one: ListedSignal, args: ListArgs): boolean => {
  const { channel, source, job, tool, from = 0, to, words = '' } = args;
  const sought = words.trim().toLowerCase();
  return (
    isOf(args.state, one.state) &&
    isOf(channel, one.answeredIn.split(':')[0]) &&
    isOf(source, one.source) &&
    isOf(job, one.job) &&
    (tool === undefined || one.tools?.includes(tool) === true) &&
    one.receivedAt >= from &&
    (to === undefined || one.receivedAt <= to) &&
    (sought === '' || hasWords(listed, one, sought))
  );
};

/** One page of the feed as a list, without the turns that cost less than was asked for. */
const listPage = async (
  deps: ListDeps,
  entries: readonly Item[],
  args: ListArgs,
  language: Language,
): Promise<{ readonly signals: readonly ListedSignal[]; readonly unread: number }> => {
  const { listed, unread } = await loadListed(deps, entries);
  const shown = listed.filter(
    ({ record }) =>
      !isTick(record) &&
      (args.roots !== 'true' || record.signal.id === record.signal.root || isStepId(record.signal.id)),
  );
  const names = await nameSignals(
    deps,
    shown.map(({ record }) => record.signal),
    language,
  );
  const found = shown.flatMap((of) => {
    const one = buildListedSignal(of, names.get(of.record.signal.id));
    return fits(of, one, args) ? [one] : [];
  });
  const { cost: least = 0 } = args;
  if (least === 0) return { signals: found, unread };
  const costs = await costsOf(
    deps,
    found.map(({ id }) => id),
  );
  const signals = found.flatMap((one) => {
    const cost = costs.get(one.id) ?? 0;
    return cost >= least ? [{ ...one, cost }] : [];
  });
  return { signals, unread };
};

interface FoundSignals {
  readonly signals: readonly ListedSignal[];
  readonly counts: Record<string, number>;
  /** How many entries this release cannot read. */
  readonly unread?: number;
  readonly cursor?: string;
}

/**
 * Newest first. It is filtered while reading, at most FEED_SCAN_MAX entries a call; a cursor means
 * that there may be more. @throws ProtocolError
 */
export const findSignals = async (
  deps: ListDeps,
  args: ListArgs,
  language: Language = USUAL_LANGUAGE,
): Promise<FoundSignals> => {
  const { table, space } = deps;
  const { limit = FEED_LIMIT_DEFAULT, from = 0, cost = 0 } = args;
  const scanMax = cost === 0 ? FEED_SCAN_MAX : COST_SCAN_MAX;
  const isSearch = FILTERS.some((name) => args[name] !== undefined);
  const found: ListedSignal[] = [];
  const counts: Record<string, number> = {};
  let unread = 0;
  let next = parseCursor(args.cursor, space);
  for (let scanned = 0; scanned < scanMax && found.length < limit; ) {
    const page = await table.queryIndex({
      index: 'feed',
      partition: indexPartitions.feed(space),
      isDescending: true,
      limit: isSearch ? SEARCH_PAGE : Math.min(limit - found.length, scanMax - scanned),
      cursor: next,
      ...defined({ upTo: args.to }),
    });
    const listed = await listPage(deps, page.items, args, language);
    unread += listed.unread;
    for (const one of listed.signals) {
      const outcome = shownOutcome(one);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
      if (isOf(args.outcome, outcome)) found.push(one);
    }
    scanned += page.items.length;
    next = page.cursor;
    const isPast = Number(page.items.at(-1)?.feedAt ?? 0) < from;
    if (isPast) next = undefined;
    if (next === undefined || page.items.length === 0) break;
  }
  return { signals: found, counts, ...defined({ unread: unread === 0 ? undefined : unread, cursor: next }) };
};

export const LIST_HANDLERS: readonly Handler[] = [
  look(signals, async (context, args) => {
    const found = await findSignals(context, args, context.language);
    return { data: { ...found, signals: found.signals.map((one) => ({ ...one })) } };
  }),
];
