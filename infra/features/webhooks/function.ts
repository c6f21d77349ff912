/** The function of this feature, as data. */
import { type FunctionSpec, INGRESS_TIMEOUT_MS, WAITED_FOR_MB } from '../../function-spec.ts';

export const WEBHOOK_FUNCTION = {
  trigger: { type: 'http', routes: ['/webhook/'], isPublic: true },
  timeoutMs: INGRESS_TIMEOUT_MS,
  memoryMb: WAITED_FOR_MB,
  sendsTo: ['perceive'],
  reads: ['signal', 'setting'],
  writes: ['signal', 'quota'],
  indexes: [],
} as const satisfies FunctionSpec;
