/**
 * Makes a whole definition of what a model or a person gave: every default is filled in, so that
 * the gates judge and the card shows all of it (I4). A change keeps what it does not name. Takes
 * the draft, the owner's zone, the chat and the job as it stands. Pure.
 */

import { clockAt, isZone } from '../../core/base/clock.ts';
import { defined } from '../../core/base/defined.ts';
import { parseDuration } from '../../core/base/duration.ts';
import { ProtocolError } from '../../core/base/errors.ts';
import { DAY_MS, MINUTE_MS } from '../../core/base/limits.ts';
import { parseUsd } from '../../core/base/money.ts';
import { CHANNELS, ChannelId } from '../../core/signal/channels.ts';
import type { Destination } from '../../core/signal/destination.ts';
import { contextIn, withContext, withTools } from '../../core/signal/task-tools.ts';
import { JOB_DEFAULTS, type JobDefinition, JobName, type When, type Work } from './job.ts';
import type { JobDraft } from './job-draft.ts';
import { passedMoment, ruleProblem } from './rule.ts';

/** A condition is cheap, and its answer may be this late. */
const CONDITION_EVERY = '15m';

export interface Completing {
  readonly zone: string;
  /** The chat it is made in; undefined if nobody is answered there. */
  readonly here: Destination | undefined;
  readonly now: number;
  /** The job that is changed; undefined for a new one. */
  readonly before?: JobDefinition | undefined;
  /** The work of a draft that names a runbook: its text and its inputs were looked up. */
  readonly work?: Work | undefined;
}

const wrong = (text: string): never => {
  throw new ProtocolError(text);
};

const parseSeconds = (field: string, given: string): number =>
  parseDuration(given) ?? wrong(`${field} must be a time such as 90m, 2h or 1d`);

const parseMinutes = (field: string, given: string): number => {
  const minutes = parseSeconds(field, given) / 60;
  return Number.isInteger(minutes) ? minutes : wrong(`${field} must be whole minutes`);
};

/** `Check the Deploys` → `check-the-deploys`. */
export const parseJobName = (given: string): string => {
  const plain = given
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 32)
    .replace(/^[^a-z]+|-+$/g, '');
  const name = JobName.safeParse(plain);
  return name.success ? name.data : wrong('name must be one or two words of letters, digits and -');
};

const CLOCK_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::00)?$/;

const parseOnce = (given: string, zone: string, now: number): When => {
  const text = given.trim() === 'now' ? clockText(now, zone) : given.trim();
  const [, day = '', time = ''] = CLOCK_TIME.exec(text) ?? [];
  if (day === '') return wrong('at must be now, or the time on the clock of the zone, such as 2026-11-24T09:00');
  const when = { kind: 'once', at: `${day}T${time}`, zone } as const;
  // The minute that has begun is not over yet.
  const problem = ruleProblem(when, now - MINUTE_MS);
  return problem === undefined ? when : wrong(problem);
};

/** `2026-11-24T09:00`; no text for a zone that does not exist, of which the rule's check tells. */
const clockText = (now: number, zone: string): string =>
  isZone(zone) ? new Date(clockAt(now, zone)).toISOString().slice(0, 16) : '2026-01-01T00:00';

/** Sources are compared without case, and stand in lower case. */
const parseEvent = (given: string, holds: string | undefined): When => {
  const [source = '', ...event] = given.trim().split('/');
  const named = event.length === 0 ? undefined : event.join('/');
  return { kind: 'event', source: source.toLowerCase(), ...defined({ event: named, holds }) };
};

/** The whole minute that has begun: intervals start on it. */
const minuteOf = (now: number): number => Math.floor(now / MINUTE_MS) * MINUTE_MS;

const parseEvery = (given: string, now: number): When => {
  const minutes = parseMinutes('every', given);
  return { kind: 'every', minutes, from: minuteOf(now) + minutes * MINUTE_MS };
};

/** The fields that say when a new job runs. */
const RULES = ['at', 'cron', 'event', 'condition', 'every'] as const;
/** Rules that are one together. */
const PAIRS = ['event,condition', 'condition,every'];

