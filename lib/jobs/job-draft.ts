/**
 * A job as a model or a person gives it: short forms, and only the fields that differ from the
 * usual. `complete-job.ts` makes the whole definition of it. The descriptions are for the model.
 */
import * as z from 'zod/mini';
import { JobDefinition, Step } from './job.ts';

/** A name, a rule or a duration. */
const DRAFT_WORD_CHARS_MAX = 128;
const DRAFT_TEXT_CHARS_MAX = 4_000;

const word = (means: string) => z.optional(z.string().check(z.maxLength(DRAFT_WORD_CHARS_MAX), z.describe(means)));
const text = (means: string) => z.optional(z.string().check(z.maxLength(DRAFT_TEXT_CHARS_MAX), z.describe(means)));
const { overlap, pauseAfter, promises } = JobDefinition.shape;

export const JobDraft = z.strictObject({
  name: z.string().check(z.maxLength(DRAFT_WORD_CHARS_MAX), z.describe('one or two words joined by -')),
  edit: z.optional(z.boolean().check(z.describe('true: change the job of this name; what you leave out stays'))),
  at: word('once, local time: 2026-11-24T09:00'),
  every: word('an interval: 90m, 2h, 1d; with condition, how often it is checked'),
  cron: word('minute hour day-of-month month day-of-week: 0 8 * * 1-5'),
  event: word('a webhook source, or source/event'),
  condition: text('a JavaScript expression without a model'),
  zone: word("IANA zone, if it is not the owner's"),
  prompt: text('what you are asked at each run, complete in itself'),
  steps: z.optional(z.array(Step).check(z.maxLength(8), z.describe('instead of prompt: done in order without you'))),
  to: z.optional(
    z
      .array(z.string().check(z.maxLength(DRAFT_WORD_CHARS_MAX)))
      .check(z.maxLength(8), z.describe('here, telegram:<chat>, console:<name>, webhook:<name>; empty for nowhere')),
  ),
  catchUp: word('missed runs: skip, once 6h, all 3 6h'),
  overlap: z.optional(overlap),
  spread: word('start at a moment of its own within 5m'),
  pauseAfter: z.optional(pauseAfter),
  capUsd: word('dollars a day: 0.50'),
  promises: z.optional(promises),
});
export type JobDraft = z.infer<typeof JobDraft>;
