/**
 * The AWS SDK's clients without their serialising and parsing, which takes longer than the servers
 * of the tests: commands pass as objects. The SDK's own retries stay. Bundles, the local stack and
 * the benchmark go through all of the SDK.
 */
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  DynamoDBServiceException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';

export interface DirectAnswer {
  readonly status: number;
  readonly body: string;
}

export type Client = DynamoDBClient | SQSClient;

/** @param body JSON; bytes are base64 */
export type CallServer = (action: string, body: string) => Promise<DirectAnswer>;

interface Command {
  readonly input: object;
}

const fromWire = (name: string, value: unknown): unknown =>
  name === 'B' && typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : value;

/** The SDK's own errors, as its parser makes them. */
const errorOf = ({ status, body }: DirectAnswer): Error => {
  const { __type = '', message = '', ...fields } = JSON.parse(body, fromWire);
  const name = String(__type).slice(String(__type).indexOf('#') + 1);
  const $metadata = { httpStatusCode: status };
  if (name === 'ConditionalCheckFailedException')
    return new ConditionalCheckFailedException({ message, $metadata, ...fields });
  if (name === 'TransactionCanceledException')
    return new TransactionCanceledException({ message, $metadata, ...fields });
  return new DynamoDBServiceException({ name, message, $metadata, $fault: status >= 500 ? 'server' : 'client' });
};

const hasBytes = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (value instanceof Uint8Array || Object.values(value).some((one) => typeof one === 'object' && hasBytes(one)));

/** A buffer makes an object of itself before a replacer sees it, so its holder is asked. */
const toWire = function (this: unknown, name: string, value: unknown): unknown {
  const held: unknown = Object(this)[name];
  return held instanceof Uint8Array
    ? Buffer.from(held.buffer, held.byteOffset, held.byteLength).toString('base64')
    : value;
};

const callDirectly = async (call: CallServer, command: Command): Promise<object> => {
  const action = command.constructor.name.replace(/Command$/, '');
  // A replacer takes five times as long.
  const answer = await call(action, JSON.stringify(command.input, hasBytes(command.input) ? toWire : undefined));
  if (answer.status !== 200) throw errorOf(answer);
  return { ...JSON.parse(answer.body, answer.body.includes('"B"') ? fromWire : undefined), $metadata: {} };
};

interface Stack {
  readonly identify: () => string[];
  readonly remove: (name: string) => boolean;
  readonly resolve: (
    next: (args: { readonly input: Command }) => Promise<{ readonly response: object; readonly output: object }>,
    context: object,
  ) => (args: { readonly input: Command }) => Promise<{ readonly output: object }>;
}

/** The client's middleware without all but its retries. */
export const buildDirectSend = (client: Client, call: CallServer): ((command: Command) => Promise<object>) => {
  const stack = client.middlewareStack.clone() as unknown as Stack;
  const names = stack.identify().map((line) => line.split(' ')[0] ?? '');
  // These are not listed: they stand beside a middleware that commands bring.
  for (const name of [...names, 'httpAuthSchemeMiddleware', 'queueUrlMiddleware'])
    if (name !== 'retryMiddleware') stack.remove(name);
  const handler = stack.resolve(async ({ input }) => ({ response: {}, output: await callDirectly(call, input) }), {});
  return async (command) => (await handler({ input: command })).output;
};
