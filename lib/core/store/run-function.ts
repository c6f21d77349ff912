/**
 * Runs another function of the stack and waits for its answer; a role allows one such function
 * alone. The client comes with Lambda's runtime and is loaded for the first run.
 */
import type { LambdaClient } from '@aws-sdk/client-lambda';
import { UnavailableError } from '../base/errors.ts';
import { readJson } from '../base/json.ts';

export type RunOutcome =
  | { readonly kind: 'answered'; readonly answer: unknown }
  /** The run broke: it took too long or too much memory, or threw. */
  | { readonly kind: 'broke'; readonly isTooLong: boolean };

/**
 * @param name ARN of the function's alias. @param kept a client that stays open
 * @throws UnavailableError if it was not run
 */
export const runFunction = async (name: string, event: object, kept?: LambdaClient): Promise<RunOutcome> => {
  try {
    const { InvokeCommand, LambdaClient } = await import('@aws-sdk/client-lambda');
    const client = kept ?? new LambdaClient({ maxAttempts: 2 });
    const command = new InvokeCommand({ FunctionName: name, Payload: JSON.stringify(event) });
    const { FunctionError, Payload } = await client.send(command).finally(() => kept ?? client.destroy());
    const text = Payload?.transformToString() ?? '';
    return FunctionError === undefined
      ? { kind: 'answered', answer: readJson(text) }
      : { kind: 'broke', isTooLong: /timed out/i.test(text) };
  } catch (error) {
    throw new UnavailableError('A function of the stack did not run. Try again later.', { cause: error });
  }
};
