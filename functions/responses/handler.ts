/**
 * OpenAI-compatible API: programs speak with this agent as with a model, at `/v1`. It runs the
 * console and nothing else, and writes each answer while its turn is at work.
 */
import type { StreamifyHandler } from 'aws-lambda';
import { HttpError, respondFailure } from '../../lib/core/http/function-url.ts';
import { readEnvironment } from '../../lib/core/store/env.ts';
import { buildLog } from '../../lib/core/store/log.ts';
import { STREAMED_DOORS } from './features.ts';
import type { Out } from './start-streamed.ts';

const env = readEnvironment('responses');
const log = buildLog(env.LOG_LEVEL);

const nobody = async (_: unknown, out: Out) => {
  const { body, ...head } = respondFailure(new HttpError(404, 'not-found', 'there is nothing at this path'));
  out.begin(head)(body);
};
const [answer = nobody] = STREAMED_DOORS.map((start) =>
  start({
    console: env.CONSOLE_FUNCTION,
    page: env.CONSOLE_URL,
    // The kind of an error only: its text may quote a request (I11).
    report: (error) => log('error', 'responses-failed', { kind: error instanceof Error ? error.name : typeof error }),
  }),
);

const stream: StreamifyHandler<unknown, void> = async (event, raw) => {
  let opened = raw;
  await answer(event, {
    begin: (head) => {
      opened = awslambda.HttpResponseStream.from(raw, { ...head });
      return (text) => void opened.write(text);
    },
  });
  opened.end();
};

// Only Lambda, and what stands in for it, knows how to write in parts.
export const handler = typeof awslambda === 'undefined' ? stream : awslambda.streamifyResponse(stream);
