/** The verbs of subtrees. */
import * as z from 'zod/mini';
import type { Change } from '../../core/operations/operation.ts';

const verb = {
  kind: 'change',
  args: z.strictObject({
    note: z.string().check(z.toLowerCase(), z.describe('id of the note, or its first 6 characters or more')),
  }),
  words: ['note'],
  needs: 'owner',
  where: 'named',
} as const;

export const organise = {
  ...verb,
  name: 'organise',
  summary: 'have the notes below one put in order; a card shows the difference',
} as const satisfies Change;

export const summarise = {
  ...verb,
  name: 'summarise',
  summary: 'have a summary added to a note and those below it; a card shows it',
} as const satisfies Change;

export const link = {
  ...verb,
  name: 'link',
  summary: 'have related notes below one linked; a card shows each link',
} as const satisfies Change;

export const OUTLINE_OPERATIONS = [organise, summarise, link] as const;
