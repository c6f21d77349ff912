/**
 * A runner's words about a job: the receipt, signed when it takes the job, and the result, signed
 * at its end. Both name the job by the hash of its signed bytes.
 */
import * as z from 'zod/mini';
import { KIB } from '../base/limits.ts';

/** Characters of output that go up; the whole stays on the machine. */
export const RUNNER_OUTPUT_CHARS_MAX = 192 * KIB;
/** Changed files that a result names; more are counted. */
export const RUNNER_CHANGES_MAX = 100;

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

export const RunnerReceipt = z.strictObject({
  v: z.literal(1),
  /** Of the job, `hashOf('runner-job', job)`. */
  jobHash: sha256,
  runner: z.string(),
  takenAt: z.int(),
  /** 128 random bits, hex: a repeat of the same request takes the job again, another does not. */
  claim: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  /** The longest it will run, milliseconds. */
  runMsMax: z.int(),
});
export type RunnerReceipt = z.infer<typeof RunnerReceipt>;

export const ChangedFile = z.strictObject({
  path: z.string(),
  kind: z.enum(['added', 'changed', 'removed']),
  /** Of the new content; absent if it was removed, or is too large to be read. */
  sha256: z.optional(sha256),
  bytes: z.optional(z.int()),
});
export type ChangedFile = z.infer<typeof ChangedFile>;

/**
 * - `done`: it ran to its end; a command's exit code may still be one of failure
 * - `failed`: it ran and was ended by a limit or a stop, or could not be started
 * - `refused`: the machine's own rules forbid it; nothing ran
 * - `unknown`: it was begun, and the runner ended before it did
 */
export const RunnerOutcome = z.enum(['done', 'failed', 'refused', 'unknown']);
export type RunnerOutcome = z.infer<typeof RunnerOutcome>;

export const RunnerResult = z.strictObject({
  v: z.literal(1),
  jobHash: sha256,
  runner: z.string(),
  /** Of its receipt; absent if it was refused before it was taken. */
  claim: z.optional(z.string()),
  state: RunnerOutcome,
  /** Plain words; empty for `done`. */
  reason: z.string(),
  exitCode: z.optional(z.int()),
  /** Epoch milliseconds. */
  startedAt: z.optional(z.int()),
  endedAt: z.int(),
  /** The whole output: standard output and error, as they came. */
  output: z.strictObject({ sha256, bytes: z.int() }),
  /** The text that goes up: `hashOf('output', text)`. */
  shown: z.strictObject({ hash: sha256, isWhole: z.boolean() }),
  changed: z.array(ChangedFile).check(z.maxLength(RUNNER_CHANGES_MAX)),
  /** Changed files beyond those. */
  moreChanged: z.int(),
  /** Hash of the machine's allow-file in force. */
  allowHash: sha256,
});
export type RunnerResult = z.infer<typeof RunnerResult>;

export const SignedReceipt = z.strictObject({ receipt: RunnerReceipt, signature: z.string() });
export type SignedReceipt = z.infer<typeof SignedReceipt>;

export const SignedResult = z.strictObject({ result: RunnerResult, signature: z.string() });
export type SignedResult = z.infer<typeof SignedResult>;
