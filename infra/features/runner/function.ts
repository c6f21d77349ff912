/** The function of this feature, as data. */
import { type FunctionSpec, INGRESS_TIMEOUT_MS } from '../../function-spec.ts';

/** The owner's machines: they pair, take jobs and give results, each request signed. */
export const RUNNER_FUNCTION = {
  trigger: { type: 'http', routes: ['/runner/'], isPublic: true },
  timeoutMs: INGRESS_TIMEOUT_MS,
  memoryMb: 192,
  sendsTo: ['perceive'],
  /** A skill is read before a machine gets one of its files. */
  reads: ['runner', 'setting', 'session', 'run', 'skill'],
  writes: ['runner'],
  indexes: [],
} as const satisfies FunctionSpec;
