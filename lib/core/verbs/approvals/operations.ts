/** The verbs of what a person allows: actions that wait for a yes, and grants. */
import * as z from 'zod/mini';
import { Approval, STAGES } from '../../approvals/approval.ts';
import { GrantWish } from '../../approvals/grant-wish.ts';
import { oneOf } from '../../operations/one-of.ts';
import type { Change, Look } from '../../operations/operation.ts';

const { signalId, n, session, action, reasons, asks, requester, taintSource, costs } = Approval.shape;
const { decider, decidedAt, spentAt, createdAt, destroys } = Approval.shape;

export const ShownApproval = z.looseObject({
  /** Only for an approver (I5). */
  id: z.optional(z.string()),
  ...{ signalId, n, session, action, reasons, asks, requester, taintSource, costs },
  ...{ decider, decidedAt, spentAt, createdAt, destroys },
  /** The lines that a person reads of it: the sentence, the unusual ones, and all others. */
  sentence: z.string(),
  unusual: z.array(z.string()),
  rest: z.array(z.string()),
  /** Why nothing similar can be allowed; empty if it can. */
  similarProblem: z.string(),
  /** Why it cannot be allowed for its task; empty if it can. */
  taskProblem: z.string(),
  /** The further calls that would pass in its task; empty if it cannot be allowed for it. */
  aboutTask: z.string(),
  stage: z.enum(STAGES),
  expiresAt: z.int(),
});
export type ShownApproval = z.infer<typeof ShownApproval>;

export const approvals = {
  kind: 'look',
  name: 'approvals',
  summary: 'what waits for a yes',
  args: z.strictObject({
    /** Those in this state, or all there were; without it those that wait. */
    state: z.optional(oneOf(['all', 'plan', 'approved', 'denied', 'expired'])),
  }),
  data: z.looseObject({
    approvals: z.array(ShownApproval),
    role: z.enum(['approver', 'script']),
    /** How many this release cannot read. */
    unread: z.optional(z.int()),
  }),
  needs: 'approver',
} as const satisfies Look;

const ShownFigures = z.looseObject({
  /** Epoch milliseconds: a week ago, or later if more happened than is read. */
  since: z.int(),
  /** Turns with a call, their calls, and the questions about them. */
  tasks: z.int(),
  calls: z.int(),
  asked: z.int(),
  yes: z.int(),
  /** Yeses within three seconds. */
  quick: z.int(),
  /** Questions a task, a day, and a hundred calls. */
  aTask: z.optional(z.number()),
  aDay: z.number(),
  aHundredCalls: z.optional(z.number()),
  rows: z.array(
    z.looseObject({
      tool: z.optional(z.string()),
      decider: z.optional(z.string()),
      asked: z.int(),
      yes: z.int(),
      quick: z.int(),
      grantable: z.enum(['reads', 'similar', 'nothing']),
    }),
  ),
});
export type ShownFigures = z.infer<typeof ShownFigures>;

export const questions = {
  kind: 'look',
  name: 'questions',
  summary: 'how often a person is asked, and how fast the yes comes',
  args: z.strictObject({}),
  data: ShownFigures,
  needs: 'approver',
} as const satisfies Look;

const deciding = {
  kind: 'change',
  args: z.strictObject({
    approval: z.optional(z.string().check(z.describe('its id, or the beginning; without it: what waits here'))),
  }),
  words: ['approval'],
  needs: 'approver',
} as const;

export const approve = {
  ...deciding,
  name: 'approve',
  summary: 'approve one waiting action, once',
  args: z.extend(deciding.args, {
    similar: z.optional(
      z.boolean().check(z.describe('and let this very action pass in its conversation a few more times')),
    ),
    task: z.optional(
      z.boolean().check(z.describe('and let the tool pass in this task, with other words and smaller numbers')),
    ),
  }),
} as const satisfies Change;

export const deny = { ...deciding, name: 'deny', summary: 'deny one waiting action' } as const satisfies Change;

const ShownGrant = z.looseObject({
  id: z.string(),
  /** The whole grant, in one line for a person. */
  description: z.string(),
  target: z.string(),
  tool: z.optional(z.string()),
  uses: z.int(),
  usesMax: z.int(),
  /** Epoch milliseconds, both. */
  createdAt: z.int(),
  expiresAt: z.int(),
  createdBy: z.string(),
  session: z.optional(z.string()),
  taintSource: z.optional(z.string()),
});
export type ShownGrant = z.infer<typeof ShownGrant>;

export const grants = {
  kind: 'look',
  name: 'grants',
  summary: 'what may happen again without asking',
  args: z.strictObject({}),
  /** `learned`: rules in force that were learned. */
  data: z.looseObject({ grants: z.array(ShownGrant), learned: z.optional(z.int()) }),
  needs: 'approver',
} as const satisfies Look;

/** Every bound is spelled out. A chat has the button on the card instead. */
export const grantsAdd = {
  kind: 'change',
  name: 'grants add',
  summary: 'allow the action of an approval again, within bounds',
  args: GrantWish,
  form: '--from <approval>',
  undoes: { revoke: '"Allow similar…" on the next card gives another.' },
  needs: 'approver',
  doors: ['command-line', 'http'],
} as const satisfies Change;

export const revoke = {
  kind: 'change',
  name: 'revoke',
  summary: 'take a grant back',
  args: z.strictObject({
    grant: z
      .string()
      .check(
        z.regex(/^[0-9a-f]{12}$/, { error: 'must be the id of a grant; /grants lists them' }),
        z.describe('its id'),
      ),
  }),
  words: ['grant'],
  needs: 'approver',
  undoes: { 'grants add': ['live'] },
} as const satisfies Change;

export const APPROVAL_OPERATIONS = [approvals, questions, approve, deny, grants, grantsAdd, revoke] as const;
