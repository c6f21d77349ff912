/**
 * Proposal, attempts, decision and effects: the evidence of a signal. They say who proposed what,
 * what every gate said on which facts, and what was done.
 */
import * as z from 'zod/mini';
import { asText, JsonObject } from '../base/json.ts';
import { Action } from './action.ts';
import { Because } from './because.ts';
import { StoredFacts } from './facts.ts';
import { Trace } from './gate.ts';
import { Origin } from './signal.ts';

export const ProposedCall = z.strictObject({
  /** The provider's own id of the call, given back with the result. */
  callId: z.string(),
  /** Normalised. */
  tool: z.string(),
  args: JsonObject,
  explanation: z.string(),
});
export type ProposedCall = z.infer<typeof ProposedCall>;

export const Proposal = z.strictObject({
  text: z.optional(z.string()),
  calls: z.array(ProposedCall),
  /** Thoughts before the calls. Earlier releases refuse a record with them. */
  thoughts: z.optional(z.string()),
});
export type Proposal = z.infer<typeof Proposal>;

export const Outcome = z.enum(['pass', 'ask', 'block']);
export type Outcome = z.infer<typeof Outcome>;

/** An action with its judgement; `facts` has one entry for each run of the gates. */
export const JudgedAction = z.strictObject({
  action: Action,
  hash: z.string(),
  outcome: Outcome,
  trace: Trace,
  facts: z.array(StoredFacts),
  /** Hash of forgotten facts. */
  factsHash: z.optional(z.string()),
});
export type JudgedAction = z.infer<typeof JudgedAction>;

/** Booked cost of a model call, with the providers that failed before. */
export const BookedCost = z.strictObject({
  /** Id of the reservation it settles. */
  id: z.string(),
  usd: z.int(),
  tokens: z.int(),
  /** Part of it is a worst case, because a provider did not report its usage. */
  isEstimated: z.boolean(),
  /** Micro-dollars of the whole turn so far. */
  turnUsd: z.int(),
  /** Micro-dollars saved by the small model, and by the provider's cache. */
  savedByTier: z.optional(z.int()),
  savedByCache: z.optional(z.int()),
});
export type BookedCost = z.infer<typeof BookedCost>;

/** One model answer. `problem` is set if it could not be parsed into a proposal. */
export const Attempt = z.strictObject({
  schemaVersion: z.literal(1),
  n: z.int(),
  at: z.int(),
  provider: z.string(),
  model: z.string(),
  promptHash: z.string(),
  /** Size of the model asked for, and the reason; absent in records of earlier releases. */
  tier: z.optional(z.enum(['cognition', 'reasoning'])),
  tierBecause: z.optional(z.string()),
  /** One line for each provider that failed before. */
  failures: z.optional(z.array(z.string())),
  inputTokens: z.optional(z.int()),
  /** Those of them that the provider's cache gave. */
  cachedTokens: z.optional(z.int()),
  outputTokens: z.optional(z.int()),
  /** Absent in records of earlier releases. */
  cost: z.optional(BookedCost),
  proposal: z.optional(Proposal),
  /** Hash of a forgotten proposal. */
  proposalHash: z.optional(z.string()),
  problem: z.optional(z.string()),
  because: z.optional(Because),
  /** A second opinion beside the accepted attempt. */
  isVote: z.optional(z.literal(true)),
  judged: asText(z.array(JudgedAction)),
});
export type Attempt = z.infer<typeof Attempt>;

/** The vote of several models on one proposal. */
export const Consensus = z.strictObject({
  /** `agreed`: all that answered; `safest`: without a majority; `alone`: no other answered. */
  outcome: z.enum(['agreed', 'majority', 'safest', 'alone']),
  /** Number of the chosen attempt. */
  taken: z.int(),
  votes: z.array(
    z.strictObject({
      n: z.int(),
      provider: z.string(),
      model: z.string(),
      /** `none` without a proposal. */
      verdict: z.enum(['pass', 'ask', 'block', 'none']),
      /** Hash of its actions. */
      form: z.optional(z.string()),
    }),
  ),
});
export type Consensus = z.infer<typeof Consensus>;

/** A memory object in the version that was shown. An untrusted origin is told. */
export const SeenObject = z.strictObject({
  id: z.string(),
  version: z.int(),
  origin: z.optional(z.literal('outside')),
});
export type SeenObject = z.infer<typeof SeenObject>;

/** The added skill whose text a prompt showed. */
export const ShownSkill = z.strictObject({
  name: z.string(),
  /** Its version; empty if no skill was shown, and only the words of a job left some tools out. */
  hash: z.string(),
  /** Lists of the tools it left to the model, if it narrowed them: a tool is in each. */
  only: z.optional(z.array(z.array(z.string()))),
});
export type ShownSkill = z.infer<typeof ShownSkill>;

