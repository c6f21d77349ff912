/** The function of this feature, as data. */
import { type FunctionSpec, INGRESS_TIMEOUT_MS, WAITED_FOR_MB } from '../../function-spec.ts';

export const MAIL_FUNCTION = {
  trigger: { type: 'http', routes: ['/mail'], isPublic: false },
  onlyIf: 'MAIL_ADDRESS',
  timeoutMs: INGRESS_TIMEOUT_MS,
  memoryMb: WAITED_FOR_MB,
  sendsTo: ['perceive'],
  reads: ['pairing', 'setting', 'signal'],
  /** `data`: the first choice of another language than English raises its version. */
  writes: ['signal', 'pairing', 'setting', 'quota', 'data'],
  indexes: [],
} as const satisfies FunctionSpec;
