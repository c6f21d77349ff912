/**
 * A job as a person reads it before saying yes: every field of its definition in plain words, its
 * next moments on the zone's clock and in UTC, and its permissions. A change shows beside each new
 * value the one before. Nothing is left out or cut. Pure.
 */
import { canonicalJson } from '../base/canonical.ts';
import { HOUR_MS } from '../base/limits.ts';
import { showUsd } from '../base/money.ts';
import { hourlyShare } from '../ledger/home-chat.ts';
import { jobSession } from '../money/day-spend.ts';
import { sendsMessages } from '../signal/channels.ts';
import { bothTimes, localTime, momentLines, ruleWords } from './describe-rule.ts';
import { type Destination, JOB_DEFAULTS, type JobDefinition, type Step } from './job.ts';
import type { Occurrence } from './occurrence.ts';
import type { HistoryEntry } from './read-jobs.ts';
import { momentsBetween, passedMoment } from './rule.ts';
import { minuteWords, secondWords, stateWords } from './state-words.ts';

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

const destinationWords = (place: Destination): string => {
  const topic = 'topic' in place ? `, topic ${place.topic}` : '';
  return `${place.target} ${place.to}${topic}`;
};

export const destinationsWords = (to: readonly Destination[]): string =>
  to.length === 0 ? 'nobody' : to.map(destinationWords).join(', ');

const stepWords = (step: Step): string =>
  'say' in step ? `says: ${step.say}` : `calls ${step.tool} with ${canonicalJson(step.args)}`;

const workFields = ({ work }: JobDefinition, { zone }: DescribeContext): readonly Field[] => {
  switch (work.kind) {
    case 'prompt':
      return [['It asks the model', work.text]];
    case 'steps':
      return work.steps.map((step, n) => [`Step ${n + 1}`, stepWords(step)] as const);
    case 'runbook':
      return [
        ['It runs the runbook', `${work.runbook} (hash ${work.hash})`],
        ...Object.entries(work.inputs).map(([name, value]) => [`Input ${name}`, value] as const),
        ...(work.whole === undefined
          ? []
          : [
              [
                'Approved as a whole',
                `${work.whole.runs} runs until ${bothTimes(work.whole.until, zone)}, unless the rules change before`,
              ] as const,
            ]),
      ];
    default:
      return work satisfies never;
  }
};

