/**
 * Why something began: versions that the owner asked for, runs that a person or an event wanted,
 * and runs on a condition.
 */
import type { Ask, JobDraft } from '../types.ts';
import {
  ASKED_WITHIN_MS,
  type Job,
  type JobsRule,
  type JobsRun,
  mayBeStopped,
  nameOf,
  type Occurrence,
  timeText,
  type Version,
  versionOf,
} from './jobs-view.ts';
import { fieldsOf, listOf, textOf } from './json.ts';

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];

type Taken = JobsRun['observed']['asks'][number];

const VERBS: Readonly<Record<string, readonly Ask['verb'][]>> = {
  made: ['add', 'edit'],
  edited: ['add', 'edit'],
  paused: ['pause'],
  resumed: ['resume'],
  removed: ['remove'],
};

/** The fields that a draft and a definition have in common. */
const fitsDraft = (draft: JobDraft, { fields, to }: Version['definition']): boolean => {
  const { kind, at, cron, zone, source, holds } = fieldsOf(fields.when);
  const { text, steps } = fieldsOf(fields.work);
  const { at: once, cron: rule, event, condition } = draft;
  const isRule =
    (kind === 'once' && at === once && zone === draft.zone) ||
    (kind === 'cron' && cron === rule && zone === draft.zone) ||
    (kind === 'event' && source === event) ||
    (kind === 'condition' && holds === condition) ||
    (kind === 'every' && draft.every !== undefined && condition === undefined);
  const isWork = draft.prompt === undefined ? listOf(steps).length === draft.steps?.length : text === draft.prompt;
  const isTo = to.join() === draft.to.map((one) => one.replace(':', ' ')).join();
  return isRule && isWork && isTo && fields.overlap === draft.overlap && fields.pauseAfter === draft.pauseAfter;
};

const isAskOf = (version: Version, job: string, ask: Taken): boolean => {
  const isInTime = ask.at <= version.from && version.from - ask.takenAt < ASKED_WITHIN_MS;
  if (ask.name !== job || !isInTime || VERBS[version.why]?.includes(ask.verb) !== true) return false;
  return !('draft' in ask) || fitsDraft(ask.draft, version.definition);
};

export const asked: JobsRule = {
  name: 'job-asked',
  promise: 'Each version that is not of the program itself is one that the owner asked for, once.',
  check: ({ jobs, observed: { asks } }) => {
    const wrong: string[] = [];
    for (const { name, versions } of jobs) {
      const left = asks.filter((ask) => ask.name === name);
      for (const version of versions) {
        if (version.by === 'system') continue;
        const at = left.findIndex((ask) => isAskOf(version, name, ask));
        if (at < 0) wrong.push(`${version.id} (${version.why}) is nothing that the owner asked for`);
        else left.splice(at, 1);
      }
    }
    return wrong;
  },
};

/** A version that was active in all of this time, in which nothing was stopped or down. */
const wasActive = ({ versions }: Job, from: number, until: number): Version | undefined =>
  versions.find((version) => version.state === 'active' && version.from < from && (version.until ?? until) >= until);

const isQuiet = (run: JobsRun, from: number, until: number): boolean =>
  run.observed.gaps.every((gap) => gap.from > until || gap.until < from) && !mayBeStopped(run, from, until);

const eventIdOf = ({ name, id }: Extract<Ask, { verb: 'event' }>): string => `wh-${name}:msg_${id}`;

const checkEvents = (run: JobsRun, job: Job): readonly string[] => {
  const wrong: string[] = [];
  const runs = Map.groupBy(
    job.occurrences.filter(({ kind }) => kind === 'event'),
    ({ eventId }) => eventId,
  );
  for (const [id, list] of runs) if (list.length > 1) wrong.push(`${job.name} ran ${list.length} times for ${id}`);
  const events = run.observed.asks.flatMap((ask) => (ask.verb === 'event' ? [ask] : []));
  const known = new Set(events.map(eventIdOf));
  for (const id of runs.keys()) if (!known.has(id)) wrong.push(`${job.name} ran for ${id}, which nobody sent`);
  for (const event of events) {
    const when = fieldsOf(wasActive(job, event.at, event.takenAt + ASKED_WITHIN_MS)?.definition.fields.when);
    const isWaiting = when.kind === 'event' && textOf(when.source) === event.name;
    if (isWaiting && !runs.has(eventIdOf(event)) && isQuiet(run, event.at, event.takenAt + ASKED_WITHIN_MS))
      wrong.push(`${job.name} did not run for ${eventIdOf(event)}`);
  }
  return wrong;
};

