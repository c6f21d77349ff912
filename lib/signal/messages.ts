/**
 * What travels on the queues: ids and hashes, never the things themselves. The table is the truth; a message altered on
 * the way can at most name something else that is stored, and hashes that do not match are refused (I1, I4).
 */
import * as z from 'zod/mini';
import { SUMMARY_TURNS_MAX } from '../base/limits.ts';

const common = { v: z.literal(1), space: z.string(), session: z.string(), signalId: z.string() };
const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

export const PerceiveMessage = z.strictObject({ stage: z.literal('perceive'), ...common });
export type PerceiveMessage = z.infer<typeof PerceiveMessage>;

/** `recent` names the session's ended turns, oldest first, as the turn's holder saw them: a hint that saves a read. */
export const ReasonMessage = z.strictObject({
  stage: z.literal('reason'),
  ...common,
  recent: z.array(z.string()).check(z.maxLength(SUMMARY_TURNS_MAX)),
  /** Memory object with the summary of what was before them. */
  summary: z.optional(z.string()),
  /**
   * Another try after so many, because no model could be reached; not before `dueAt`, epoch
   * milliseconds.
   */
  retry: z.optional(z.strictObject({ tries: z.int(), dueAt: z.int() })),
});
export type ReasonMessage = z.infer<typeof ReasonMessage>;

/** `actions` names every action of the decision by its canonical hash; with an approval, the one it is for. */
export const ActMessage = z.strictObject({
  stage: z.literal('act'),
  ...common,
  decisionHash: sha256,
  actions: z.array(z.strictObject({ n: z.int(), hash: sha256, approvalId: z.optional(z.string()) })),
});
export type ActMessage = z.infer<typeof ActMessage>;

/**
 * Asks Act to show what was released of an answer that is still being written, up to chunk `n`;
 * without one, that it is being worked on.
 */
export const DraftMessage = z.strictObject({
  stage: z.literal('draft'),
  ...common,
  attempt: z.optional(z.int()),
  n: z.optional(z.int()),
});
export type DraftMessage = z.infer<typeof DraftMessage>;

/**
 * Wakes the log's writer: names no signal, because it takes all of the space. `round` counts runs without a new tick; one that a
 * tick sent says when (epoch milliseconds), and comes back once.
 */
export const LogMessage = z.strictObject({
  stage: z.literal('log'),
  v: z.literal(1),
  space: z.string(),
  round: z.int(),
  tickAt: z.optional(z.int()),
});
export type LogMessage = z.infer<typeof LogMessage>;

/** Tells Act that an older copy of the table is to be brought up to what was forgotten since: what that is, the table says. */
export const ForgetAgainMessage = z.strictObject({
  stage: z.literal('forget-again'),
  v: z.literal(1),
  space: z.string(),
});
export type ForgetAgainMessage = z.infer<typeof ForgetAgainMessage>;

export type StageMessage = PerceiveMessage | ReasonMessage | ActMessage | DraftMessage;
