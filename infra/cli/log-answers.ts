/** What the console's API answers about the evidence log, as an export needs it. */
import * as z from 'zod';

export const StandingAnswer = z.object({
  space: z.string(),
  origin: z.string(),
  leaves: z.int(),
  size: z.int(),
  isWaiting: z.boolean(),
  now: z.int(),
});

export const CheckpointsAnswer = z.object({ checkpoints: z.array(z.object({ size: z.int(), note: z.string() })) });

export const GateSetsAnswer = z.object({
  gateSets: z.array(
    z.strictObject({
      engine: z.int(),
      gates: z.array(z.tuple([z.string(), z.number(), z.int()])),
      problem: z.string(),
    }),
  ),
});

/** Passed on as they are: what is in them is the verifier's to judge. */
const Loose = z.looseObject({
  kind: z.enum(['decision', 'effect', 'approval', 'commit', 'tombstone', 'rotation']),
  id: z.string(),
  fixed: z.record(z.string(), z.unknown()),
  content: z.optional(z.record(z.string(), z.unknown())),
  isForgotten: z.optional(z.literal(true)),
});

export const SignalRecordsAnswer = z.object({
  id: z.string(),
  records: z.array(Loose),
  problem: z.optional(z.string()),
});
export const RecordsAnswer = z.object({ signals: z.array(SignalRecordsAnswer), cursor: z.optional(z.string()) });
export const CommitsAnswer = z.object({ records: z.array(Loose), last: z.int(), isAll: z.boolean() });
export const EmptyAnswer = z.looseObject({});
