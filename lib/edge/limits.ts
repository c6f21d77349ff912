/**
 * Bounds that the files of `lib/edge` share: a name ends in its unit, a comment gives the reason
 * for the number.
 */
import { KIB } from '../base/limits.ts';

/** Days looked back for decisions that were shown an object. */
export const SEEN_BY_DAYS_DEFAULT = 30;
export const SEEN_BY_DAYS_MAX = 3_650;
/**
 * Letters of a script's token: as for every token a person may choose; 16 random ones cannot be
 * guessed.
 */
export const API_TOKEN_CHARS_MIN = 16;
/** When a reader of a stream asks again. */
export const STREAM_RETRY_MS = 100;
/**
 * Requests held for streams at once, those among them that newer ones pushed out and that have not
 * noticed yet: fewer than the 10 runs of a new AWS account, so that others get through.
 */
export const STREAM_REQUESTS_HELD_MAX = 6;
/** Signals one page of the list shows: asked for, or by default. */
export const FEED_LIMIT_MAX = 100;
/** Bytes of one answer: Lambda takes 6 MB. */
export const RECORDS_PAGE_BYTES_MAX = 4 * 1024 * KIB;
