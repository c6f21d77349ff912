/** The name of a paired machine, as its owner types it. */
import * as z from 'zod/mini';

export const RunnerName = z
  .string()
  .check(
    z.regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, { error: 'must be lower-case words of letters and digits, joined by -' }),
    z.maxLength(32),
  );
