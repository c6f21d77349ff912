/**
 * The few calls the stack itself makes to its DynamoDB: list, describe and create the table. Plain HTTP with credentials
 * that mean nothing, because loading the AWS SDK here would cost more memory and start-up time than all of this.
 */
import * as z from 'zod';

const Failure = z.object({ __type: z.string(), message: z.optional(z.string()) });

/** DynamoDB said no. */
export class DynamoCallError extends Error {
  override readonly name: string = 'DynamoCallError';
  /** Without namespace: `ResourceNotFoundException`. */
  readonly type: string;
  constructor(action: string, type: string, message: string) {
    super(`${action}: ${type} ${message}`);
    this.type = type;
  }
}

const CREDENTIAL = 'AWS4-HMAC-SHA256 Credential=local/20200101/us-east-1/dynamodb/aws4_request';

/** @throws DynamoCallError when refused, TypeError when nobody answers */
export const callDynamo = async (endpoint: string, action: string, input: object): Promise<unknown> => {
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${action}`,
      'x-amz-date': '20200101T000000Z',
      authorization: `${CREDENTIAL}, SignedHeaders=host, Signature=0`,
    },
    body: JSON.stringify(input),
  });
  const body: unknown = await answer.json();
  if (answer.ok) return body;
  const failure = Failure.safeParse(body);
  const type = failure.success ? failure.data.__type.slice(failure.data.__type.lastIndexOf('#') + 1) : 'Unknown';
  throw new DynamoCallError(action, type, failure.success ? (failure.data.message ?? '') : `status ${answer.status}`);
};
