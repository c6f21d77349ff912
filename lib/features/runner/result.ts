/**
 * A runner's words about an order: the receipt, signed when it takes it, and the result. The
 * signature covers reason and changed files by their hashes: those words may be forgotten.
 */
import * as z from 'zod/mini';
import { hashOf } from '../../core/base/canonical.ts';
import { KIB, OUTPUT_HEAD_CHARS } from '../../core/base/limits.ts';
import { isSignedBy, type Signer } from './sign.ts';

/** Characters of output that go up; the whole stays on the machine. */
export const RUNNER_OUTPUT_CHARS_MAX = 192 * KIB;
/** Changed files that a result names; more are counted. */
export const RUNNER_CHANGES_MAX = 100;

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

export const RunnerReceipt = z.strictObject({
  v: z.literal(1),
  /** `orderHashOf` of the order. */
  jobHash: sha256,
  runner: z.string(),
  takenAt: z.int().check(z.minimum(0)),
  /** 128 random bits, hex: a repeat of the same request takes the order again, another does not. */
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
  /** The text that goes up and becomes the effect's output, as `buildShown` makes it. */
  shown: z.strictObject({
    /** `hashOf('output', text)`. */
    hash: sha256,
    /** Of its first characters: a long text stands in the effect by these alone. */
    head: sha256,
    isWhole: z.boolean(),
  }),
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

/** @param text well-formed */
export const buildShown = (text: string, isWhole: boolean): RunnerResult['shown'] => ({
  hash: hashOf('output', text),
  head: hashOf('output', text.slice(0, OUTPUT_HEAD_CHARS).toWellFormed()),
  isWhole,
});

export const isShown = (text: string, { shown }: RunnerResult): boolean => {
  const { hash, head } = buildShown(text.toWellFormed(), shown.isWhole);
  return text.isWellFormed() && hash === shown.hash && head === shown.head;
};

/** The signed part of a result: reason and changed files stand in it by their hashes. */
export const signedFormOfResult = ({ reason, changed, ...form }: RunnerResult) => ({
  ...form,
  reason: hashOf('runner-result', reason),
  changed: hashOf('runner-result', changed),
});

export const signReceipt = (signer: Signer, receipt: RunnerReceipt): SignedReceipt => ({
  receipt,
  signature: signer.sign('runner-receipt', receipt),
});

export const signResult = (signer: Signer, result: RunnerResult): SignedResult => ({
  result,
  signature: signer.sign('runner-result', signedFormOfResult(result)),
});

export const isReceiptOf = (publicKey: string, { receipt, signature }: SignedReceipt): boolean =>
  isSignedBy(publicKey, 'runner-receipt', receipt, signature);

export const isResultOf = (publicKey: string, { result, signature }: SignedResult): boolean =>
  isSignedBy(publicKey, 'runner-result', signedFormOfResult(result), signature);
