/**
 * Draws a year of jobs: 200 jobs in six zones, what their owner changes, events, restarts and
 * outages. Many rules name times that a zone's clock leaves out or shows twice. It is data alone.
 */
import type { Ask, Gap, JobDraft, Random } from '../types.ts';
import type { Service } from '../world/faults.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Lord Howe changes by half an hour, Santiago at midnight, Kathmandu and UTC never. */
const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Asia/Kathmandu',
  'UTC',
] as const;

/** `<minute> <hour>`: most of them are near a change of some clock. */
const TIMES = ['0 2', '15 2', '30 2', '45 2', '0 3', '30 1', '45 1', '0 0', '30 0', '30 23', '0 8', '0 9'] as const;
/** Jobs for every hour of the day on which a clock changes. */
const HOURLY = ['15 * 29 3 *', '45 * 25 10 *', '30 * 8 3 *', '0 * 1 11 *', '45 * 5 4 *', '15 * 4 10 *'] as const;
/** Times that exist once, twice or not at all. */
const ONCE: readonly [readonly [string, string], ...(readonly [string, string])[]] = [
  ['2026-03-29T02:30', 'Europe/Berlin'],
  ['2026-10-25T02:30', 'Europe/Berlin'],
  ['2026-03-08T02:15', 'America/New_York'],
  ['2026-11-01T01:30', 'America/New_York'],
  ['2026-10-04T02:15', 'Australia/Lord_Howe'],
  ['2026-04-05T01:45', 'Australia/Lord_Howe'],
  ['2026-09-06T00:30', 'America/Santiago'],
  ['2026-04-04T23:30', 'America/Santiago'],
  ['2026-06-15T09:00', 'Asia/Kathmandu'],
];

const CHATS = ['telegram:1001', 'telegram:1002', 'telegram:1003'] as const;
const CATCH_UPS = ['once 6h', 'once 6h', 'once 1h', 'skip', 'all 3 12h', 'all 2 24h'] as const;
const SPREADS = [undefined, undefined, undefined, '30s', '5m', '40m'] as const;
const SOURCES = ['shop', 'builds'] as const;

type Rule = Pick<JobDraft, 'at' | 'every' | 'cron' | 'event' | 'condition' | 'zone'>;

const cron = (random: Random, days: string): Rule => ({
  cron: `${random.pick(TIMES)} ${days}`,
  zone: random.pick(ZONES),
});

/** A day of the month, or two. */
const drawDays = (random: Random): string =>
  random.chance(0.4) ? `1,${10 + random.below(19)}` : `${1 + random.below(31)}`;

/** Rules of each kind, in shares of 40; a cheap condition rises each fifth day. */
const drawRule = (random: Random, n: number): Rule => {
  const kind = n % 40;
  if (kind < 2) return cron(random, '* * *');
  if (kind < 5) return cron(random, `* * ${random.pick(['0', '0', '6', '1-5/2'])}`);
  if (kind < 18) return cron(random, `* * ${random.chance(0.5) ? 0 : random.below(7)}`);
  if (kind < 28) return cron(random, `${drawDays(random)} * *`);
  if (kind < 31) return { every: random.pick(['7d', '5d', '250h', '11d']) };
  if (kind < 34) {
    const [at, zone] = random.pick(ONCE);
    return { at, zone };
  }
  if (kind < 36) return { cron: random.pick(HOURLY), zone: random.pick(ZONES) };
  if (kind < 38) return { event: SOURCES[kind % 2] ?? 'shop' };
  return { condition: `Math.floor(facts.now / 86400000) % 5 < ${1 + random.below(3)}`, every: '1d' };
};

type Task = Pick<JobDraft, 'prompt' | 'steps' | 'promises'>;

/** Mostly steps: they need no model. A few fail each time, or do nothing. */
const drawTask = (random: Random, name: string, n: number): Task => {
  const marker = `m${n}`;
  if (n % 14 === 7) return { prompt: `bad ${marker}`, promises: 'reply' };
  if (n % 50 === 11) return { prompt: `say ${marker}`, promises: 'change' };
  if (n % 50 === 13) return { prompt: `note ${marker}`, promises: 'change' };
  if (n % 50 === 17) return { prompt: `hook ${marker}`, promises: 'change' };
  if (random.chance(0.12)) return { prompt: `say ${marker}`, promises: 'reply' };
  return { steps: [{ say: `tick ${name}` }], promises: 'reply' };
};

const drawTo = (random: Random): readonly string[] => {
  const chat = random.pick(CHATS);
  if (random.chance(0.15)) return [chat, 'webhook:deploys'];
  return random.chance(0.1) ? [...new Set([chat, random.pick(CHATS)])] : [chat];
};

export const drawJob = (random: Random, n: number): JobDraft => {
  const name = `job-${n}`;
  const spread = random.pick(SPREADS);
  return {
    name,
    ...drawRule(random, n),
    ...drawTask(random, name, n),
    to: drawTo(random),
    catchUp: random.pick(CATCH_UPS),
    overlap: random.chance(0.3) ? 'queue' : 'skip',
    ...(spread === undefined ? {} : { spread }),
    pauseAfter: random.pick([0, 2, 3, 5]),
  };
};

