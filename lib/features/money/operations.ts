/** The verbs of money: what language models cost, and what is left. Micro-dollars everywhere. */
import * as z from 'zod/mini';
import type { Look } from '../../core/operations/operation.ts';

const micro = z.int();

export const budget = {
  kind: 'look',
  name: 'budget',
  summary: 'what is spent today, what is left, and the caps',
  args: z.strictObject({}),
  data: z.looseObject({
    day: z.string(),
    caps: z.record(z.string(), z.int()),
    committed: micro,
    left: micro,
    tokens: z.int(),
    resetsAt: z.int(),
  }),
  needs: 'owner',
} as const satisfies Look;

const CostPeriod = z.enum(['day', 'week', 'session', 'job']);
export type CostPeriod = z.infer<typeof CostPeriod>;

export const cost = {
  kind: 'look',
  name: 'cost',
  summary: 'what language models cost, and what was saved',
  args: z.strictObject({
    period: z._default(CostPeriod, 'day'),
    name: z.optional(z.string().check(z.describe('of a job; or of a conversation, if not this one'))),
  }),
  words: ['period', 'name…'],
  form: '[day | week | session | job [name]]',
  data: z.looseObject({
    period: CostPeriod,
    usd: micro,
    tokens: z.int(),
    savedByTier: micro,
    savedByCache: micro,
    /** Only for a conversation: all its calls, and the day of the first. */
    conversationUsd: z.optional(micro),
    since: z.optional(z.string()),
  }),
  needs: 'owner',
} as const satisfies Look;

export const MONEY_OPERATIONS = [budget, cost] as const;
