/**
 * A job as a person reads it before saying yes: every field of its definition in plain words, its
 * next moments on the zone's clock and in UTC, and its permissions. A change shows beside each new
 * value the one before. Nothing is left out or cut. Pure.
 */
import { canonicalJson } from '../../core/base/canonical.ts';
import { localTime } from '../../core/base/clock.ts';
import { HOUR_MS } from '../../core/base/limits.ts';
import { showUsd } from '../../core/base/money.ts';
import { minuteWords, secondWords } from '../../core/base/time-words.ts';
import { hourlyShare } from '../../core/ledger/home-chat.ts';
import { jobSession } from '../../core/money/day-spend.ts';
import { sendsMessages } from '../../core/signal/channels.ts';
import type { Destination } from '../../core/signal/destination.ts';
import { bothTimes, momentLines, ruleWords } from './describe-rule.ts';
import { JOB_DEFAULTS, type JobDefinition, type Step } from './job.ts';
import type { JobWords } from './job-texts.ts';
import type { HistoryEntry } from './read-jobs.ts';
import { momentsBetween, passedMoment } from './rule.ts';
import { stateWords } from './state-words.ts';

export interface DescribeContext {
  /** The owner's IANA zone, for rules that follow no clock. */
  readonly zone: string;
  /** Epoch milliseconds: the next moments come after it. */
  readonly now: number;
  /** None of the moments runs before a resume. */
  readonly isPaused?: boolean;
  /** Its one moment may have passed while it was asked about: it runs all the same. */
  readonly isNew?: boolean;
}

/** Its name, and its value in words. */
type Field = readonly [label: string, value: string];

const destinationWords = (say: JobWords, place: Destination): string => {
  const topic = 'topic' in place && place.topic !== undefined ? say.topic(place.topic) : '';
  return `${place.target} ${place.to}${topic}`;
};

export const destinationsWords = (say: JobWords, to: readonly Destination[]): string =>
  to.length === 0 ? say.nobody : to.map((place) => destinationWords(say, place)).join(', ');

const stepWords = (say: JobWords, step: Step): string =>
  'say' in step ? say.says(step.say) : say.calls(step.tool, canonicalJson(step.args));

const workFields = (say: JobWords, { work }: JobDefinition, { zone }: DescribeContext): readonly Field[] => {
  switch (work.kind) {
    case 'prompt':
      return [[say.asksModel, work.text]];
    case 'steps':
      return work.steps.map((step, n) => [say.step(n + 1), stepWords(say, step)] as const);
    case 'runbook':
      return [
        [say.runsRunbook, say.withHash(work.runbook, work.hash)],
        ...Object.entries(work.inputs).map(([name, value]) => [say.input(name), value] as const),
        ...(work.whole === undefined
          ? []
          : [[say.whole, say.wholeUntil(work.whole.runs, bothTimes(say, work.whole.until, zone))] as const]),
      ];
    default:
      return work satisfies never;
  }
};

const catchUpWords = (say: JobWords, { catchUp: { mode, minutes, runs } }: JobDefinition): string => {
  switch (mode) {
    case 'skip':
      return say.notMadeUp;
    case 'once':
      return say.newestIf(minuteWords(minutes));
    case 'all':
      return say.newestRunIf(runs, minuteWords(minutes));
    default:
      return mode satisfies never;
  }
};

/** Whether its runs may say more in an hour than a chat gets one by one. */
const isFrequent = ({ when, to }: JobDefinition, now: number, most: number): boolean => {
  if (!to.some(({ target }) => sendsMessages(target))) return false;
  if (when.kind === 'event') return true;
  if (when.kind === 'condition' || when.kind === 'once') return false;
  const moments = momentsBetween(when, now, Number.POSITIVE_INFINITY, most + 1);
  return (moments[most]?.at ?? Number.POSITIVE_INFINITY) - (moments[0]?.at ?? 0) < HOUR_MS;
};

const textFields = (say: JobWords, definition: JobDefinition, { now }: DescribeContext): readonly Field[] => {
  const { work } = definition;
  const most = hourlyShare(work.kind === 'runbook' ? work.inputs : undefined);
  return isFrequent(definition, now, most) ? [[say.texts, say.textsAnHour(most)]] : [];
};

