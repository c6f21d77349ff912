/**
 * The AWS clients of the product (`lib/core/store/clients.ts`) with the same settings, whose wire
 * is the world's. The SDK's own retries stay in every run. One run in some goes through the SDK's
 * serialising and parsing too; in the others requests pass as objects, which is six times faster.
 * Clients are kept for the next environments, because making one takes longer than a request.
 */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { dynamoClient as makeDynamoClient, sqsClient as makeSqsClient } from '../../../lib/core/store/clients.ts';
import { buildDirectSend } from '../../support/direct-client.ts';
import { REGION, theWire } from './machine.ts';
import { setTimeout } from './sleep.ts';

type Service = 'dynamodb' | 'sqs';

interface Request {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
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
        const call = (action: string, body: string) => theWire().callAws(service, action, body);
        const direct = { send: buildDirectSend(client, call) } as unknown as Client;
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

interface S3Input {
  readonly Bucket: string;
  readonly Key: string;
  readonly Body?: Uint8Array;
}

interface S3Command {
  readonly action: string;
  readonly input: S3Input;
}

const commandOf = (action: string) =>
  class implements S3Command {
    readonly action = action;
    readonly input: S3Input;
    constructor(input: S3Input) {
      this.input = input;
    }
  };

/** As often as the product lets the SDK's client try, and about as long in between. */
const S3_TRIES = 3;
const S3_PAUSE_MS = 100;

/** The SDK's own client reads streams, which takes turns of Node's loop. Here bytes are base64. */
class S3Client {
  async send({ action, input }: S3Command) {
    const body = JSON.stringify({ ...input, Body: Buffer.from(input.Body ?? []).toString('base64') });
    for (let tries = 1; ; tries += 1) {
      const answer = await theWire()
        .callAws('s3', action, body)
        .catch((error: Error) => error);
      if (answer instanceof Error || answer.status >= 500) {
        if (tries === S3_TRIES) throw answer instanceof Error ? answer : new Error(answer.body);
        await setTimeout(S3_PAUSE_MS);
        continue;
      }
      if (answer.status === 404) throw Object.assign(new Error('it is not there'), { name: 'NoSuchKey' });
      return { Body: { transformToByteArray: async () => new Uint8Array(Buffer.from(answer.body, 'base64')) } };
    }
  }
}

export const loadS3 = async () => ({
  S3Client,
  PutObjectCommand: commandOf('PutObject'),
  GetObjectCommand: commandOf('GetObject'),
  DeleteObjectCommand: commandOf('DeleteObject'),
});
