/** The function of this feature, as data. */
import { SECOND_MS } from '../../../lib/core/base/limits.ts';
import { type FunctionSpec, WAITING_MB } from '../../function-spec.ts';

/** It follows a turn for two thirds of this. */
const MCP_TIMEOUT_MS = 30 * SECOND_MS;

/** Its role may only run the console, which knows the tokens and decides. */
export const MCP_FUNCTION = {
  trigger: { type: 'http', routes: ['/mcp'], isPublic: false },
  timeoutMs: MCP_TIMEOUT_MS,
  memoryMb: WAITING_MB,
  onlyIf: 'MCP_DOOR',
  runs: 'console',
  sendsTo: [],
  reads: [],
  writes: [],
  indexes: [],
} as const satisfies FunctionSpec;
