/** The function of this feature, as data. */
import { MINUTE_MS } from '../../../lib/core/base/limits.ts';
import type { FunctionSpec } from '../../function-spec.ts';

/** It reads turns for half of it; then come a few requests to a collector. */
const TRACES_TIMEOUT_MS = MINUTE_MS;

/** It reads evidence and writes how far it got. It alone holds the collector's key. */
export const TRACES_FUNCTION = {
  trigger: { type: 'schedule' },
  timeoutMs: TRACES_TIMEOUT_MS,
  memoryMb: 256,
  onlyIf: 'OTEL_EXPORTER_OTLP_ENDPOINT',
  sendsTo: [],
  /** `commit`: while a restored copy still has to forget, it sends nothing. */
  reads: ['signal', 'approval', 'setting', 'commit', 'trace'],
  writes: ['trace'],
  indexes: ['feed'],
} as const satisfies FunctionSpec;
