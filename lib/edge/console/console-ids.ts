/**
 * Ids as they stand in paths and bodies of the console's API. An id that does not fit is simply not there (404); no
 * foreign bytes ever get into a key.
 */
import { Signal } from '../../signal/signal.ts';

/** Signal ids contain `/` (`con-abc/1/2`), so they may take several path segments. */
export const SIGNAL_ID_PATTERN = '[a-z]+-[A-Za-z0-9_.:-]{1,80}(?:/[a-z0-9-]{1,12}){0,12}';

export const isSignalId = (text: string): boolean => Signal.shape.id.safeParse(text).success;

/** Approval ids are 128 bits in hex. */
export const isApprovalId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);

/** Session names of the console: what may follow `console:`. */
export const SESSION_NAME = /^[A-Za-z0-9_.:-]{1,60}$/;
