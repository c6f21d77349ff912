/**
 * A job: work that the heartbeat starts by a rule in time, on an event, or on a condition. It is an
 * authority record (I14): each change makes a new version, which only an approver's yes makes. A
 * definition is complete: every default stands in it, so that the card shows all of it. Pure.
 */

import * as z from 'zod/mini';
import { hashOf } from '../../core/base/canonical.ts';
import { NotFoundError } from '../../core/base/errors.ts';
import { asText, JsonObject } from '../../core/base/json.ts';
import { DAY_MS, MINUTE_MS } from '../../core/base/limits.ts';
import { Destination } from '../../core/signal/destination.ts';
import { parseStored } from '../../core/store/parse-stored.ts';
import type { Item } from '../../core/store/table.ts';

/** A year: a rarer rule is a cron rule. */
const EVERY_MINUTES_MAX = (366 * DAY_MS) / MINUTE_MS;
/** Words of a prompt that is asked again and again, and paid each time. */
const JOB_PROMPT_CHARS_MAX = 4_000;
/** Steps are actions of one decision, and each is shown on the card. */
const JOB_STEPS_MAX = 8;
/** Chats and webhooks that get a result. */
const JOB_DESTINATIONS_MAX = 4;
/** Inputs of a runbook, and characters of one: names, addresses, versions. */
const JOB_INPUTS_MAX = 20;
const JOB_INPUT_CHARS_MAX = 1_000;
/** Expression of a condition: a line that a person reads on the card. */
const JOB_CONDITION_CHARS_MAX = 1_000;
/** A day: nobody wants yesterday's reminder. */
const CATCH_UP_MINUTES_MAX = DAY_MS / MINUTE_MS;
/** Missed runs that are caught up with: more would flood whoever reads the results. */
const CATCH_UP_RUNS_MAX = 10;
/** Runs that one yes to a whole job may cover. */
const WHOLE_RUNS_MAX = 1_000;
/** Longest spread of jobs that are due at one moment. */
const SPREAD_SECONDS_MAX = 3_600;

/** Lower-case words joined by `-`; part of its session's name and of its occurrences' ids. */
export const JobName = z.string().check(z.regex(/^(?=.{1,32}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/));

/** An IANA zone, such as `Europe/Berlin`. */
const Zone = z.string().check(z.maxLength(64));
const Minutes = z.int().check(z.minimum(1), z.maximum(EVERY_MINUTES_MAX));
const Holds = z.string().check(z.minLength(1), z.maxLength(JOB_CONDITION_CHARS_MAX));

export const When = z.discriminatedUnion('kind', [
  /** `at` is a time on the zone's clock: `2026-11-24T09:00`. */
  z.strictObject({
    kind: z.literal('once'),
    at: z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/)),
    zone: Zone,
  }),
  /** `from` is the first moment, epoch milliseconds; the rhythm never changes with the clock. */
  z.strictObject({ kind: z.literal('every'), minutes: Minutes, from: z.int() }),
  /** Five fields: minute, hour, day of month, month, day of week. */
  z.strictObject({ kind: z.literal('cron'), cron: z.string().check(z.maxLength(128)), zone: Zone }),
  /** A webhook's event for which `holds` is true; without a name, each event of the source. */
  z.strictObject({
    kind: z.literal('event'),
    source: z.string().check(z.regex(/^[a-z0-9_.-]{1,64}$/)),
    event: z.optional(z.string().check(z.maxLength(128))),
    holds: z.optional(Holds),
  }),
  /** Checked every so many minutes from `from` on; it runs if `holds` has become true. */
  z.strictObject({
    kind: z.literal('condition'),
    holds: Holds,
    minutes: Minutes,
    from: z.int(),
  }),
]);
export type When = z.infer<typeof When>;

/** A text to the job's destinations, or a call of a tool (`call-webhook` is one). */
export const Step = z.union([
  z.strictObject({ say: z.string().check(z.minLength(1), z.maxLength(JOB_PROMPT_CHARS_MAX)) }),
  z.strictObject({ tool: z.string().check(z.maxLength(128)), args: JsonObject }),
]);
export type Step = z.infer<typeof Step>;

export const Work = z.discriminatedUnion('kind', [
  /** Asked of the model, as the owner's own words. */
  z.strictObject({
    kind: z.literal('prompt'),
    text: z.string().check(z.minLength(1), z.maxLength(JOB_PROMPT_CHARS_MAX)),
  }),
  /** Done in order without a model. */
  z.strictObject({
    kind: z.literal('steps'),
    steps: z.array(Step).check(z.minLength(1), z.maxLength(JOB_STEPS_MAX)),
  }),
  /** A run of a runbook; one that was changed since has another hash, and is not run. */
  z.strictObject({
    kind: z.literal('runbook'),
    runbook: z.string().check(z.maxLength(64)),
    /** SHA-256 of its text. */
    hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
    inputs: z
      .record(z.string().check(z.maxLength(32)), z.string().check(z.maxLength(JOB_INPUT_CHARS_MAX)))
      .check(z.refine((inputs) => Object.keys(inputs).length <= JOB_INPUTS_MAX, `must have at most ${JOB_INPUTS_MAX}`)),
    /** A yes to the job covers the calls of so many runs until then, epoch milliseconds. */
    whole: z.optional(z.strictObject({ runs: z.int().check(z.minimum(1), z.maximum(WHOLE_RUNS_MAX)), until: z.int() })),
  }),
]);
export type Work = z.infer<typeof Work>;
export type RunbookWork = Extract<Work, { kind: 'runbook' }>;

