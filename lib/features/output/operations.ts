/** The verb that shows a person what a tool returned. */
import * as z from 'zod/mini';
import type { Look } from '../../core/operations/operation.ts';
import { Origin } from '../../core/signal/signal.ts';

const Returned = z.looseObject({
  /** `<signal>#<n>` */
  id: z.string(),
  tool: z.string(),
  /** Of its effect. */
  state: z.string(),
  /** The one who wrote it. */
  origin: Origin,
  /** Epoch milliseconds. */
  at: z.int(),
});

export const output = {
  kind: 'look',
  name: 'output',
  summary: 'what a tool returned in the last turns here, word by word; no model is asked',
  args: z.strictObject({
    of: z.optional(
      z
        .string()
        .check(
          z.maxLength(300),
          z.describe('a task or <signal>#<n>, also the start of the id; or a number: 1 is the newest, as without it'),
        ),
    ),
    part: z.optional(z.string().check(z.regex(/^[1-9]\d{0,2}$/), z.describe('of a long one; 1 without it'))),
  }),
  words: ['of', 'part'],
  /** The part that is shown, as it is stored, and all that were found, the newest first. */
  data: z.looseObject({ outputs: z.array(Returned), text: z.string(), part: z.int(), parts: z.int() }),
  needs: 'owner',
  where: 'named',
} as const satisfies Look;

export const OUTPUT_OPERATIONS = [output] as const;
