/**
 * The signal's record: its envelope and where it stands. The envelope never changes; the rest does, by conditional
 * writes. Stored items of another schema version are refused with a clear error, never guessed at.
 */
import * as z from 'zod/mini';
import { StoredItemError } from '../base/errors.ts';
import { Charge, HeadSpend } from '../money/day-spend.ts';
import { Origin, type Signal, SignalState, StoredSignal } from '../signal/signal.ts';
import { indexPartitions } from '../store/keys.ts';
import type { Item } from '../store/table.ts';

/** A text the agent sent in a turn, as later turns see it. */
export const TurnReply = z.strictObject({ text: z.string(), origin: Origin });
export type TurnReply = z.infer<typeof TurnReply>;

/** A tool call of a turn, as later turns see it. */
export const TurnToolCall = z.strictObject({ tool: z.string(), state: z.string() });
export type TurnToolCall = z.infer<typeof TurnToolCall>;

/** A wait for a model that is away: since when, tries so far, and when the next is due. */
export const ModelWait = z.strictObject({ since: z.int(), tries: z.int(), dueAt: z.int() });
export type ModelWait = z.infer<typeof ModelWait>;

export const SignalRecord = z.object({
  schemaVersion: z.literal(1),
  state: SignalState,
  signal: StoredSignal,
  /** Why it is where it is, in plain words, for every state that is not the usual one. */
  stateReason: z.optional(z.string()),
  /** Counts republishing by the sweep and by people: part of deduplication ids, so that SQS never swallows a retry. */
  round: z.int(),
  /** Sweeps that found it unfinished. */
  sweeps: z.int(),
  /** Kept when the wait is over. */
  modelWait: z.optional(ModelWait),
  /** State it had when it was dead-lettered: where a redrive takes it up again. */
  diedIn: z.optional(SignalState),
  /** Ids of signals it caused. */
  children: z.optional(z.set(z.string())),
  /** On the root of a turn: what later turns see of it, appended as its signals end. */
  replies: z.optional(z.array(TurnReply)),
  toolCalls: z.optional(z.array(TurnToolCall)),
  /** On the root: signals of the turn already counted in the two lists. */
  counted: z.optional(z.set(z.string())),
  /** Ended or suspended, and the log's writer has not yet taken it out of the index. */
  awaitsLog: z.optional(z.boolean()),
  /** Times it was ended or suspended: tells the log's writer whether it saw the last one. */
  ends: z.optional(z.int()),
  /** What it said was last erased, epoch milliseconds. */
  forgottenAt: z.optional(z.int()),
  unfinishedSpace: z.optional(z.string()),
  unfinishedAt: z.optional(z.int()),
});
export type SignalRecord = z.infer<typeof SignalRecord>;

/**
 * Why a signal is where it is. @param isDecided a wait for a model is over then, though its state
 * stays the same
 */
export const stateReasonOf = (
  { state, stateReason, modelWait }: SignalRecord,
  isDecided: boolean,
): string | undefined => {
  if (stateReason !== undefined || isDecided || state !== 'perceived' || modelWait === undefined) return stateReason;
  const [since, dueAt] = [modelWait.since, modelWait.dueAt].map((at) => new Date(at).toISOString().slice(11, 19));
  return `no language model could be reached since ${since} UTC; the next try is at ${dueAt} UTC`;
};

/** Reads a stored item against its schema. @throws StoredItemError naming key and problem. */
export const parseStored = <T>(what: string, item: Item, schema: z.ZodMiniType<T>): T => {
  const result = schema.safeParse(item);
  if (result.success) return result.data;
  const version: unknown = item.schemaVersion;
  const problem =
    version === 1
      ? result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
      : `schema version ${String(version)} is not known to this release`;
  throw new StoredItemError(what, problem.slice(0, 500));
};

/** The item a new signal is stored as. `dueAt` is when the sweep first looks at it. */
export const buildRecordItem = (signal: Signal, state: SignalState, dueAt: number): Item => ({
  schemaVersion: 1,
  state,
  signal: JSON.stringify(signal),
  round: 0,
  sweeps: 0,
  unfinishedSpace: indexPartitions.unfinishedSignals(signal.space),
  unfinishedAt: dueAt,
  feedSpace: indexPartitions.feed(signal.space),
  feedAt: signal.receivedAt,
});

/** Actions of one signal that the gates blocked (of its effects: `<id>#<n>`). */
export const BlockEntry = z.strictObject({ id: z.string(), at: z.int(), n: z.int() });
export type BlockEntry = z.infer<typeof BlockEntry>;

/** What a person denied: hash of the action without its explanation, and the turn it was asked in. */
export const DenialEntry = z.strictObject({ hash: z.string(), root: z.string(), at: z.int() });
export type DenialEntry = z.infer<typeof DenialEntry>;

/** Why a conversation is stopped. */
export const StopCause = z.enum(['blocks', 'approvals', 'asked']);
export type StopCause = z.infer<typeof StopCause>;

/** One conversation: whose turn it is, who waits, and which turns there were. */
export const SessionHead = z.object({
  schemaVersion: z.literal(1),
  /** Root of the running turn. */
  turn: z.optional(z.string()),
  turnStartedAt: z.optional(z.int()),
  /** Ids of signals that wait for it, oldest first. */
  mailbox: z.optional(z.array(z.string())),
  /** Roots of ended turns, oldest first. */
  recent: z.optional(z.array(z.string())),
  startedAt: z.int(),
  /** Memory object with the summary of the turns before `recent`, and the last turn it is of. */
  summary: z.optional(z.strictObject({ id: z.string(), until: z.string() })),
  /** Turns that left and are in no summary yet, oldest first; how often one was asked for, and from when it may be again. */
  owed: z.optional(z.strictObject({ turns: z.array(z.string()), tries: z.int(), at: z.int() })),
  /** What the last model call of the last turn cost: the next turn's reservation settles it. */
  lastCall: z.optional(Charge),
  /** What it has spent, as the last of its turns left it. */
  spend: z.optional(HeadSpend),
  /** Raised with every change of what follows, so that no two changes are made from the same reading. */
  controlRound: z.optional(z.int()),
  /** Oldest first. */
  blocks: z.optional(z.array(BlockEntry)),
  /** Oldest first. */
  denials: z.optional(z.array(DenialEntry)),
  /** When it was last stopped; kept when it is resumed, because what was decided before stays refused. */
  stoppedAt: z.optional(z.int()),
  /** Only while it is stopped. */
  stoppedBecause: z.optional(StopCause),
  /** Signal that made it stop. */
  stoppedBy: z.optional(z.string()),
  /** Memory object a person looks at here, and when they said so: epoch milliseconds. */
  focus: z.optional(z.string()),
  focusAt: z.optional(z.int()),
  /** Which model an approver wants here (`/model`), who said so, and when: epoch milliseconds. */
  model: z.optional(z.string()),
  modelBy: z.optional(z.string()),
  modelAt: z.optional(z.int()),
});
export type SessionHead = z.infer<typeof SessionHead>;
