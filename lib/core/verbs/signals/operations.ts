/** The verbs about signals: what is going on, and why one ended as it did. */
import * as z from 'zod/mini';
import type { Look } from '../../operations/operation.ts';

export const status = {
  kind: 'look',
  name: 'status',
  summary: 'what is going on',
  args: z.strictObject({}),
  data: z.looseObject({
    isStopped: z.boolean(),
    /** The task that runs in this conversation. */
    turn: z.optional(z.string()),
    /** Messages that wait in it. */
    waiting: z.int(),
    /** Approvals that are open. */
    approvals: z.int(),
    stoppedSessions: z.array(z.string()),
    pausedJobs: z.array(z.string()),
  }),
  needs: 'owner',
} as const satisfies Look;

export const doctor = {
  kind: 'look',
  name: 'doctor',
  summary: 'whether it can answer, what is wrong, and what mends it',
  args: z.strictObject({}),
  data: z.looseObject({
    canAnswer: z.boolean(),
    /** Why it cannot. */
    because: z.optional(z.string()),
    findings: z.array(z.string()),
  }),
  needs: 'owner',
  /** The command of this name examines the machine too. */
  doors: ['chat', 'http'],
} as const satisfies Look;

export const why = {
  kind: 'look',
  name: 'why',
  summary: 'why something was done or refused: attempts, verdicts of the gates, effects',
  args: z.strictObject({
    id: z.optional(z.string().check(z.describe('of the signal, or its start; the last task if absent'))),
  }),
  words: ['id'],
  /** As `GET /api/signals/<id>` gives it. */
  data: z.looseObject({ id: z.string(), state: z.string(), turn: z.string(), replies: z.array(z.string()) }),
  needs: 'owner',
} as const satisfies Look;

export const SIGNAL_OPERATIONS = [status, doctor, why] as const;