export interface YearPlan {
  readonly startAt: number;
  readonly endAt: number;
  readonly asks: readonly Ask[];
  /** Times in which the stack is down, in order, apart from each other. */
  readonly downs: readonly Gap[];
  readonly outages: readonly (Gap & { readonly service: Service })[];
}

export interface YearOptions {
  readonly jobs: number;
  /** The stack runs in these times alone, in order. */
  readonly spans: readonly Gap[];
  /** Changes by the owner, events, restarts and outages of services, each for every day. */
  readonly changesPerDay: number;
  readonly eventsPerDay: number;
  readonly restartsPerDay: number;
  readonly outagesPerDay: number;
}

/** A job is asked for and approved within this time. */
const ADD_MS = 40 * SECOND_MS;
/** Nothing goes wrong in the last hours, so that everything ends. */
export const REST_MS = 3 * HOUR_MS;

const drawTimes = (random: Random, spans: readonly Gap[], perDay: number): readonly number[] =>
  spans.flatMap(({ from, until }) => {
    const lengthMs = until - from - REST_MS;
    const count = Math.max(1, Math.round((lengthMs / DAY_MS) * perDay));
    return Array.from({ length: count }, () => from + random.below(lengthMs));
  });

const drawChange = (random: Random, at: number, jobs: number): Ask => {
  const n = random.below(jobs);
  const name = `job-${n}`;
  const verb = random.pick(['pause', 'resume', 'edit', 'edit', 'run', 'run', 'resume', 'remove', 'stop'] as const);
  if (verb === 'stop') return { at, verb, name: '' };
  if (verb !== 'edit') return { at, verb, name };
  return { at, verb, name, draft: { ...drawJob(random, n), ...drawRule(random, n), name } };
};

/** A stop lasts for some hours. */
const withResumes = (random: Random, changes: readonly Ask[]): readonly Ask[] =>
  changes.flatMap((ask): readonly Ask[] => {
    if (ask.verb !== 'stop') return [ask];
    return [ask, { at: ask.at + MINUTE_MS + random.below(REST_MS), verb: 'resume-all', name: '' }];
  });

/** Most restarts take seconds; now and then the machine is off for a day or two. */
const drawDown = (random: Random, from: number): Gap => ({
  from,
  until:
    from +
    5 * SECOND_MS +
    random.below(random.pick([30 * SECOND_MS, 30 * SECOND_MS, 20 * MINUTE_MS, 6 * HOUR_MS, 2 * DAY_MS])),
});

/** Joins those that overlap. */
const joined = (gaps: readonly Gap[]): readonly Gap[] => {
  const apart: Gap[] = [];
  for (const gap of gaps.toSorted((a, b) => a.from - b.from)) {
    const last = apart.at(-1);
    if (last === undefined || gap.from > last.until) apart.push(gap);
    else apart[apart.length - 1] = { from: last.from, until: Math.max(last.until, gap.until) };
  }
  return apart;
};

export const planYear = (random: Random, options: YearOptions): YearPlan => {
  const { jobs, spans, changesPerDay, eventsPerDay, restartsPerDay, outagesPerDay } = options;
  const [startAt, endAt] = [spans[0]?.from ?? 0, spans.at(-1)?.until ?? 0];
  const adds = Array.from({ length: jobs }, (_, n): Ask => {
    const draft = drawJob(random, n);
    return { at: startAt + n * ADD_MS, verb: 'add', name: draft.name, draft };
  });
  const changes = drawTimes(random, spans, changesPerDay).map((at) => drawChange(random, at, jobs));
  const events = drawTimes(random, spans, eventsPerDay).map(
    (at, n): Ask => ({ at, verb: 'event', name: random.pick(SOURCES), id: `m${1_000 + n}` }),
  );
  const madeAt = startAt + jobs * ADD_MS;
  const later = [...withResumes(random, changes), ...events].map((ask) => ({ ...ask, at: Math.max(ask.at, madeAt) }));
  const between = spans.slice(1).map(({ from }, n): Gap => ({ from: spans[n]?.until ?? from, until: from }));
  const restarts = drawTimes(random, spans, restartsPerDay).map((at) => drawDown(random, Math.max(at, madeAt)));
  const outages = drawTimes(random, spans, outagesPerDay).map((from) => ({
    service: random.pick(['dynamodb', 'sqs', 'telegram', 'webhook', 'model'] as const),
    from: Math.max(from, madeAt),
    until: Math.max(from, madeAt) + MINUTE_MS + random.below(2 * HOUR_MS),
  }));
  const lastMs = endAt - REST_MS;
  return {
    startAt,
    endAt,
    asks: [...adds, ...later].filter(({ at }) => at < lastMs).toSorted((a, b) => a.at - b.at),
    downs: joined([...between, ...restarts.filter(({ until }) => until < lastMs)]),
    outages: outages.filter(({ until }) => until < lastMs),
  };
};
