/**
 * The AWS clients, made once per process. The SDK's own retries stay short: what they cannot ride out goes back to the
 * queue or is answered 503, where waiting costs nothing.
 */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';

const CLIENT = { maxAttempts: 3 } as const;

export const dynamoClient = (): DynamoDBClient => new DynamoDBClient(CLIENT);
export const sqsClient = (): SQSClient => new SQSClient({ ...CLIENT, useQueueUrlAsEndpoint: true });