export const JobDefinition = z.strictObject({
  name: JobName,
  when: When,
  work: Work,
  /** Destinations of the result; empty for nowhere. */
  to: z.array(Destination).check(z.maxLength(JOB_DESTINATIONS_MAX)),
  /** Missed runs: `skip` none, `once` the newest, `all` the newest `runs`, within the minutes. */
  catchUp: z.strictObject({
    mode: z.enum(['skip', 'once', 'all']),
    minutes: z.int().check(z.minimum(1), z.maximum(CATCH_UP_MINUTES_MAX)),
    runs: z.int().check(z.minimum(1), z.maximum(CATCH_UP_RUNS_MAX)),
  }),
  /** If the run before has not ended: `skip` this one, or `queue` it. */
  overlap: z.enum(['skip', 'queue']),
  /** It starts at a moment of its own within so many seconds, so that jobs do not start at once. */
  spreadSeconds: z.int().check(z.minimum(0), z.maximum(SPREAD_SECONDS_MAX)),
  /** Failures in a row that pause it; 0 for never. */
  pauseAfter: z.int().check(z.minimum(0), z.maximum(100)),
  /** Micro-dollars a day, beside the cap of all jobs. */
  capUsd: z.optional(z.int().check(z.minimum(0))),
  /** A run that ends without it did nothing: a `reply`, a `change` (a tool that is no reading). */
  promises: z.enum(['reply', 'change', 'nothing']),
});
export type JobDefinition = z.infer<typeof JobDefinition>;

/** Defaults of a definition, for those who leave them out. */
export const JOB_DEFAULTS = {
  /** Six hours: who opens the machine at noon still gets the morning's report, once. */
  catchUp: { mode: 'once', minutes: 360, runs: 1 },
  /** Of a job in time. One started by events has `queue`: each event says something else. */
  overlap: 'skip',
  spreadSeconds: 0,
  pauseAfter: 5,
} as const satisfies Partial<JobDefinition>;

/** `ended`: a rule without a further moment. `removed`: its name may be used again. */
export const JobState = z.enum(['active', 'paused', 'ended', 'removed']);
export type JobState = z.infer<typeof JobState>;

/** The yes to a whole job: whose, under which rules, and to which version of it. */
const ApprovedWhole = z.strictObject({ by: z.string(), policyVersion: z.string(), version: z.int() });

export const Job = z.object({
  schemaVersion: z.literal(1),
  name: JobName,
  /** Number of the version in force. */
  version: z.int(),
  state: JobState,
  definition: asText(JobDefinition),
  approved: z.optional(ApprovedWhole),
  /** Every moment of the rule up to here has its occurrence, epoch milliseconds. */
  accountedTo: z.int(),
  /** Occurrences that have not ended. */
  running: z.int(),
  /** Occurrences in a row that failed or did nothing. */
  failures: z.int(),
  /** The condition held at the last check. */
  held: z.optional(z.boolean()),
  /** Due time, with the spread; only while it is active and its rule has a further moment. */
  unfinishedSpace: z.optional(z.string()),
  unfinishedAt: z.optional(z.int()),
  /** Only while it is active and waits for events. */
  feedSpace: z.optional(z.string()),
  feedAt: z.optional(z.int()),
});
export type Job = z.infer<typeof Job>;

/** One change of a job. It never changes, and lies with the job and with its signal. */
export const JobVersion = z.object({
  schemaVersion: z.literal(1),
  name: JobName,
  n: z.int(),
  state: JobState,
  definition: asText(JobDefinition),
  /** Hash of the definition. */
  hash: z.string(),
  /** It stays while the definition does. */
  approved: z.optional(ApprovedWhole),
  /** Moments after this one are of this version, epoch milliseconds. */
  from: z.int(),
  /** The person who made it, or `system`. */
  by: z.string(),
  /** Plain words, such as `made`, `edited`, `paused after 5 failures`. */
  why: z.string(),
  /** Signal and effect that made it. */
  signalId: z.string(),
  effectId: z.string(),
});
export type JobVersion = z.infer<typeof JobVersion>;

/** A whole definition; `replaces` is the version of the job that it changes. */
export const JobArgs = z.strictObject({ ...JobDefinition.shape, replaces: z.optional(z.int()) });
export type JobArgs = z.infer<typeof JobArgs>;

export const definitionHash = (definition: JobDefinition): string => hashOf('job-version', definition);

export const parseJob = (item: Item): Job => parseStored(item, Job);
export const parseJobVersion = (item: Item): JobVersion => parseStored(item, JobVersion);

/** @throws ProtocolError if there is no such job */
export const jobOrFail = (job: Job | undefined, name: string): Job => {
  if (job === undefined || job.state === 'removed')
    throw new NotFoundError(`there is no job ${name}; /jobs lists those there are`);
  return job;
};
