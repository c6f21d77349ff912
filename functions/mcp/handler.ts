/** MCP: tools of this agent for other programs, at `/mcp`. It runs the console and nothing else. */
import { CONSOLE_VERBS } from '../../lib/core/edge/console/console-verbs.ts';
import { HttpError, respondFailure } from '../../lib/core/http/function-url.ts';
import { readEnvironment } from '../../lib/core/store/env.ts';
import { buildLog } from '../../lib/core/store/log.ts';
import { FEATURES } from '../../lib/features/features.ts';
import { PROGRAM_DOORS } from './features.ts';

const env = readEnvironment('mcp');
const log = buildLog(env.LOG_LEVEL);

const nobody = async () => respondFailure(new HttpError(404, 'not-found', 'there is nothing at this path'));
const [answer = nobody] = PROGRAM_DOORS.map((start) =>
  start({
    features: [...FEATURES, CONSOLE_VERBS],
    console: env.CONSOLE_FUNCTION,
    page: env.CONSOLE_URL,
    // The kind of an error only: its text may quote a request (I11).
    report: (error) => log('error', 'mcp-failed', { kind: error instanceof Error ? error.name : typeof error }),
  }),
);

export const handler = (event: unknown) => answer(event);
