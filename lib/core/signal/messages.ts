/**
 * Messages on the queues hold ids and hashes only; the table is the truth. An altered message can
 * at most name something else that is stored, and a wrong hash is refused (I1, I4).
 */
import * as z from 'zod/mini';
import { SUMMARY_TURNS_MAX } from '../base/limits.ts';

const common = { v: z.literal(1), space: z.string(), session: z.string(), signalId: z.string() };
const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

export const PerceiveMessage = z.strictObject({ stage: z.literal('perceive'), ...common });
export type PerceiveMessage = z.infer<typeof PerceiveMessage>;

/** `recent` names the conversation's ended turns, oldest first: it saves a read. */
export const ReasonMessage = z.strictObject({
  stage: z.literal('reason'),
  ...common,
  recent: z.array(z.string()).check(z.maxLength(SUMMARY_TURNS_MAX)),
  /** Memory object with the summary of earlier turns. */
  summary: z.optional(z.string()),
  /** Tries so far, because no model answered; not before `dueAt`. */
  retry: z.optional(z.strictObject({ tries: z.int(), dueAt: z.int() })),
});
export type ReasonMessage = z.infer<typeof ReasonMessage>;

/** Names every action by its hash, and its approval if it has one. */
export const ActMessage = z.strictObject({
  stage: z.literal('act'),
  ...common,
  decisionHash: sha256,
  actions: z.array(
    z.strictObject({
      n: z.int(),
      hash: sha256,
      approvalId: z.optional(z.string()),
      /** A runner has it: its job may have ended. */
      isHanded: z.optional(z.literal(true)),
    }),
  ),
});
export type ActMessage = z.infer<typeof ActMessage>;

/** Asks Act to show the released text up to piece `n`; without `n`, that it is being worked on. */
export const DraftMessage = z.strictObject({
  stage: z.literal('draft'),
  ...common,
  attempt: z.optional(z.int()),
  n: z.optional(z.int()),
});
export type DraftMessage = z.infer<typeof DraftMessage>;

/** Wakes the log's writer. `round` counts runs since the last tick. */
export const LogMessage = z.strictObject({
  stage: z.literal('log'),
  v: z.literal(1),
  space: z.string(),
  round: z.int(),
  tickAt: z.optional(z.int()),
});
export type LogMessage = z.infer<typeof LogMessage>;

/** Tells Act to erase again in an older copy of the table what was forgotten since. */
export const ForgetAgainMessage = z.strictObject({
  stage: z.literal('forget-again'),
  v: z.literal(1),
  space: z.string(),
});
export type ForgetAgainMessage = z.infer<typeof ForgetAgainMessage>;

export type StageMessage = PerceiveMessage | ReasonMessage | ActMessage | DraftMessage;
