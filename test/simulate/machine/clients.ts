/**
 * The AWS clients of the product (`lib/store/clients.ts`) with the same settings, whose wire is the
 * world's. The SDK's own retries stay in every run. One run in some goes through the SDK's
 * serialising and parsing too; in the others requests pass as objects, which is six times faster.
 * Clients are kept for the next environments, because making one takes longer than a request.
 */
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  DynamoDBServiceException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { dynamoClient as makeDynamoClient, sqsClient as makeSqsClient } from '../../../lib/store/clients.ts';
import type { WireAnswer } from '../types.ts';
import { REGION, theWire } from './machine.ts';

export { loadS3 } from '../../../lib/store/clients.ts';

type Service = 'dynamodb' | 'sqs';

interface Request {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

interface Command {
  readonly input: object;
}

const decoder = new TextDecoder();

/** The SDK's request handler: bytes in, bytes out. */
const buildHandler = (service: Service) => ({
  handle: async ({ headers, body = '' }: Request) => {
    const target = headers['x-amz-target'] ?? '';
    const text = typeof body === 'string' ? body : decoder.decode(body);
    const answer = await theWire().callAws(service, target.slice(target.indexOf('.') + 1), text);
    return { response: { statusCode: answer.status, headers: answer.headers, body: Buffer.from(answer.body) } };
  },
  destroy: () => undefined,
  metadata: { handlerProtocol: 'http/1.1' },
  updateHttpClientConfig: () => undefined,
  httpHandlerConfigs: () => ({}),
});

/** Bytes are base64 on the wire. For good: a replacer for each request takes five times as long. */
for (const { prototype } of [Uint8Array, Buffer])
  Object.assign(prototype, {
    toJSON(this: Uint8Array) {
      return Buffer.from(this.buffer, this.byteOffset, this.byteLength).toString('base64');
    },
  });

const fromWire = (name: string, value: unknown): unknown =>
  name === 'B' && typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : value;

/** The SDK's own errors, as its parser makes them. */
const errorOf = ({ status, body }: WireAnswer): Error => {
  const { __type = '', message = '', ...fields } = JSON.parse(body, fromWire);
  const name = String(__type).slice(String(__type).indexOf('#') + 1);
  const $metadata = { httpStatusCode: status };
  if (name === 'ConditionalCheckFailedException')
    return new ConditionalCheckFailedException({ message, $metadata, ...fields });
  if (name === 'TransactionCanceledException')
    return new TransactionCanceledException({ message, $metadata, ...fields });
  return new DynamoDBServiceException({ name, message, $metadata, $fault: status >= 500 ? 'server' : 'client' });
};

const callDirectly = async (service: Service, command: Command): Promise<object> => {
  const action = command.constructor.name.replace(/Command$/, '');
  const answer = await theWire().callAws(service, action, JSON.stringify(command.input));
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
const buildDirectSend = (service: Service, client: DynamoDBClient | SQSClient) => {
  const stack = client.middlewareStack.clone() as unknown as Stack;
  const names = stack.identify().map((line) => line.split(' ')[0] ?? '');
  // These are not listed: they stand beside a middleware that commands bring.
  for (const name of [...names, 'httpAuthSchemeMiddleware', 'queueUrlMiddleware'])
    if (name !== 'retryMiddleware') stack.remove(name);
  const handler = stack.resolve(
    async ({ input }) => ({ response: {}, output: await callDirectly(service, input) }),
    {},
  );
  return async (command: Command): Promise<object> => (await handler({ input: command })).output;
};

/** The credentials that every client finds; nobody checks a signature on this wire. */
Object.assign(process.env, {
  AWS_REGION: REGION,
  AWS_ACCESS_KEY_ID: 'simulated',
  AWS_SECRET_ACCESS_KEY: 'simulated',
  AWS_ENDPOINT_URL_SQS: 'http://queues.test',
});

interface Pooled<Client> {
  readonly client: Client;
  /** Sends past the SDK's serialising and parsing. */
  readonly direct: Client;
  /** The SDK's retry tokens, which run out in a long outage. */
  readonly strategy: { capacity?: number };
  readonly capacity: number | undefined;
}

let isDirect = false;

const buildPool = <Client extends DynamoDBClient | SQSClient>(service: Service, make: () => Client) => {
  const all: Pooled<Client>[] = [];
  let used = 0;
  return {
    fill: async (count: number): Promise<void> => {
      while (all.length < count) {
        const client = make();
        Object.assign(client.config, {
          requestHandler: buildHandler(service),
          signer: async () => ({ sign: async <T>(request: T): Promise<T> => request }),
        });
        const strategy: { capacity?: number } = Object(await client.config.retryStrategy());
        const direct = { send: buildDirectSend(service, client) } as unknown as Client;
        all.push({ client, direct, strategy, capacity: strategy.capacity });
      }
    },
    take: (): Client => {
      const one = all[used];
      if (one === undefined) throw new Error(`a run starts more than ${all.length} environments`);
      used += 1;
      if (one.capacity !== undefined) one.strategy.capacity = one.capacity;
      return isDirect ? one.direct : one.client;
    },
    release: (): void => {
      used = 0;
    },
  };
};

const dynamo = buildPool('dynamodb', makeDynamoClient);
const sqs = buildPool('sqs', makeSqsClient);

export const dynamoClient = dynamo.take;
export const sqsClient = sqs.take;

/** Environments that one run may start; a run with more fails. */
const ENVIRONMENTS_MAX = 400;

/** Makes the clients of all runs, before the first world. */
export const fillClients = async (): Promise<void> => {
  await dynamo.fill(ENVIRONMENTS_MAX);
  await sqs.fill(ENVIRONMENTS_MAX);
};

/** All clients are free again: the environments of the last run are gone. */
export const releaseClients = (isNextDirect: boolean): void => {
  dynamo.release();
  sqs.release();
  isDirect = isNextDirect;
};