const ruleFields = (say: JobWords, definition: JobDefinition): readonly Field[] => {
  const { overlap, spreadSeconds, pauseAfter, capUsd } = definition;
  return [
    [say.ifMissed, catchUpWords(say, definition)],
    [say.ifNotEnded, overlap === 'skip' ? say.isSkipped : say.waits],
    [say.start, spreadSeconds === 0 ? say.atMoment : say.within(secondWords(spreadSeconds))],
    [say.pause, pauseAfter === 0 ? say.never : say.afterFailures(pauseAfter)],
    [say.cap, capUsd === undefined ? say.capOfAll : say.capOwn(showUsd(capUsd))],
    [say.promise, say.promises[definition.promises]],
  ];
};

/** The lines of rules that a job has if nobody says otherwise. */
export const usualLines = (say: JobWords, definition: JobDefinition): readonly string[] => {
  const { capUsd: _cap, ...rest } = definition;
  const overlap = definition.when.kind === 'event' ? 'queue' : JOB_DEFAULTS.overlap;
  const usual = ruleFields(say, { ...rest, ...JOB_DEFAULTS, overlap });
  return usual.filter(([label]) => label !== say.promise).map(([label, value]) => `${label}: ${value}`);
};

/** One sentence that says what a run may do without asking. */
const permissionWords = (say: JobWords, { name, to, work }: JobDefinition): string => {
  const may = say.may(to.length === 0 ? undefined : destinationsWords(say, to));
  if (work.kind === 'runbook' && work.whole !== undefined) return say.mayWhole(may);
  return say.mayElse(may, jobSession(name));
};

const definitionFields = (say: JobWords, definition: JobDefinition, context: DescribeContext): readonly Field[] => [
  [say.when, ruleWords(say, definition.when, context.zone)],
  ...workFields(say, definition, context),
  [say.resultTo, destinationsWords(say, definition.to)],
  ...textFields(say, definition, context),
  ...ruleFields(say, definition),
];

/** The fields of a change: each new value with the one before, and those that are gone. */
const changedFields = (say: JobWords, fields: readonly Field[], before: readonly Field[]): readonly Field[] => {
  const old = new Map(before);
  const labels = new Set(fields.map(([label]) => label));
  return [
    ...fields.map(([label, value]): Field => {
      const was = old.get(label);
      return was === value ? [label, value] : [say.changed(label), say.before(value, was)];
    }),
    ...before.filter(([label]) => !labels.has(label)).map(([label, value]): Field => [say.removed(label), value]),
  ];
};

/** Whether a new job has its moment behind it: it runs with the next heartbeat. */
export const beginsAtOnce = ({ when }: JobDefinition, now: number): boolean => passedMoment(when, now) !== undefined;

/** The deed and the times of a job, in three lines for the person who just made it. */
export const describeMade = (say: JobWords, definition: JobDefinition, context: DescribeContext): readonly string[] => [
  `${say.when}: ${ruleWords(say, definition.when, context.zone)}`,
  ...momentLines(say, definition.when, context.zone, context.now, context.isNew)
    .slice(0, 1)
    .map((line) => `${say.next}: ${line}`),
  ...workFields(say, definition, context)
    .slice(0, 1)
    .map(([label, value]) => `${label}: ${value}`),
];

/** Moments under the label of the first. */
export const momentFields = (
  say: JobWords,
  lines: readonly string[],
  { isPaused = false }: Pick<DescribeContext, 'isPaused'> = {},
): readonly string[] =>
  lines.map((line, n) =>
    n === 0 ? `${say.next}${isPaused ? say.onceResumed : ''}: ${line}` : `${' '.repeat(say.next.length + 2)}${line}`,
  );

/** All lines of a definition; `before` is the one that it changes. */
export const describeJob = (
  say: JobWords,
  definition: JobDefinition,
  context: DescribeContext,
  before?: JobDefinition,
): readonly string[] => {
  const own = definitionFields(say, definition, context);
  const fields = before === undefined ? own : changedFields(say, own, definitionFields(say, before, context));
  const [when, ...rest] = fields.map(([label, value]) => `${label}: ${value}`);
  return [
    ...(when === undefined ? [] : [when]),
    ...momentFields(say, momentLines(say, definition.when, context.zone, context.now, context.isNew), context),
    ...rest,
    permissionWords(say, definition),
  ];
};

/** `Tue 2026-11-24 08:00  ran late by 4 min  /why job-morning-…` */
export const describeOccurrence = (say: JobWords, { signalId, occurrence }: HistoryEntry, zone: string): string => {
  const { instant, kind, isShifted } = occurrence;
  const moved = isShifted === true ? say.moved : '';
  return `${localTime(say, instant, zone)}  ${stateWords(say, occurrence)}${moved}${say.kinds[kind]}  /why ${signalId}`;
};
