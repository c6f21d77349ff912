/** The function of this feature, as data. */
import { type FunctionSpec, INGRESS_TIMEOUT_MS, WAITED_FOR_MB } from '../../function-spec.ts';

export const SLACK_FUNCTION = {
  trigger: { type: 'http', routes: ['/slack'], isPublic: true },
  timeoutMs: INGRESS_TIMEOUT_MS,
  memoryMb: WAITED_FOR_MB,
  onlyIf: 'SLACK_STATE',
  sendsTo: ['perceive'],
  /** `approval`: the modal shows the exact bytes of what a yes would do. */
  reads: ['pairing', 'setting', 'signal', 'session', 'approval'],
  /** `data`, as in `telegram`. */
  writes: ['signal', 'pairing', 'setting', 'session', 'quota', 'data'],
  /** For the home tab: what waits. */
  indexes: ['unfinished'],
} as const satisfies FunctionSpec;
