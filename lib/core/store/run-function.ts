/**
 * Runs another function of the stack and waits for its answer. A role names the one function that
 * its own may run. The client comes with Lambda's runtime and is loaded for the first run.
 */
import type { LambdaClient } from '@aws-sdk/client-lambda';
import { UnavailableError } from '../base/errors.ts';
import { readJson } from '../base/json.ts';
import { once } from '../base/once.ts';

export type RunOutcome =
  | { readonly kind: 'answered'; readonly answer: unknown }
  /** The run broke: it took too long or too much memory, or threw. */
  | { readonly kind: 'broke'; readonly isTooLong: boolean };

/** @param name ARN of the function's alias. @throws UnavailableError if it was not run */
export type RunFunction = (name: string, event: object) => Promise<RunOutcome>;

const loadLambda = () => import('@aws-sdk/client-lambda');

const connect = async (): Promise<LambdaClient> => new (await loadLambda()).LambdaClient({ maxAttempts: 2 });

const invoke = async (open: () => Promise<LambdaClient>, name: string, event: object): Promise<RunOutcome> => {
  try {
    const command = new (await loadLambda()).InvokeCommand({ FunctionName: name, Payload: JSON.stringify(event) });
    const { FunctionError, Payload } = await (await open()).send(command);
    const text = Payload?.transformToString() ?? '';
    return FunctionError === undefined
      ? { kind: 'answered', answer: readJson(text) }
      : { kind: 'broke', isTooLong: /timed out/i.test(text) };
  } catch (error) {
    throw new UnavailableError('A function of the stack did not run. Try again later.', { cause: error });
  }
};

/** For a function that runs another with each request: it keeps its connection. */
export const buildRunFunction = (): RunFunction => {
  const open = once(connect);
  return (name, event) => invoke(open, name, event);
};

/** For one run now and then. */
export const runFunction: RunFunction = async (name, event) => {
  const open = once(connect);
  return invoke(open, name, event).finally(async () => (await open()).destroy());
};
