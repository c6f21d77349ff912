/** The verbs of plans. A plan is edited by the verbs of notes. */
import * as z from 'zod/mini';
import type { Change, Look } from '../../core/operations/operation.ts';

const rights = { needs: 'owner', where: 'named' } as const;
const plan = z.string().check(z.toLowerCase(), z.describe('id of the plan’s note, or its first 6 characters or more'));

export const planList = {
  kind: 'look',
  name: 'plan list',
  summary: 'the plans that were written down and are not done',
  args: z.strictObject({}),
  data: z.looseObject({ plans: z.array(z.looseObject({ id: z.string(), title: z.string() })) }),
  ...rights,
  isDefault: true,
} as const satisfies Look;

export const planShow = {
  kind: 'look',
  name: 'plan show',
  summary: 'the steps of a plan, and what became of each',
  args: z.strictObject({ plan }),
  words: ['plan'],
  data: z.looseObject({
    id: z.string(),
    steps: z.array(z.looseObject({ id: z.string(), words: z.string(), state: z.string() })),
    run: z.optional(z.string()),
  }),
  ...rights,
} as const satisfies Look;

export const planApprove = {
  kind: 'change',
  name: 'plan approve',
  summary: 'perform a plan exactly as it stands; its card shows every call',
  args: z.strictObject({ plan }),
  words: ['plan'],
  ...rights,
} as const satisfies Change;

export const PLAN_OPERATIONS = [planList, planShow, planApprove] as const;
