/**
 * The stored records of a signal, beside its envelope: attempts, the decision, effects. Together they are the evidence:
 * who proposed what, what every gate said and on which facts, and what was done.
 */
import * as z from 'zod/mini';
import { asText, JsonObject } from '../base/json.ts';
import { Action } from './action.ts';
import { StoredFacts } from './facts.ts';
import { Trace } from './gate.ts';
import { Origin } from './signal.ts';

export const ProposedCall = z.strictObject({
  /** The provider's own call id, given back with the result. */
  callId: z.string(),
  /** As the model wrote it, normalised. */
  tool: z.string(),
  args: JsonObject,
  explanation: z.string(),
});
export type ProposedCall = z.infer<typeof ProposedCall>;

export const Proposal = z.strictObject({
  text: z.optional(z.string()),
  calls: z.array(ProposedCall),
});
export type Proposal = z.infer<typeof Proposal>;

/** Outcome of the gates for one action. */
export const Outcome = z.enum(['pass', 'ask', 'block']);
export type Outcome = z.infer<typeof Outcome>;

/** One action with its judgement. `facts` has one entry per run of the gates (more than one only after `modify`). */
export const JudgedAction = z.strictObject({
  action: Action,
  hash: z.string(),
  outcome: Outcome,
  trace: Trace,
  facts: z.array(StoredFacts),
  /** Of the facts, where they were forgotten. */
  factsHash: z.optional(z.string()),
});
export type JudgedAction = z.infer<typeof JudgedAction>;

/** What one model call was booked at, in micro-dollars and tokens, with providers that failed before the one that answered. */
export const BookedCost = z.strictObject({
  /** Of the reservation it settles. */
  id: z.string(),
  usd: z.int(),
  tokens: z.int(),
  /** Part of it is a worst case, because a provider did not say what it used. */
  isEstimated: z.boolean(),
  /** Micro-dollars of the whole turn up to here. */
  turnUsd: z.int(),
  /** Micro-dollars saved by asking a small model, and by the provider's cache. */
  savedByTier: z.optional(z.int()),
  savedByCache: z.optional(z.int()),
});
export type BookedCost = z.infer<typeof BookedCost>;

/** One model answer and what became of it. `problem` is set when it could not be parsed into a proposal. */
export const Attempt = z.strictObject({
  schemaVersion: z.literal(1),
  n: z.int(),
  at: z.int(),
  provider: z.string(),
  model: z.string(),
  promptHash: z.string(),
  /** Which model was asked for, small or large, and why; absent on records of earlier releases. */
  tier: z.optional(z.enum(['cognition', 'reasoning'])),
  tierBecause: z.optional(z.string()),
  /** One line per provider that failed before the one that answered. */
  failures: z.optional(z.array(z.string())),
  inputTokens: z.optional(z.int()),
  /** Of those, read from the provider's cache. */
  cachedTokens: z.optional(z.int()),
  outputTokens: z.optional(z.int()),
  /** Absent on records of earlier releases. */
  cost: z.optional(BookedCost),
  proposal: z.optional(Proposal),
  /** Of the proposal, where it was forgotten. */
  proposalHash: z.optional(z.string()),
  problem: z.optional(z.string()),
  /** Asked beside the accepted attempt, as a second opinion. */
  isVote: z.optional(z.literal(true)),
  judged: asText(z.array(JudgedAction)),
});
export type Attempt = z.infer<typeof Attempt>;

/** How several models were asked about one proposal, and which was taken; the attempts of those numbers say what each proposed. */
export const Consensus = z.strictObject({
  /** `agreed`: all that answered; `majority`; `safest`: without one; `alone`: nobody else answered. */
  outcome: z.enum(['agreed', 'majority', 'safest', 'alone']),
  /** Number of the attempt that was taken. */
  taken: z.int(),
  votes: z.array(
    z.strictObject({
      n: z.int(),
      provider: z.string(),
      model: z.string(),
      /** Of the gates; `none` where there was no proposal. */
      verdict: z.enum(['pass', 'ask', 'block', 'none']),
      /** Hash of what it would do. */
      form: z.optional(z.string()),
    }),
  ),
});
export type Consensus = z.infer<typeof Consensus>;

