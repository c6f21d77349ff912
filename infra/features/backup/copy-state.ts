/** How far a running local stack is with the copy of its table; the route that says so. */
import * as z from 'zod/mini';

/** POST begins a copy, GET says how far it is. Of the local stack alone. */
export const COPY_PATH = '/api/local/copy';

/** POST says that the backup of the newest copy is written. */
export const WRITTEN_PATH = '/api/local/backup-written';

export const CopyState = z.discriminatedUnion('state', [
  z.object({ state: z.literal('none') }),
  z.object({ state: z.literal('copying'), done: z.int(), pages: z.int() }),
  /** `at`: the moment it is of, epoch milliseconds. */
  z.object({ state: z.literal('done'), file: z.string(), at: z.int() }),
  z.object({ state: z.literal('failed'), problem: z.string() }),
]);
export type CopyState = z.infer<typeof CopyState>;
