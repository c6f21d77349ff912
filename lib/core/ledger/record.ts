/**
 * The stored record of a signal and the head of a conversation. The envelope never changes; states
 * change by conditional writes. An item of another schema version is refused, never guessed at.
 */

import * as z from 'zod/mini';
import { defined } from '../base/defined.ts';
import { utcMinute } from '../base/utc-minute.ts';
import { HeadSpend } from '../money/day-spend.ts';
import { Origin, type Signal, SignalState, StoredSignal } from '../signal/signal.ts';
import { indexPartitions } from '../store/keys.ts';
import type { Item } from '../store/table.ts';

/** A text of the agent, as later turns see it. */
export const TurnReply = z.strictObject({ text: z.string(), origin: Origin });
export type TurnReply = z.infer<typeof TurnReply>;

/** A tool call, as later turns see it. */
export const TurnToolCall = z.strictObject({ tool: z.string(), state: z.string() });
export type TurnToolCall = z.infer<typeof TurnToolCall>;

/** A wait for a model that is away, with the tries so far and the time of the next. */
export const ModelWait = z.strictObject({ since: z.int(), tries: z.int(), dueAt: z.int() });
export type ModelWait = z.infer<typeof ModelWait>;

/**
 * Why a signal ended without an action of its own, as a code with data; `stateReason` says the same
 * in English. The first two are events that nobody waited for, the work of the others goes on.
 */
export const EndedBecause = z.object({
  code: z.enum(['no-job', 'connected', 'jobs', 'runbook', 'steps', 'model', 'waits', 'run-over', 'album', 'lines']),
  /** The jobs that have the event. */
  jobs: z.optional(z.array(z.string())),
});
export type EndedBecause = z.infer<typeof EndedBecause>;

export const SignalRecord = z.object({
  schemaVersion: z.literal(1),
  state: SignalState,
  signal: StoredSignal,
  /** Its channel's number of the message it came as, or of the one whose words it corrects. */
  message: z.optional(z.int()),
  corrects: z.optional(z.int()),
  /** The album it is a part of, and the number of its messages once they are gathered. */
  album: z.optional(z.string()),
  gathered: z.optional(z.int()),
  /** Plain words that explain an unusual state. */
  stateReason: z.optional(z.string()),
  because: z.optional(EndedBecause),
  /** Counts publishing by the sweep and by people: part of deduplication ids. */
  round: z.int(),
  /** Sweeps that found it unfinished. */
  sweeps: z.int(),
  /** Stays after the wait has ended. */
  modelWait: z.optional(ModelWait),
  /** State before it was dead-lettered: a redrive continues there. */
  diedIn: z.optional(SignalState),
  /** Ids of signals it caused. */
  children: z.optional(z.set(z.string())),
  /** On the root of a turn: texts that later turns see, appended as signals of the turn end. */
  replies: z.optional(z.array(TurnReply)),
  toolCalls: z.optional(z.array(TurnToolCall)),
  /** On the root: signals that are in the two lists, and actions that waited, as `<signal>#<n>`. */
  counted: z.optional(z.set(z.string())),
  /** Ended or suspended, and still in the index for the log's writer. */
  awaitsLog: z.optional(z.boolean()),
  /** Times it ended or was suspended, so that the log's writer misses none. */
  ends: z.optional(z.int()),
  /** Epoch milliseconds at which its words were last erased. */
  forgottenAt: z.optional(z.int()),
  unfinishedSpace: z.optional(z.string()),
  unfinishedAt: z.optional(z.int()),
});
export type SignalRecord = z.infer<typeof SignalRecord>;

/** Explains a signal's state. @param isDecided a wait for a model is over then */
export const stateReasonOf = (
  { state, stateReason, modelWait }: SignalRecord,
  isDecided: boolean,
): string | undefined => {
  if (stateReason !== undefined || isDecided || state !== 'perceived' || modelWait === undefined) return stateReason;
  const [since, dueAt] = [modelWait.since, modelWait.dueAt].map(utcMinute);
  return `no language model could be reached since ${since}; the next try is at ${dueAt}`;
};

/** The channel's number of a message: its own, or that of the message it corrects; its album. */
export type MessageNumber = Pick<SignalRecord, 'message' | 'corrects' | 'album'>;

/** The item of a new signal. @param dueAt when the sweep first looks at it */
export const buildRecordItem = (
  signal: Signal,
  state: SignalState,
  dueAt: number,
  { message, corrects, album }: MessageNumber = {},
): Item => ({
  ...defined({ message, corrects, album }),
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

/** Blocked actions of one signal, or of its effect (`<id>#<n>`). */
export const BlockEntry = z.strictObject({ id: z.string(), at: z.int(), n: z.int() });
export type BlockEntry = z.infer<typeof BlockEntry>;

/** A denied action: its hash without the explanation, and its turn. */
export const DenialEntry = z.strictObject({ hash: z.string(), root: z.string(), at: z.int() });
export type DenialEntry = z.infer<typeof DenialEntry>;

export const StopCause = z.enum(['blocks', 'approvals', 'asked']);
export type StopCause = z.infer<typeof StopCause>;

/** One conversation: the running turn, waiting signals and ended turns. */
export const SessionHead = z.object({
  schemaVersion: z.literal(1),
  /** Root of the running turn. */
  turn: z.optional(z.string()),
  /** Ids of waiting signals, oldest first. */
  mailbox: z.optional(z.array(z.string())),
  /** Roots of ended turns, oldest first. */
  recent: z.optional(z.array(z.string())),
  startedAt: z.int(),
  /** The conversation that it goes on with, under another name; `recent` has turns of it. */
  movedFrom: z.optional(z.string()),
  /** Memory object with the summary of the turns before `recent`, and the last turn in it. */
  summary: z.optional(z.strictObject({ id: z.string(), until: z.string() })),
  /** Turns that left history unsummarised, oldest first; tries so far, and the next. */
  owed: z.optional(z.strictObject({ turns: z.array(z.string()), tries: z.int(), at: z.int() })),
  /** Spending of the conversation as its last turn left it. */
  spend: z.optional(HeadSpend),
  /** Raised by each change of the fields below, so that no two start from the same reading. */
  controlRound: z.optional(z.int()),
  /** Oldest first. */
  blocks: z.optional(z.array(BlockEntry)),
  /** Oldest first. */
  denials: z.optional(z.array(DenialEntry)),
  /** Last stop; kept after a resume, because earlier decisions stay refused. */
  stoppedAt: z.optional(z.int()),
  /** Present only while the conversation is stopped. */
  stoppedBecause: z.optional(StopCause),
  /** Signal that caused the stop. */
  stoppedBy: z.optional(z.string()),
  /** Memory object that a person looks at here, and when they said so. */
  focus: z.optional(z.string()),
  focusAt: z.optional(z.int()),
  /** Scope of what is kept next here (`/scope`; `memex` if absent), and the project above it. */
  scope: z.optional(z.enum(['session', 'project'])),
  scopeProject: z.optional(z.string()),
  scopeAt: z.optional(z.int()),
  /** Model an approver chose here (`/model`), the person and the time. */
  model: z.optional(z.string()),
  modelBy: z.optional(z.string()),
  modelAt: z.optional(z.int()),
});
export type SessionHead = z.infer<typeof SessionHead>;
