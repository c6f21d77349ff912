/** Bounds that several files of `lib/core/edge`, or its clients, share. */
import { KIB } from '../base/limits.ts';

/** Days that are searched for decisions which were shown an object. */
export const SEEN_BY_DAYS_DEFAULT = 30;
export const SEEN_BY_DAYS_MAX = 3_650;
/** Characters of a script's token: 16 random ones cannot be guessed. */
export const API_TOKEN_CHARS_MIN = 16;
/** Time until the reader of a stream asks again. */
export const STREAM_RETRY_MS = 100;
/** Streams held at once: fewer than the 10 runs of a new AWS account, so others get through. */
export const STREAM_REQUESTS_HELD_MAX = 6;
/** Bytes of one answer: Lambda takes 6 MB. */
export const RECORDS_PAGE_BYTES_MAX = 4 * 1024 * KIB;
