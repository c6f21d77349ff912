import * as z from 'zod/mini';

/** Lower-case words joined by `-`, so that a skill can have the same name as its runbook. */
export const RunbookName = z
  .string()
  .check(z.regex(/^(?=.{1,48}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'must be lower-case words joined by -'));
