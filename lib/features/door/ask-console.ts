/** Requests to the console as events of its function, with the caller's token. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { UnavailableError } from '../../core/base/errors.ts';
import { readJson } from '../../core/base/json.ts';
import type { FunctionUrlEvent } from '../../core/http/function-url.ts';
import { openLambda } from '../../core/store/lambda-client.ts';
import { runFunction } from '../../core/store/run-function.ts';
import type { AskConsole, ConsoleRequest } from './tools.ts';

const Answer = z.object({ statusCode: z.int(), body: z.string() });

const eventOf = (
  authorization: string,
  { method, path, query, body, lastEventId }: ConsoleRequest,
): FunctionUrlEvent => ({
  rawPath: path,
  rawQueryString: new URLSearchParams(query).toString(),
  headers: { authorization, 'content-type': 'application/json', 'last-event-id': lastEventId },
  body: body === undefined ? null : JSON.stringify(body),
  requestContext: { http: { method } },
});

/** @param name of the console's function. @throws UnavailableError if it did not answer */
export const buildAskConsole = (name: string): ((authorization: string) => AskConsole) => {
  // It is asked with each request, so the connection stays open.
  const client = openLambda();
  return (authorization) => async (request) => {
    const outcome = await runFunction(name, eventOf(authorization, request), client);
    const answer = outcome.kind === 'answered' ? Answer.safeParse(outcome.answer).data : undefined;
    if (answer === undefined) throw new UnavailableError('The console did not answer. Try again.');
    return { status: answer.statusCode, value: readJson(answer.body), text: answer.body };
  };
};

/** The input of a door, from its function. */
export interface DoorStart {
  /** ARN of the console's alias. */
  readonly console: string;
  /** The page's address, which a deployed stack alone knows. */
  readonly page: string | undefined;
  /** Logs a failure that was not raised on purpose. */
  readonly report: (error: unknown) => void;
}

/** The console, the page, the clock and ids, as each door takes them. */
export const reachOf = ({ console, page, report }: DoorStart) => ({
  askConsole: buildAskConsole(console),
  pageFor: (host: string): string => page ?? `http://${host}/`,
  now: Date.now,
  sleep,
  newId: (): string => randomBytes(16).toString('hex'),
  report,
});
