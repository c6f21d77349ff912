/**
 * Jobs as the rules about them see them: versions and occurrences of the export beside what the
 * owner asked for, when the heartbeat ticked, and when something was down. Pure.
 */
import type { ObservedJobs, Received } from '../types.ts';
import type { TimedRule } from './calendar.ts';
import { type Evidence, readEvidence } from './evidence.ts';
import { type Fields, fieldsOf, listOf, numberOf, parseJson, textOf } from './json.ts';

const MINUTE_MS = 60_000;

/** Definition of a job, as far as the rules need it. */
export interface Definition {
  readonly fields: Fields;
  readonly rule: TimedRule | undefined;
  readonly catchUp: { readonly mode: string; readonly windowMs: number; readonly runs: number };
  readonly overlap: string;
  readonly spreadMs: number;
  readonly pauseAfter: number;
  /** Texts that a whole run sends to each destination, and to whom: `telegram 7`. */
  readonly text: string | undefined;
  readonly to: readonly string[];
}

export interface Version {
  readonly id: string;
  readonly n: number;
  readonly state: string;
  readonly hash: string;
  /** It is in force from here up to the next. */
  readonly from: number;
  readonly until: number | undefined;
  readonly by: string;
  readonly why: string;
  readonly definition: Definition;
}

export interface Occurrence {
  readonly id: string;
  readonly version: number;
  readonly kind: string;
  readonly instant: number;
  readonly after: number | undefined;
  readonly state: string;
  readonly why: string;
  readonly lateMs: number | undefined;
  readonly isShifted: boolean;
  readonly at: number;
  readonly closedAt: number | undefined;
  readonly eventId: string;
  readonly hasRun: boolean;
}

export interface Job {
  readonly name: string;
  readonly versions: readonly Version[];
  /** The oldest first. */
  readonly occurrences: readonly Occurrence[];
}

/** A text that a chat or a webhook took. */
export interface Seen {
  readonly at: number;
  readonly to: string;
  readonly text: string;
}

export interface JobsRun {
  readonly observed: ObservedJobs;
  readonly evidence: Evidence;
  readonly jobs: readonly Job[];
  readonly seen: readonly Seen[];
  readonly exportedAt: number;
}

export interface JobsRule {
  readonly name: string;
  /** What always holds, in one sentence. */
  readonly promise: string;
  /** @returns a sentence for each time it does not hold */
  readonly check: (run: JobsRun) => readonly string[];
}

/** Three minutes: a start after two lost ticks is late. */
export const LATE_AFTER_MS = 3 * MINUTE_MS;

const isText = (value: unknown): value is string => typeof value === 'string';

const readRule = (when: Fields): TimedRule | undefined => {
  const { kind, at, zone, cron, minutes, from } = when;
  if (kind === 'once' && isText(at) && isText(zone)) return { kind, at, zone };
  if (kind === 'cron' && isText(cron) && isText(zone)) return { kind, cron, zone };
  return kind === 'every' ? { kind, minutes: numberOf(minutes), from: numberOf(from) } : undefined;
};

/** The simulated model answers `say m7` and what follows `note m7` with `m7 said`. */
const textOfWork = ({ kind, steps, text }: Fields): string | undefined => {
  if (kind === 'steps')
    return listOf(steps)
      .map((step) => fieldsOf(step).say)
      .find(isText);
  const [, marker] = /^(?:say|note) (m\d+)$/.exec(textOf(text)) ?? [];
  return marker === undefined ? undefined : `${marker} said`;
};

const readDefinition = (fields: Fields): Definition => {
  const { mode, minutes, runs } = fieldsOf(fields.catchUp);
  const windowMs = mode === 'skip' ? LATE_AFTER_MS : Math.max(LATE_AFTER_MS, numberOf(minutes) * MINUTE_MS);
  return {
    fields,
    rule: readRule(fieldsOf(fields.when)),
    catchUp: { mode: textOf(mode), windowMs, runs: mode === 'all' ? numberOf(runs) : 1 },
    overlap: textOf(fields.overlap),
    spreadMs: numberOf(fields.spreadSeconds) * 1_000,
    pauseAfter: numberOf(fields.pauseAfter),
    text: textOfWork(fieldsOf(fields.work)),
    to: listOf(fields.to).map((one) => `${textOf(fieldsOf(one).target)} ${textOf(fieldsOf(one).to)}`),
  };
};

