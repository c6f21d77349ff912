/**
 * Bounds that the files of `lib/evidence` share: a name ends in its unit, a comment gives the
 * reason for the number.
 */
import { KIB, SECOND_MS } from '../base/limits.ts';

/** One leaf: hashes and ids only, and an entry of a bundle has 16 bits for its length. */
export const LEAF_BYTES_MAX = 32 * KIB;
/**
 * One signed checkpoint, and the signatures on it: two keys at most sign at once, and witnesses may
 * add theirs.
 */
export const CHECKPOINT_BYTES_MAX = 16 * KIB;
/** Origin of a log and name of a key, as they stand in checkpoints. */
export const LOG_ORIGIN_CHARS_MAX = 128;
/** One line of an evidence export: a full tile, or one record of the table whole. */
export const EXPORT_LINE_CHARS_MAX = 4 * 1024 * KIB;
/**
 * How far the clocks of two functions of one stack may be apart: hosts are kept in time to
 * milliseconds, and a laptop that wakes is some seconds off until it is. What one clock stamped is
 * compared with another's only beyond it.
 */
export const CLOCK_SKEW_MS = 10 * SECOND_MS;
