/** The AWS clients. Their retries are short: then the queue, or a 503, lets it be tried again. */
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';

const CLIENT = { maxAttempts: 3 } as const;
/** At most 1.6 s of waits, doubled from 50 ms: enough for a restart of the embedded database. */
const TABLE_CLIENT = { maxAttempts: 6 } as const;

/**
 * The SDK's log costs a tenth of a stage's processor time, and naming the SDK in each request a
 * fiftieth. Nobody reads either.
 */
const UNREAD = ['loggerMiddleware', 'getUserAgentMiddleware'];

/** How a client reaches a server of its own process without a socket. */
export type Wire = (service: 'dynamodb' | 'sqs') => Pick<DynamoDBClientConfig, 'requestHandler' | 'signer'>;

declare global {
  /** Set on the local stack alone, before a function is loaded. */
  var passepartoutWire: Wire | undefined;
}

export const dynamoClient = (): DynamoDBClient => {
  const client = new DynamoDBClient({ ...TABLE_CLIENT, ...globalThis.passepartoutWire?.('dynamodb') });
  for (const name of UNREAD) client.middlewareStack.remove(name);
  return client;
};

/** A client for an embedded server, which makes its own credentials. */
export const embeddedDynamoClient = (
  endpoint: string,
  region: string,
  credentials: { readonly accessKeyId: string; readonly secretAccessKey: string },
): DynamoDBClient => new DynamoDBClient({ ...TABLE_CLIENT, endpoint, region, credentials });

export type QueueClient = SQSClient;

export const sqsClient = (): QueueClient => {
  const client = new SQSClient({ ...CLIENT, useQueueUrlAsEndpoint: true, ...globalThis.passepartoutWire?.('sqs') });
  for (const name of UNREAD) client.middlewareStack.remove(name);
  return client;
};

/** The module comes with Lambda's runtime: no bundle carries it. */
export const loadS3 = () => import('@aws-sdk/client-s3');