const checkWanted = ({ observed: { asks } }: JobsRun, { name, occurrences }: Job): readonly string[] => {
  const left = asks.filter((ask) => ask.verb === 'run' && ask.name === name);
  return occurrences
    .filter(({ kind }) => kind === 'run')
    .filter(({ at }) => {
      const found = left.findIndex((ask) => ask.at <= at && at - ask.takenAt < ASKED_WITHIN_MS);
      if (found >= 0) left.splice(found, 1);
      return found < 0;
    })
    .map((one) => `${nameOf(one)} ran at ${timeText(one.at)}, and nobody wanted it then`);
};

/** A person alone runs a job that is paused. */
const checkPaused = (job: Job): readonly string[] =>
  job.occurrences
    .filter((one) => one.hasRun && one.kind !== 'run' && versionOf(job, one)?.state !== 'active')
    .map((one) => `${nameOf(one)} began while the job was ${versionOf(job, one)?.state}`);

export const wanted: JobsRule = {
  name: 'job-wanted',
  promise: 'A run that a person or an event wanted exists once for each of them, and a paused job has no other.',
  check: (run) => run.jobs.flatMap((job) => [...checkEvents(run, job), ...checkWanted(run, job), ...checkPaused(job)]),
};

/** `Math.floor(facts.now / 86400000) % 5 < 2`: true for some days out of five. */
const CONDITION = /^Math\.floor\(facts\.now \/ 86400000\) % 5 < (\d)$/;
const CYCLE_MS = 5 * DAY_MS;

const cycleOf = ({ at }: Pick<Occurrence, 'at'>): number => Math.floor(at / CYCLE_MS);

const checkCondition = (run: JobsRun, version: Version, own: readonly Occurrence[]): readonly string[] => {
  const [, days] = CONDITION.exec(textOf(fieldsOf(version.definition.fields.when).holds)) ?? [];
  if (days === undefined) return own.map((one) => `${nameOf(one)} has no condition`);
  const trueMs = Number(days) * DAY_MS;
  const wrong = own
    .filter(({ at }) => at % CYCLE_MS >= trueMs)
    .map((one) => `${nameOf(one)} began while its condition was false`);
  const cycles = Map.groupBy(own, cycleOf);
  for (const list of cycles.values())
    if (list.length > 1) wrong.push(`${nameOf(list[1] as Occurrence)} began again in the same rise`);
  const end = (version.until ?? run.exportedAt) - DAY_MS;
  if (version.state !== 'active') return wrong;
  for (let from = (Math.floor(version.from / CYCLE_MS) + 1) * CYCLE_MS; from + trueMs <= end; from += CYCLE_MS)
    if (!cycles.has(from / CYCLE_MS) && isQuiet(run, from - CYCLE_MS + trueMs, from + trueMs + HOUR_MS))
      wrong.push(`${version.id} did not run though its condition became true at ${timeText(from)}`);
  return wrong;
};

export const byCondition: JobsRule = {
  name: 'job-condition',
  promise: 'A condition starts one run each time it becomes true, and none while it is false.',
  check: (run) =>
    run.jobs.flatMap(({ versions, occurrences }) => {
      const own = Map.groupBy(
        occurrences.filter(({ kind }) => kind === 'condition'),
        ({ version }) => version,
      );
      return versions.flatMap((version) =>
        fieldsOf(version.definition.fields.when).kind === 'condition' || own.has(version.n)
          ? checkCondition(run, version, own.get(version.n) ?? [])
          : [],
      );
    }),
};
