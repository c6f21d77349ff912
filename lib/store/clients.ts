/**
 * The AWS clients, made once per process. The SDK's own retries stay short: what they cannot ride out goes back to the
 * queue or is answered 503, where waiting costs nothing.
 */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';

const CLIENT = { maxAttempts: 3 } as const;
/**
 * At most 1.6 s of waits, doubled from 50 ms: a restart of the embedded database, or a connection
 * that broke, is ridden out.
 */
const TABLE_CLIENT = { maxAttempts: 6 } as const;

/**
 * The SDK's own logging is off, and its middleware goes with it: it filters every input and output whether or not anybody
 * listens, a tenth of a stage's processor time.
 */
const LOGGER = 'loggerMiddleware';

export const dynamoClient = (): DynamoDBClient => {
  const client = new DynamoDBClient(TABLE_CLIENT);
  client.middlewareStack.remove(LOGGER);
  return client;
};

/** Of an embedded server, which makes its credentials itself. */
export const embeddedDynamoClient = (
  endpoint: string,
  region: string,
  credentials: { readonly accessKeyId: string; readonly secretAccessKey: string },
): DynamoDBClient => new DynamoDBClient({ ...TABLE_CLIENT, endpoint, region, credentials });

export type QueueClient = SQSClient;

export const sqsClient = (): QueueClient => {
  const client = new SQSClient({ ...CLIENT, useQueueUrlAsEndpoint: true });
  client.middlewareStack.remove(LOGGER);
  return client;
};

/** The client's module: it comes with Lambda's runtime, so that no bundle carries it. */
export const loadS3 = () => import('@aws-sdk/client-s3');
