/** The sender of traces: one row at most. */
import { startTraces } from '../../lib/features/traces/start.ts';
import type { StartTraces } from './start-traces.ts';

export const TRACE_SENDERS: readonly StartTraces[] = [startTraces];