/** A memory object in the very version that was shown; in a prompt's context its origin is told where it is from outside. */
export const SeenObject = z.strictObject({
  id: z.string(),
  version: z.int(),
  origin: z.optional(z.literal('outside')),
});
export type SeenObject = z.infer<typeof SeenObject>;

/** The last commit of memory, and where its log had a checkpoint, the size and root that it signs. */
export const MemoryPosition = z.strictObject({
  commit: z.int(),
  /** Leaves. */
  treeSize: z.optional(z.int()),
  /** Base64, as the checkpoint's note has it. */
  rootHash: z.optional(z.string()),
});
export type MemoryPosition = z.infer<typeof MemoryPosition>;

/**
 * What was decided for one signal. Exactly one per signal, written once.
 * - `act`:    every action passed or waits for approval
 * - `refuse`: nothing the model proposed may happen; the actions are only the notice that says so
 * - `drop`:   the signal itself is not worked on (too deep, mailbox full); the actions are only the notice
 */
export const Decision = z.strictObject({
  schemaVersion: z.literal(1),
  signalId: z.string(),
  at: z.int(),
  outcome: z.enum(['act', 'refuse', 'drop']),
  /** Why it was refused; empty for `act`. */
  reason: z.string(),
  gateSet: z.string(),
  policyVersion: z.string(),
  /** The last attempt (earlier, rejected ones are items of their own); absent where code alone decided. */
  attempt: z.optional(asText(Attempt)),
  /** Attempts made in all. */
  attemptCount: z.int(),
  actions: asText(z.array(JudgedAction)),
  /** Absent where one model was asked. */
  consensus: z.optional(Consensus),
  /** Where memory stood when its prompt was made; absent where memory was empty, or none of it could be shown. */
  memory: z.optional(MemoryPosition),
  /** Memory objects, by version, that were shown to whoever decided, or to whom it answers. */
  seen: z.optional(z.array(SeenObject)),
  /** When its inputs were erased on the owner's request: from then on it can be shown, but not replayed. */
  forgottenAt: z.optional(z.int()),
});
export type Decision = z.infer<typeof Decision>;

/**
 * One performed (or refused, or unknown) action.
 * `claimed` is a lease until `leaseUntil`; past it a `once` effect is `unknown`.
 */
export const EffectState = z.enum(['suspended', 'claimed', 'done', 'failed', 'unknown', 'refused']);
export type EffectState = z.infer<typeof EffectState>;

export const Effect = z.strictObject({
  schemaVersion: z.literal(1),
  n: z.int(),
  actuator: z.string(),
  state: EffectState,
  actionHash: z.string(),
  /** Judgement of the last mile, on the bytes performed. */
  trace: asText(Trace),
  facts: asText(z.array(StoredFacts)),
  claimedAt: z.optional(z.int()),
  leaseUntil: z.optional(z.int()),
  /** Random per claim, so that a late settle of an older claim changes nothing. */
  claim: z.optional(z.string()),
  settledAt: z.optional(z.int()),
  /** The claim was given back: certainly not performed, so anyone may claim it again. */
  isReleased: z.optional(z.boolean()),
  /**
   * When its channel first took nothing: while the claim is released, it waits and is tried again
   * at `leaseUntil`.
   */
  waitingSince: z.optional(z.int()),
  /** Message ids of the parts of a long text that were sent before it had to wait. */
  sentIds: z.optional(z.array(z.int())),
  /** Tries of an idempotent actuator that failed and may be repeated. */
  tries: z.int(),
  approvalId: z.optional(z.string()),
  /** Grant of which a use was spent by its claim. */
  grantId: z.optional(z.string()),
  /** What its claim paid for it, micro-dollars; absent for what costs nothing. */
  costUsd: z.optional(z.int()),
  /** What came back, bounded: tool output, HTTP status, Telegram message ids. */
  output: z.optional(z.string()),
  /** Who wrote that output (I13). */
  outputOrigin: z.optional(Origin),
  /** When what it said was erased on the owner's request, and the hashes that stay of it. */
  forgottenAt: z.optional(z.int()),
  outputHash: z.optional(z.string()),
  factsHash: z.optional(z.string()),
  /** Why it failed, is unknown or was refused, in plain words. */
  reason: z.optional(z.string()),
  /** What a person said about an unknown outcome: `retry` makes it claimable again, `done` has settled it. */
  resolution: z.optional(z.enum(['done', 'retry'])),
});
export type Effect = z.infer<typeof Effect>;
