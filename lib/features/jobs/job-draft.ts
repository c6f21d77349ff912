/** A job in short forms, as it is given; `complete-job.ts` makes the whole definition of it. */
import * as z from 'zod/mini';
import { JobDefinition, Step } from './job.ts';

/** A name, a rule or a duration. */
const DRAFT_WORD_CHARS_MAX = 128;
const DRAFT_TEXT_CHARS_MAX = 4_000;
/** Steps, inputs and destinations, before the definition bounds them. */
const DRAFT_LIST_MAX = 16;

const word = z.string().check(z.maxLength(DRAFT_WORD_CHARS_MAX));
const text = z.string().check(z.maxLength(DRAFT_TEXT_CHARS_MAX));
const { overlap, pauseAfter, promises } = JobDefinition.shape;

export const JobDraft = z.strictObject({
  name: word,
  /** Changes the job of this name; what is left out stays. */
  edit: z.optional(z.boolean()),
  /** Local time, `2026-11-24T09:00`. */
  at: z.optional(word),
  /** `90m`, `2h`, `1d`; with a condition, how often it is checked. */
  every: z.optional(word),
  cron: z.optional(word),
  /** `source` or `source/event`. */
  event: z.optional(word),
  condition: z.optional(text),
  /** The owner's, if absent. */
  zone: z.optional(word),
  prompt: z.optional(text),
  /** The only tools that the model may use for it; of a prompt. */
  tools: z.optional(
    z.array(z.string().check(z.regex(/^[a-z0-9-]{1,64}$/))).check(z.minLength(1), z.maxLength(DRAFT_LIST_MAX)),
  ),
  /** Whether its prompt shows what memory holds about its words; `none` if left out. */
  context: z.optional(z.enum(['none', 'memory'])),
  steps: z.optional(z.array(Step).check(z.maxLength(DRAFT_LIST_MAX))),
  /** Name of a runbook; if a change leaves it out, that of the job, as it is now. */
  runbook: z.optional(word),
  inputs: z.optional(
    z
      .record(word, text)
      .check(z.refine((inputs) => Object.keys(inputs).length <= DRAFT_LIST_MAX, 'has too many entries')),
  ),
  /** One yes for so many runs of the runbook until then: `20 30d`; `no` asks about each step. */
  approveWhole: z.optional(word),
  /** `here`, `telegram:<chat>`, `console:<name>`, `webhook:<name>`. */
  to: z.optional(z.array(word).check(z.maxLength(DRAFT_LIST_MAX))),
  /** `skip`, `once 6h`, `all 3 6h`. */
  catchUp: z.optional(word),
  overlap: z.optional(overlap),
  /** `5m`. */
  spread: z.optional(word),
  pauseAfter: z.optional(pauseAfter),
  /** Dollars a day, `0.50`. */
  capUsd: z.optional(word),
  promises: z.optional(promises),
});
export type JobDraft = z.infer<typeof JobDraft>;

const plain = z.optional(z.string());

/** The fields as the model is shown them: every prompt pays for this schema, so it is short. */
export const ShownDraft = z.looseObject({
  name: z.string(),
  edit: z.optional(z.boolean()),
  at: plain,
  every: plain,
  cron: plain,
  event: plain,
  condition: plain,
  prompt: plain,
  steps: z.optional(z.array(z.record(z.string(), z.unknown()))),
  to: z.optional(z.array(z.string())),
});
