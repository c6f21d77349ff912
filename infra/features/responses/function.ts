/** The function of this feature, as data. */
import { SECOND_MS } from '../../../lib/core/base/limits.ts';
import { type FunctionSpec, WAITING_MB } from '../../function-spec.ts';

/** It follows a turn for 110 seconds, and has time to begin and to end. */
const RESPONSES_TIMEOUT_MS = 120 * SECOND_MS;

/** Its role may only run the console, which knows the tokens and decides. */
export const RESPONSES_FUNCTION = {
  trigger: { type: 'http', routes: ['/v1/'], isPublic: false, isStreamed: true },
  timeoutMs: RESPONSES_TIMEOUT_MS,
  memoryMb: WAITING_MB,
  onlyIf: 'OPENAI_DOOR',
  runs: 'console',
  sendsTo: [],
  reads: [],
  writes: [],
  indexes: [],
} as const satisfies FunctionSpec;
