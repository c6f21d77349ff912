/** Bounds that several files of `lib/core/evidence` share. */
import { KIB, SECOND_MS } from '../base/limits.ts';

/** One leaf: hashes and ids only; an entry of a bundle has 16 bits for its length. */
export const LEAF_BYTES_MAX = 32 * KIB;
/** One signed checkpoint: at most two keys sign at once, and witnesses may add signatures. */
export const CHECKPOINT_BYTES_MAX = 16 * KIB;
/** Origin of a log, and name of a key, as checkpoints have them. */
export const LOG_ORIGIN_CHARS_MAX = 128;
/** One line of an export: a full tile, or one whole record of the table. */
export const EXPORT_LINE_CHARS_MAX = 4 * 1024 * KIB;
/**
 * How far apart the clocks of two functions of one stack may be. Hosts keep time to milliseconds; a
 * laptop that wakes is some seconds off. Times of two clocks are compared only beyond this.
 */
export const CLOCK_SKEW_MS = 10 * SECOND_MS;
