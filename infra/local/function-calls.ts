/**
 * In the place of Lambda's Invoke. A run that broke is answered with the mark of an error, as
 * there; one that found no room is refused, and may be tried again later.
 */
import { InvocationError } from './environment.ts';
import { type LoopbackServer, respond, startSignedServer } from './loopback-server.ts';
import type { Credentials } from './table-server/signature.ts';

const JSON_TYPE = 'application/json';

/** @param invoke runs the function. @throws InvocationError */
export const startFunctionCalls = (
  name: string,
  credentials: Credentials,
  invoke: (event: unknown) => Promise<unknown>,
): Promise<LoopbackServer> =>
  startSignedServer({
    service: 'lambda',
    credentials,
    path: `/2015-03-31/functions/${name}/invocations`,
    handle: async (_request, body, response) => {
      try {
        respond(response, 200, JSON.stringify(await invoke(JSON.parse(body.toString('utf8')))), JSON_TYPE);
      } catch (error) {
        const outcome = error instanceof InvocationError ? error.outcome : 'failed';
        if (outcome === 'overloaded' || outcome === 'stopped') {
          response.setHeader('x-amzn-errortype', 'TooManyRequestsException');
          respond(response, 429, '{"Reason":"ConcurrentInvocationLimitExceeded"}', JSON_TYPE);
          return;
        }
        response.setHeader('x-amz-function-error', 'Unhandled');
        respond(
          response,
          200,
          JSON.stringify({ errorMessage: outcome === 'timed-out' ? 'Task timed out' : outcome }),
          JSON_TYPE,
        );
      }
    },
  });