const catchUpWords = ({ catchUp: { mode, minutes, runs } }: JobDefinition): string => {
  switch (mode) {
    case 'skip':
      return 'it is not made up for';
    case 'once':
      return `the newest one runs if it is at most ${minuteWords(minutes)} late`;
    case 'all':
      return `the newest ${runs} run if they are at most ${minuteWords(minutes)} late`;
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

const textFields = (definition: JobDefinition, { now }: DescribeContext): readonly Field[] => {
  const { work } = definition;
  const most = hourlyShare(work.kind === 'runbook' ? work.inputs : undefined);
  return isFrequent(definition, now, most) ? [['Texts', `${most} an hour one by one, the rest in one message`]] : [];
};

const PROMISES: Readonly<Record<JobDefinition['promises'], string>> = {
  reply: 'a reply; a run without one is reported as having done nothing',
  change: 'a change by a tool; a run without one is reported as having done nothing',
  nothing: 'nothing: a run may end without a word',
};

const ruleFields = (definition: JobDefinition): readonly Field[] => {
  const { overlap, spreadSeconds, pauseAfter, capUsd } = definition;
  return [
    ['If a run was missed', catchUpWords(definition)],
    ['If the run before has not ended', overlap === 'skip' ? 'it is skipped' : 'it waits'],
    ['Start', spreadSeconds === 0 ? 'at its moment' : `within ${secondWords(spreadSeconds)} after its moment`],
    ['Pause', pauseAfter === 0 ? 'never by itself' : `by itself after ${pauseAfter} failures in a row`],
    ['Cap', capUsd === undefined ? 'that of all jobs' : `${showUsd(capUsd)} a day, beside that of all jobs`],
    ['Promise', PROMISES[definition.promises]],
  ];
};

/** The lines of rules that a job has if nobody says otherwise. */
export const usualLines = (definition: JobDefinition): readonly string[] => {
  const { capUsd: _cap, ...rest } = definition;
  const overlap = definition.when.kind === 'event' ? 'queue' : JOB_DEFAULTS.overlap;
  const usual = ruleFields({ ...rest, ...JOB_DEFAULTS, overlap });
  return usual.filter(([label]) => label !== 'Promise').map(([label, value]) => `${label}: ${value}`);
};

/** One sentence that says what a run may do without asking. */
const permissionWords = ({ name, to, work }: JobDefinition): string => {
  const may = to.length === 0 ? 'read and remember' : `read, remember and write to ${destinationsWords(to)}`;
  const session = jobSession(name);
  if (work.kind === 'runbook' && work.whole !== undefined)
    return `It may ${may}, and make the calls that the whole permits; anything else asks you each time.`;
  return `It may ${may}; anything else asks you each time, unless a grant for ${session} covers it.`;
};

const definitionFields = (definition: JobDefinition, context: DescribeContext): readonly Field[] => [
  ['When', ruleWords(definition.when, context.zone)],
  ...workFields(definition, context),
  ['Result goes to', destinationsWords(definition.to)],
  ...textFields(definition, context),
  ...ruleFields(definition),
];

/** The fields of a change: each new value with the one before, and those that are gone. */
const changedFields = (fields: readonly Field[], before: readonly Field[]): readonly Field[] => {
  const old = new Map(before);
  const labels = new Set(fields.map(([label]) => label));
  return [
    ...fields.map(([label, value]): Field => {
      const was = old.get(label);
      return was === value ? [label, value] : [`CHANGED ${label}`, `${value} (before: ${was ?? 'nothing'})`];
    }),
    ...before.filter(([label]) => !labels.has(label)).map(([label, value]): Field => [`REMOVED ${label}`, value]),
  ];
};

/** Whether a new job has its moment behind it: it runs with the next heartbeat. */
export const beginsAtOnce = ({ when }: JobDefinition, now: number): boolean => passedMoment(when, now) !== undefined;

/** The deed and the times of a job, in three lines for the person who just made it. */
export const describeMade = (definition: JobDefinition, context: DescribeContext): readonly string[] => [
  `When: ${ruleWords(definition.when, context.zone)}`,
  ...momentLines(definition.when, context.zone, context.now, context.isNew)
    .slice(0, 1)
    .map((line) => `Next: ${line}`),
  ...workFields(definition, context)
    .slice(0, 1)
    .map(([label, value]) => `${label}: ${value}`),
];

/** All lines of a definition; `before` is the one that it changes. */
export const describeJob = (
  definition: JobDefinition,
  context: DescribeContext,
  before?: JobDefinition,
): readonly string[] => {
  const own = definitionFields(definition, context);
  const fields = before === undefined ? own : changedFields(own, definitionFields(before, context));
  const [when, ...rest] = fields.map(([label, value]) => `${label}: ${value}`);
  return [
    ...(when === undefined ? [] : [when]),
    ...momentLines(definition.when, context.zone, context.now, context.isNew).map(
      (line, n) => `${n === 0 ? `Next${context.isPaused === true ? ', once it is resumed' : ''}: ` : '      '}${line}`,
    ),
    ...rest,
    permissionWords(definition),
  ];
};

const KINDS: Readonly<Record<Occurrence['kind'], string>> = {
  rule: '',
  run: ' (run by a person)',
  event: ' (for an event)',
  condition: ' (by its condition)',
};

/** `Tue 2026-11-24 08:00  ran late by 4 min  /why job-morning-…` */
export const describeOccurrence = ({ signalId, occurrence }: HistoryEntry, zone: string): string => {
  const { instant, kind, isShifted } = occurrence;
  const moved = isShifted === true ? ', moved: the clock leaves that time out' : '';
  return `${localTime(instant, zone)}  ${stateWords(occurrence)}${moved}${KINDS[kind]}  /why ${signalId}`;
};
