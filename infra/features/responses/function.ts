/** The function of this feature, as data. */
import { SECOND_MS } from '../../../lib/core/base/limits.ts';
import { FOLLOW_MS_MAX } from '../../../lib/features/responses/follow.ts';
import { type FunctionSpec, WAITING_MB } from '../../function-spec.ts';

/** Time to begin and to end around a turn that is followed. */
const MARGIN_MS = 10 * SECOND_MS;

/** Its role may only run the console, which knows the tokens and decides. */
export const RESPONSES_FUNCTION = {
  trigger: { type: 'http', routes: ['/v1/'], isPublic: false, isStreamed: true },
  timeoutMs: FOLLOW_MS_MAX + MARGIN_MS,
  memoryMb: WAITING_MB,
  onlyIf: 'OPENAI_DOOR',
  runs: 'console',
  sendsTo: [],
  reads: [],
  writes: [],
  indexes: [],
} as const satisfies FunctionSpec;
