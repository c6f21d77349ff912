/** The function of this feature, as data. */
import { type FunctionSpec, INGRESS_TIMEOUT_MS, WAITED_FOR_MB } from '../../function-spec.ts';

export const TELEGRAM_FUNCTION = {
  trigger: { type: 'http', routes: ['/telegram'], isPublic: true },
  timeoutMs: INGRESS_TIMEOUT_MS,
  memoryMb: WAITED_FOR_MB,
  sendsTo: ['perceive'],
  reads: ['pairing', 'setting', 'signal', 'session'],
  /** `data`: the first choice of another language than English raises its version. */
  writes: ['signal', 'pairing', 'setting', 'session', 'quota', 'data'],
  indexes: [],
} as const satisfies FunctionSpec;