const buildWhen = (draft: JobDraft, { zone: home, now, before }: Completing): When => {
  const { at, cron, event, condition, every } = draft;
  if (at?.trim() === 'now' && before !== undefined)
    return wrong(`at now begins a new job; /jobs run ${before.name} runs this one now`);
  const given = RULES.filter((field) => draft[field] !== undefined);
  if (given.length === 0 || (given.join() === 'every' && before?.when.kind === 'condition'))
    return before === undefined ? wrong('give one of at, every, cron, event and condition') : changeWhen(draft, before);
  if (given.length > 1 && !PAIRS.includes(given.join()))
    return wrong(`give only one of ${given.join(' and ')}: a job has one rule`);
  const zone = draft.zone ?? (before !== undefined && 'zone' in before.when ? before.when.zone : home);
  if (at !== undefined) return parseOnce(at, zone, now);
  if (cron !== undefined) return { kind: 'cron', cron: cron.trim().replace(/\s+/g, ' '), zone };
  if (event !== undefined) return parseEvent(event, condition);
  if (condition === undefined) return parseEvery(every ?? '', now);
  const minutes = parseMinutes('every', every ?? CONDITION_EVERY);
  return { kind: 'condition', holds: condition, minutes, from: minuteOf(now) + MINUTE_MS };
};

/** The rule as it was, in another zone or checked at another interval. */
const changeWhen = ({ zone, every }: JobDraft, { when }: JobDefinition): When => {
  if (when.kind === 'condition' && every !== undefined) return { ...when, minutes: parseMinutes('every', every) };
  if (zone === undefined) return when;
  return 'zone' in when ? { ...when, zone } : wrong('this rule has no zone: it does not follow a clock');
};

const buildWork = (draft: JobDraft, context: Completing): Work => {
  const work = buildPlainWork(draft, context);
  const { tools, context: given } = draft;
  if (work.kind !== 'prompt') {
    if (given !== undefined) return wrong('context belongs to a prompt: steps and runbooks ask no model with notes');
    return tools === undefined ? work : wrong('tools belong to a prompt: steps and runbooks name theirs');
  }
  const before = context.before?.work.kind === 'prompt' ? contextIn(context.before.work.text) : undefined;
  const text = tools === undefined ? work.text : withTools(work.text, tools);
  return { ...work, text: withContext(text, given ?? before ?? contextIn(text)) };
};

const buildPlainWork = ({ prompt, steps }: JobDraft, { before, work }: Completing): Work => {
  const given = [prompt, steps, work].filter((one) => one !== undefined);
  if (given.length > 1) return wrong('give only one of prompt, steps and runbook');
  if (work !== undefined) return work;
  if (prompt !== undefined && prompt.trim() !== '') return { kind: 'prompt', text: prompt.trim() };
  if (steps !== undefined && steps.length > 0) return { kind: 'steps', steps };
  return before?.work ?? wrong('its work is missing: write a colon and what to ask (prompt), or steps or a runbook');
};

const PLACES = ChannelId.options.map((id) => `${id}:<${CHANNELS[id].sendsMessages ? 'chat' : 'name'}>`);
const TARGETS = [...ChannelId.options, 'webhook'] as const;

const parseDestination = (given: string, here: Destination | undefined): Destination => {
  if (given === 'here') return here ?? wrong('to: nobody is answered here; name a chat, such as telegram:7');
  const [, word = '', to = ''] = /^([a-z]+):(.+)$/.exec(given) ?? [];
  const target = TARGETS.find((one) => one === word);
  return target === undefined ? wrong(`to must hold here, ${PLACES.join(', ')} or webhook:<name>`) : { target, to };
};

const buildTo = ({ to }: JobDraft, { here, before }: Completing): readonly Destination[] =>
  to?.map((one) => parseDestination(one.trim(), here)) ?? before?.to ?? (here === undefined ? [] : [here]);

const CATCH_UP = /^(?:(skip)|(once)(?: (\S+))?|(all) (\d{1,3})(?: (\S+))?)$/;

