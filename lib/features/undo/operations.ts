/** The verb that takes back the last change of a conversation. */
import * as z from 'zod/mini';
import type { Change } from '../../core/operations/operation.ts';

export const undo = {
  kind: 'change',
  name: 'undo',
  summary:
    'take back the last change made here to memory, a job, a setting, a skill, a machine or a grant; shown first',
  args: z.strictObject({ code: z.optional(z.string().check(z.describe('code that was shown with the change'))) }),
  words: ['code'],
  needs: 'approver',
  where: 'named',
} as const satisfies Change;

export const UNDO_OPERATIONS = [undo] as const;
