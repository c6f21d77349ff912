/** Bounds that the files of `lib/log` share: a name ends in its unit, a comment gives the reason for the number. */

/** Commits of one batch, and forgotten objects, unless one commit alone has more. */
export const LOG_BATCH_COMMITS_MAX = 256;
/** Signals read at once while a batch is put together: enough to hide the way there and back. */
export const LOG_READS_AT_ONCE = 16;