const NEVER_RAN: readonly string[] = ['skipped', 'missed'];
const numberIf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

const readOccurrence = (id: string, fixed: Fields): Occurrence => ({
  id,
  version: numberOf(fixed.version),
  kind: textOf(fixed.kind),
  instant: numberOf(fixed.instant),
  after: numberIf(fixed.after),
  state: textOf(fixed.state),
  why: textOf(fixed.why),
  lateMs: numberIf(fixed.lateMs),
  isShifted: fixed.isShifted === true,
  at: numberOf(fixed.at),
  closedAt: numberIf(fixed.closedAt),
  eventId: textOf(fixed.eventId),
  hasRun: !NEVER_RAN.includes(textOf(fixed.state)),
});

const readJobs = ({ records }: Evidence): readonly Job[] => {
  const names = new Map<string, { versions: Version[]; occurrences: Occurrence[] }>();
  const of = (name: string) => {
    const found = names.get(name) ?? { versions: [], occurrences: [] };
    names.set(name, found);
    return found;
  };
  for (const { kind, id, fixed, content } of records) {
    if (kind === 'occurrence') of(textOf(fixed.job)).occurrences.push(readOccurrence(id, fixed));
    if (kind !== 'job') continue;
    const { state, by, why, definition: hash } = fixed;
    of(textOf(fixed.job)).versions.push({
      ...{ id, n: numberOf(fixed.version), from: numberOf(fixed.from), until: undefined },
      ...{ state: textOf(state), by: textOf(by), why: textOf(why), hash: textOf(hash) },
      definition: readDefinition(fieldsOf(content.definition)),
    });
  }
  return [...names].map(([name, { versions, occurrences }]) => {
    const inOrder = versions.toSorted((a, b) => a.n - b.n);
    return {
      name,
      versions: inOrder.map((version, n) => ({ ...version, until: inOrder[n + 1]?.from })),
      occurrences: occurrences.toSorted((a, b) => a.instant - b.instant || a.at - b.at),
    };
  });
};

const readSeen = ({ server, at, request, isPerformed }: Received): readonly Seen[] => {
  if (!isPerformed || server === 'model') return [];
  if (server === 'webhook') return [{ at, to: 'webhook deploys', text: request.body }];
  const { chat_id, text } = fieldsOf(parseJson(request.body));
  return request.url.endsWith('/sendMessage') ? [{ at, to: `telegram ${chat_id}`, text: textOf(text) }] : [];
};

export const buildJobsRun = (observed: ObservedJobs): JobsRun => {
  const evidence = readEvidence(observed.exported);
  return {
    observed,
    evidence,
    jobs: readJobs(evidence),
    seen: observed.received.flatMap(readSeen),
    exportedAt: numberOf(evidence.header.exportedAt),
  };
};

export const timeText = (at: number): string => (Number.isFinite(at) ? new Date(at).toISOString() : 'never');
/** How a sentence names an occurrence. */
export const nameOf = ({ id, instant, state }: Occurrence): string => `${id} (${timeText(instant)}, ${state})`;
/** The version that an occurrence says it is of. */
export const versionOf = ({ versions }: Job, { version }: Occurrence): Version | undefined => versions[version - 1];

/** A request in a chat has its effect within this time: a card is good for an hour. */
export const ASKED_WITHIN_MS = 120 * MINUTE_MS;

/** A stop was in force in some of this time. A resume counts if it was sent after the stop. */
export const mayBeStopped = ({ observed: { asks } }: JobsRun, from: number, until: number): boolean =>
  asks.some((stop) => {
    if (stop.verb !== 'stop' || stop.at > until) return false;
    const ends = asks
      .filter(({ verb, at }) => verb === 'resume-all' && at >= stop.takenAt)
      .map(({ takenAt }) => takenAt);
    return Math.min(...ends) + ASKED_WITHIN_MS >= from;
  });
