/** The function of this feature, as data. */
import { type FunctionSpec, INGRESS_TIMEOUT_MS, WAITED_FOR_MB } from '../../function-spec.ts';

/** It exists while `SIGNAL_URL` names a daemon: that is on this machine, so only there. */
export const SIGNAL_FUNCTION = {
  trigger: { type: 'http', routes: ['/signal'], isPublic: false },
  timeoutMs: INGRESS_TIMEOUT_MS,
  memoryMb: WAITED_FOR_MB,
  onlyIf: 'SIGNAL_URL',
  sendsTo: ['perceive'],
  reads: ['pairing', 'setting', 'signal', 'session'],
  writes: ['signal', 'pairing', 'setting', 'session', 'quota', 'data'],
  indexes: [],
} as const satisfies FunctionSpec;