const buildCatchUp = ({ catchUp: given }: JobDraft, before?: JobDefinition): JobDefinition['catchUp'] => {
  const usual = JOB_DEFAULTS.catchUp;
  if (given === undefined) return before?.catchUp ?? usual;
  const [, skip, once, within, all, runs] = CATCH_UP.exec(given.trim()) ?? [];
  const window = within ?? CATCH_UP.exec(given.trim())?.[6];
  const minutes = window === undefined ? usual.minutes : parseMinutes('catchUp', window);
  if (skip !== undefined) return { ...usual, mode: 'skip' };
  if (once !== undefined) return { mode: 'once', minutes, runs: 1 };
  if (all !== undefined) return { mode: 'all', minutes, runs: Number(runs) };
  return wrong('catchUp must be skip, once 6h or all 3 6h');
};

/** A job that says something to somebody promises that. */
const usualPromise = (work: Work, to: readonly Destination[]): JobDefinition['promises'] => {
  // A runbook may well end without a word: it speaks if its steps say so.
  const isSaying = work.kind === 'prompt' || (work.kind === 'steps' && work.steps.some((step) => 'say' in step));
  return isSaying && to.length > 0 ? 'reply' : 'nothing';
};

const parseCap = (given: string): number =>
  parseUsd(given.replace(/^\$/, '')) ?? wrong('capUsd must be dollars a day, such as 0.50');

/** Faults that concern several fields. */
const findConflicts = ({ work, to, promises }: JobDefinition): readonly string[] => {
  const says = work.kind === 'steps' && work.steps.some((step) => 'say' in step);
  if (to.length > 0) return [];
  if (says) return ['a step says something, and to names nobody who hears it'];
  return promises === 'reply' ? ['it promises a reply, and to names nobody who gets it'] : [];
};

/** A yes to a whole job lasts as long as the longest grant. */
const WHOLE_DAYS_MAX = 30;

/** Faults of a definition now. A new job's one moment may have passed while its card waited. */
export const definitionProblems = (definition: JobDefinition, now: number, isNew: boolean): readonly string[] => {
  const { when, work } = definition;
  const isTaken = isNew && passedMoment(when, now) !== undefined;
  const rule = isTaken ? undefined : ruleProblem(when, now);
  const isTooLong = work.kind === 'runbook' && (work.whole?.until ?? 0) > now + WHOLE_DAYS_MAX * DAY_MS;
  return [
    ...(rule === undefined ? [] : [rule]),
    ...findConflicts(definition),
    ...(isTooLong ? [`a yes to the whole job lasts ${WHOLE_DAYS_MAX} days at most`] : []),
  ];
};

const buildDefinition = (draft: JobDraft, context: Completing): JobDefinition => {
  const { before } = context;
  const when = buildWhen(draft, context);
  const work = buildWork(draft, context);
  const to = [...buildTo(draft, context)];
  const capUsd = draft.capUsd === undefined ? before?.capUsd : parseCap(draft.capUsd);
  return {
    name: parseJobName(draft.name),
    when,
    work,
    to,
    catchUp: buildCatchUp(draft, before),
    overlap: draft.overlap ?? before?.overlap ?? (when.kind === 'event' ? 'queue' : JOB_DEFAULTS.overlap),
    spreadSeconds:
      draft.spread === undefined
        ? (before?.spreadSeconds ?? JOB_DEFAULTS.spreadSeconds)
        : parseSeconds('spread', draft.spread),
    pauseAfter: draft.pauseAfter ?? before?.pauseAfter ?? JOB_DEFAULTS.pauseAfter,
    promises: draft.promises ?? before?.promises ?? usualPromise(work, to),
    ...defined({ capUsd }),
  };
};

/** The whole definition. @throws ProtocolError that says what is wrong with the draft */
export const completeJob = (draft: JobDraft, context: Completing): JobDefinition => {
  const definition = buildDefinition(draft, context);
  const [problem] = definitionProblems(definition, context.now, context.before === undefined);
  return problem === undefined ? definition : wrong(problem);
};
