/**
 * A run whose steps are signals, such as that of a runbook: which step it is at, what became of
 * those before, and when it is looked at next. It never holds an output: those stand with the
 * signals and effects of the steps, so that forgetting and evidence find them there. Of an output
 * only its hash is kept.
 */
import * as z from 'zod/mini';
import { asText } from '../base/json.ts';
import { Asker } from '../signal/asker.ts';
import { Destination } from '../signal/destination.ts';
import { RunbookName } from '../signal/runbook-name.ts';
import { Origin, ReplyRoute } from '../signal/signal.ts';
import { allOf, type Condition, equals, oneOf } from '../store/condition.ts';
import { parseStored } from '../store/parse-stored.ts';
import type { Item } from '../store/table.ts';

/**
 * - `running`: a step is under way, or waits for a person
 * - `waiting`: until a time
 * - `did-nothing`: it ended, and each step was left out
 */
export const RunState = z.enum(['running', 'waiting', 'done', 'failed', 'stopped', 'did-nothing']);
export type RunState = z.infer<typeof RunState>;

/**
 * The place of a step: its index in the file, and for each `each` around it the index of that step
 * and the entry. `[4, 2, 0]` is the first step within the fifth, for the third entry.
 */
export const Place = z.array(z.int().check(z.nonnegative()));
export type StepPlace = z.infer<typeof Place>;

/** `undone` and `not-undone`: it was done, and a later failure had it taken back. */
export const StepState = z.enum(['done', 'failed', 'unknown', 'undone', 'not-undone']);
export type StepState = z.infer<typeof StepState>;

export const EndedStep = z.strictObject({
  at: Place,
  /** Number of the signal that performed it. */
  n: z.int(),
  state: StepState,
});
export type EndedStep = z.infer<typeof EndedStep>;

/** The step that signal `n` of the run performs. */
export const CurrentStep = z.strictObject({
  at: Place,
  /** `again`: it failed, and waits for its next try. `undo`: it is taken back. */
  kind: z.enum(['step', 'again', 'undo']),
  /** Tries that failed. */
  tries: z.int(),
  /** When it began, and when it counts as failed; epoch milliseconds. */
  since: z.int(),
  endsAt: z.int(),
});
export type CurrentStep = z.infer<typeof CurrentStep>;

const Hashes = z.record(z.string(), z.string());

/** Hashes of outputs that a session's last run of a runbook left. */
export const LastHashes = z.object({ schemaVersion: z.literal(1), hashes: asText(Hashes) });

export const Run = z.object({
  schemaVersion: z.literal(1),
  /** The signal it began with. */
  id: z.string(),
  runbook: RunbookName,
  /** SHA-256 of the runbook's text. */
  hash: z.string(),
  inputs: asText(z.record(z.string(), z.string())),
  /** Worst origin of the inputs and of all outputs so far (I13). */
  origin: Origin,
  session: z.string(),
  reply: ReplyRoute,
  /** Further destinations of its texts. */
  copies: z.optional(z.array(Destination)),
  /** The person or job that started it. */
  by: z.string(),
  askedBy: Asker,
  /** Signal of the event it runs for. */
  eventId: z.optional(z.string()),
  /** The whole was approved on one card, by whom and under which rules: each step has a grant. */
  approved: z.optional(
    z.strictObject({
      by: z.string(),
      policyVersion: z.string(),
      /** So many runs of a job are covered until then, epoch milliseconds; else this run alone. */
      job: z.optional(z.strictObject({ id: z.string(), runs: z.int(), until: z.int() })),
    }),
  ),
  state: RunState,
  /** Plain words that explain the state. */
  why: z.optional(z.string()),
  /** Number of the last step's signal. */
  n: z.int(),
  /** Undefined before the first step and after the last. */
  current: z.optional(asText(CurrentStep)),
  /** In order. */
  ended: asText(z.array(EndedStep)),
  /** Of `ended`, those from this index on were looked at to be taken back; only while it undoes. */
  undoneFrom: z.optional(z.int()),
  /** Hashes of outputs by the ids of steps, of this run and of the last. */
  hashes: asText(Hashes),
  hashesBefore: asText(Hashes),
  startedAt: z.int(),
  changedAt: z.int(),
  /** Its time limit, epoch milliseconds. */
  endsAt: z.int(),
  /** End of a wait, epoch milliseconds; only if it waits. */
  dueAt: z.optional(z.int()),
  /** Looks of the heartbeat since it last went on. */
  looks: z.int(),
  unfinishedSpace: z.optional(z.string()),
  unfinishedAt: z.optional(z.int()),
  feedSpace: z.optional(z.string()),
  feedAt: z.optional(z.int()),
});
export type Run = z.infer<typeof Run>;

export const parseRun = (item: Item): Run => parseStored(item, Run);

export const isLive = ({ state }: Pick<Run, 'state'>): boolean => state === 'running' || state === 'waiting';

const IS_LIVE = oneOf('state', ['running', 'waiting']);

/** The run has not gone on since it was read, and nobody stopped it. */
export const isAt = (n: number): Condition => ({
  name: 'the run is at this step',
  holds: allOf(equals('n', n), IS_LIVE),
});
export const RUN_IS_LIVE: Condition = { name: 'the run goes on', holds: IS_LIVE };

export const packRun = ({ inputs, current, ended, hashes, hashesBefore, ...rest }: Run): Item => ({
  ...rest,
  inputs: JSON.stringify(inputs),
  ended: JSON.stringify(ended),
  hashes: JSON.stringify(hashes),
  hashesBefore: JSON.stringify(hashesBefore),
  ...(current === undefined ? {} : { current: JSON.stringify(current) }),
});
