/** Short-lived credentials for receiving from one queue. STS is loaded with the first use. */
import * as z from 'zod/mini';
import { UnavailableError } from '../base/errors.ts';
import { QUEUE_ACCESS_MS, SECOND_MS } from '../base/limits.ts';
import { isTransientAwsError } from './classify-store-error.ts';

const ACTIONS = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility'];

interface QueueCredentials {
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken: string;
  };
  readonly region: string;
  readonly expiresAt: number;
}

/** @param name of who uses them, for the cloud's own records. @throws UnavailableError */
export type OpenQueue = (queueUrl: string, name: string) => Promise<QueueCredentials>;

const Granted = z.object({
  AccessKeyId: z.string(),
  SecretAccessKey: z.string(),
  SessionToken: z.string(),
  Expiration: z.date(),
});

/** `https://sqs.<region>.amazonaws.com/<account>/<name>`; the partition is the role's. */
const queueArnOf = (queueUrl: string, region: string, roleArn: string): string => {
  const [account, name] = new URL(queueUrl).pathname.split('/').slice(1);
  return `arn:${roleArn.split(':')[1]}:sqs:${region}:${account}:${name}`;
};

const loadClient = async () => {
  const { AssumeRoleCommand, STSClient } = await import('@aws-sdk/client-sts');
  return { client: new STSClient({ maxAttempts: 3 }), AssumeRoleCommand };
};

export const buildOpenQueue = (roleArn: string): OpenQueue => {
  let loaded: ReturnType<typeof loadClient> | undefined;
  return async (queueUrl, name) => {
    loaded ??= loadClient();
    const { client, AssumeRoleCommand } = await loaded;
    const region = await client.config.region();
    const statement = { Effect: 'Allow', Action: ACTIONS, Resource: queueArnOf(queueUrl, region, roleArn) };
    const command = new AssumeRoleCommand({
      RoleArn: roleArn,
      // STS takes no name of one character.
      RoleSessionName: `runner-${name}`,
      DurationSeconds: QUEUE_ACCESS_MS / SECOND_MS,
      Policy: JSON.stringify({ Version: '2012-10-17', Statement: [statement] }),
    });
    try {
      const { Credentials } = await client.send(command);
      const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = Granted.parse(Credentials);
      const credentials = { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken };
      return { credentials, region, expiresAt: Expiration.getTime() };
    } catch (error) {
      throw isTransientAwsError(error)
        ? new UnavailableError('No credentials for the queue could be had. Try again later.', { cause: error })
        : error;
    }
  };
};
