/**
 * A helper's work: a turn of its own that an answer of another turn asked for. Its row stands
 * beside the signal it began with, and is written before it works. It has the form that other rooms
 * know of a run (`JobRun`), so that its cap holds. It holds no words: those stand with signals.
 * Pure.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { HOUR_MS } from '../../core/base/limits.ts';
import { jobOf, jobSession } from '../../core/money/day-spend.ts';
import { isTaskId } from '../../core/signal/ids.ts';
import { JobRun } from '../../core/signal/job-run.ts';
import { Origin } from '../../core/signal/signal.ts';
import { jobKeys, type Key, signalKeys } from '../../core/store/keys.ts';
import { parseStored } from '../../core/store/parse-stored.ts';
import type { Item } from '../../core/store/table.ts';

/** Helpers that work at once: each asks a model, and costs. */
export const TASKS_AT_ONCE_MAX = 3;
/** Helpers of one turn: a plan with more parts is a runbook. */
export const TASKS_OF_TURN_MAX = 4;
/** Micro-dollars, if nobody says more: some ten calls of a large model. */
export const TASK_USD_DEFAULT = 100_000;
/** A person may take an hour to decide on a card of it. */
export const TASK_MS_MAX = 2 * HOUR_MS;
/** Characters of an answer: half of what a tool may say, as names of notes stand beside it. */
export const TASK_ANSWER_CHARS_MAX = 8_000;

export const Task = z.object({
  ...JobRun.shape,
  /** The action that asked for it. */
  askedBy: z.string(),
  n: z.int(),
  /** Conversation of that action, and the root of its turn. */
  session: z.string(),
  root: z.string(),
  /** Micro-dollars that the asking turn has paid for it. */
  capUsd: z.int(),
  /** The worst origin of what it was asked with (I13). */
  origin: Origin,
  /** Levels of helpers that it may have itself. */
  depthLeft: z.int(),
  /** When it began, and when it counts as failed; epoch milliseconds. */
  at: z.int(),
  endsAt: z.int(),
  /** Looks of the heartbeat at it so far. */
  looks: z.int(),
  /** The signal that reports it. */
  told: z.optional(z.string()),
  unfinishedSpace: z.optional(z.string()),
  unfinishedAt: z.optional(z.int()),
});
export type Task = z.infer<typeof Task>;

/** Named after the effect that began it. */
export const taskIdOf = (effectId: string): string =>
  `task-${createHash('sha256').update(effectId).digest('hex').slice(0, 16)}`;

/** How many helpers work now, and how many a turn has begun. */
export const taskCounts = {
  open: (space: string): Key => ({ pk: jobKeys.partition(space), sk: 'open-tasks' }),
  ofTurn: (space: string, root: string): Key => ({ pk: signalKeys.partition(space, root), sk: 'tasks' }),
} as const;

export const parseTask = (item: Item): Task => parseStored(item, Task);

/** The conversation of a helper: the rights of a job hold in it, and its cap. */
export const taskSession = (id: string): string => jobSession(id);

/** The helper that works in a conversation; undefined in all others. */
export const taskOfSession = (session: string): string | undefined => {
  const name = jobOf(session);
  return name !== undefined && isTaskId(name) ? name : undefined;
};

/** Why nothing may be delegated here; undefined if it may. @param above the row of this helper */
export const whyNoHelper = (session: string, above: Task | undefined, depth: number): string | undefined => {
  if (taskOfSession(session) === undefined)
    return /^(job|run):/.test(session) ? 'a job or runbook has no helpers' : undefined;
  const left = above?.depthLeft ?? 0;
  if (left >= depth) return undefined;
  return left === 0 ? 'a helper of this depth has no helpers itself' : `depth may be ${left} at most here`;
};
