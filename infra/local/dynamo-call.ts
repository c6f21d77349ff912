/**
 * The few calls the stack itself makes to its DynamoDB: describe and create the table. Plain signed
 * HTTP, because loading the AWS SDK here would cost more memory and start-up time than all of this.
 */
import * as z from 'zod';
import { type Credentials, signRequest } from './table-server/signature.ts';

/** Where a table is served, and with which credentials requests are signed. */
export interface TableAccess {
  readonly endpoint: string;
  readonly credentials: Credentials;
}

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

/** @throws DynamoCallError when refused, TypeError when nobody answers */
export const callDynamo = async (access: TableAccess, action: string, input: object): Promise<unknown> => {
  const body = Buffer.from(JSON.stringify(input));
  const request = {
    service: 'dynamodb' as const,
    host: new URL(access.endpoint).host,
    region: 'us-east-1',
    target: `DynamoDB_20120810.${action}`,
    date: new Date().toISOString().replace(/[:-]|\.\d+/g, ''),
  };
  const { host: _, ...signed } = signRequest(access.credentials, request, body);
  const headers = { ...signed, 'content-type': 'application/x-amz-json-1.0' };
  const answer = await fetch(access.endpoint, { method: 'POST', headers, body });
  const answered: unknown = await answer.json();
  if (answer.ok) return answered;
  const failure = Failure.safeParse(answered);
  const type = failure.success ? failure.data.__type.slice(failure.data.__type.lastIndexOf('#') + 1) : 'Unknown';
  throw new DynamoCallError(action, type, failure.success ? (failure.data.message ?? '') : `status ${answer.status}`);
};