/** The last commit of memory, and size and root of the log's checkpoint, if there was one. */
export const MemoryPosition = z.strictObject({
  commit: z.int(),
  treeSize: z.optional(z.int()),
  /** Base64, as in the checkpoint's note. */
  rootHash: z.optional(z.string()),
});
export type MemoryPosition = z.infer<typeof MemoryPosition>;

/** Why no model decided, as handlers of skills are told: codes, names and numbers only. */
export const ModelFailure = z.strictObject({ kind: z.enum(['llm', 'budget']), report: JsonObject });
export type ModelFailure = z.infer<typeof ModelFailure>;

/**
 * The one decision of a signal, written once.
 * - `act`: every action passed or waits for approval
 * - `refuse`: nothing proposed may happen; its only action is the notice
 * - `drop`: the signal is not worked on (too deep, mailbox full); its only action is the notice
 */
export const Decision = z.strictObject({
  schemaVersion: z.literal(1),
  signalId: z.string(),
  at: z.int(),
  outcome: z.enum(['act', 'refuse', 'drop']),
  /** Empty for `act`, but for a card that is shown again. */
  reason: z.string(),
  because: z.optional(Because),
  gateSet: z.string(),
  policyVersion: z.string(),
  /** The last attempt; absent if code alone decided. Rejected ones are items of their own. */
  attempt: z.optional(asText(Attempt)),
  attemptCount: z.int(),
  actions: asText(z.array(JudgedAction)),
  /** Absent if one model was asked. */
  consensus: z.optional(Consensus),
  /** Position of memory when the prompt was made; absent if none of it could be shown. */
  memory: z.optional(MemoryPosition),
  /** Memory objects shown to the decider, or to the person it answers. */
  seen: z.optional(z.array(SeenObject)),
  /** Absent if no text of an added skill was shown. */
  skill: z.optional(ShownSkill),
  /** Only if a handler of a skill listens to it. */
  failure: z.optional(ModelFailure),
  /** When its inputs were erased: since then it can be shown, but not replayed. */
  forgottenAt: z.optional(z.int()),
});
export type Decision = z.infer<typeof Decision>;

/** `claimed` is a lease until `leaseUntil`; after it a `once` effect is `unknown`. */
export const EffectState = z.enum(['suspended', 'claimed', 'done', 'failed', 'unknown', 'refused']);
export type EffectState = z.infer<typeof EffectState>;

export const Effect = z.strictObject({
  schemaVersion: z.literal(1),
  n: z.int(),
  actuator: z.string(),
  state: EffectState,
  actionHash: z.string(),
  /** Judgement of the performed bytes. */
  trace: asText(Trace),
  facts: asText(z.array(StoredFacts)),
  claimedAt: z.optional(z.int()),
  leaseUntil: z.optional(z.int()),
  /** Random for each claim, so that a late settlement of an older claim changes nothing. */
  claim: z.optional(z.string()),
  settledAt: z.optional(z.int()),
  /** The claim was given back: nothing was performed, so anyone may claim it again. */
  isReleased: z.optional(z.boolean()),
  /** When its channel first took nothing. While released, it is tried again at `leaseUntil`. */
  waitingSince: z.optional(z.int()),
  /** A runner has it; until when it waits or runs at most. Only while `suspended`. */
  handedTo: z.optional(z.strictObject({ runner: z.string(), until: z.int() })),
  /** Message ids of a long text's parts that were sent before it had to wait. */
  sentIds: z.optional(z.array(z.int())),
  /** Failed tries of an idempotent actuator. */
  tries: z.int(),
  approvalId: z.optional(z.string()),
  /** Grant of which its claim spent a use. */
  grantId: z.optional(z.string()),
  /** Micro-dollars its claim paid; absent if it is free. */
  costUsd: z.optional(z.int()),
  /** Bounded: tool output, HTTP status, Telegram message ids. */
  output: z.optional(z.string()),
  /** Author of the output (I13). */
  outputOrigin: z.optional(Origin),
  /** When its words were erased on request, and the hashes that stay. */
  forgottenAt: z.optional(z.int()),
  outputHash: z.optional(z.string()),
  factsHash: z.optional(z.string()),
  /** Plain words: why it failed, is unknown or was refused. */
  reason: z.optional(z.string()),
  because: z.optional(Because),
  /** A person's word on an unknown outcome: `retry` makes it claimable, `done` settles it. */
  resolution: z.optional(z.enum(['done', 'retry'])),
});
export type Effect = z.infer<typeof Effect>;
