/** Bounds that the files of `infra/local` share: a name ends in its unit, a comment gives the reason for the number. */
import { SECOND_MS } from '../../lib/base/limits.ts';

/** Running invocations get this long to end when the stack is stopped; the sweep picks up what did not. */
export const LOCAL_STOP_GRACE_MS = 3 * SECOND_MS;
