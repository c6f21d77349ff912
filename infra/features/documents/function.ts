/** The function of this feature, as data. */
import { SECOND_MS } from '../../../lib/core/base/limits.ts';
import type { FunctionSpec } from '../../function-spec.ts';

/** No honest file takes so long; Act, which waits for it, has a minute. */
const DOCUMENT_TIMEOUT_MS = 20 * SECOND_MS;

/** Its role has no table. Memory is also processor time, and a hostile file gets no more. */
export const DOCUMENT_FUNCTION = {
  trigger: { type: 'call' },
  timeoutMs: DOCUMENT_TIMEOUT_MS,
  memoryMb: 1024,
  sendsTo: [],
  reads: [],
  writes: [],
  indexes: [],
} as const satisfies FunctionSpec;
