/** The verb that proves one action to a stranger. */
import * as z from 'zod/mini';
import type { Look } from '../../core/operations/operation.ts';

export const receipt = {
  kind: 'look',
  name: 'receipt',
  summary: 'proof of one action for a stranger: what was decided, who approved it, what became of it',
  args: z.strictObject({
    action: z.optional(
      z
        .string()
        .check(z.describe('<signal>#<n>, also the start of the id; without it: the last one that was done here')),
    ),
    hideContent: z.optional(z.string().check(z.describe('true leaves the action out; its hash stays'))),
  }),
  words: ['action'],
  /** None until the log holds the action, within a minute. */
  data: z.looseObject({ receipt: z.optional(z.looseObject({})) }),
  needs: 'owner',
} as const satisfies Look;

export const RECEIPT_OPERATIONS = [receipt] as const;
