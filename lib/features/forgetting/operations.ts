/** The verb that forgets. */
import * as z from 'zod/mini';
import type { Change } from '../../core/operations/operation.ts';

export const forget = {
  kind: 'change',
  name: 'forget',
  summary: 'erase a note for good, and the turns that told of it',
  args: z.strictObject({
    id: z.string(),
    signals: z.optional(z.string().check(z.describe('further signals whose turns are erased'))),
  }),
  words: ['id', 'signals…'],
  form: '<id> [signals], the id as /memory or /recall show it',
  needs: 'approver',
} as const satisfies Change;

export const FORGETTING_OPERATIONS = [forget] as const;
