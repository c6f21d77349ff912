/**
 * Receives from one queue with credentials that were lent for it: the only way a machine outside
 * the stack reads anything of AWS. Waits long, takes one message, and deletes it when told.
 */
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { UnavailableError } from '../base/errors.ts';

/** SQS's longest wait: an idle machine asks three times a minute. */
const RECEIVE_WAIT_S = 20;
const ATTEMPTS = 2;

export interface LentQueue {
  readonly queueUrl: string;
  readonly region: string;
  readonly endpoint?: string | undefined;
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken: string;
  };
}

export interface ReceivedMessage {
  readonly body: string;
  /** It does not come again. */
  readonly remove: () => Promise<void>;
}

export interface Receiver {
  /** @returns undefined if none came in time @throws UnavailableError */
  readonly receive: () => Promise<ReceivedMessage | undefined>;
  /** Ends a wait at once. */
  readonly close: () => void;
}

export const buildReceiver = ({ queueUrl, region, endpoint, credentials }: LentQueue): Receiver => {
  const place = endpoint === undefined ? {} : { endpoint };
  const client = new SQSClient({ region, credentials, maxAttempts: ATTEMPTS, useQueueUrlAsEndpoint: true, ...place });
  const asked = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      throw new UnavailableError('The queue of this runner did not answer.', { cause: error });
    }
  };
  const ending = new AbortController();
  const receive = async (): Promise<ReceivedMessage | undefined> => {
    const command = new ReceiveMessageCommand({ QueueUrl: queueUrl, WaitTimeSeconds: RECEIVE_WAIT_S });
    const { Messages = [] } = await asked(client.send(command, { abortSignal: ending.signal }));
    const [message] = Messages;
    if (message?.Body === undefined || message.ReceiptHandle === undefined) return undefined;
    const { Body: body, ReceiptHandle } = message;
    const remove = async (): Promise<void> => {
      await asked(client.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle })));
    };
    return { body, remove };
  };
  const close = (): void => {
    ending.abort();
    client.destroy();
  };
  return { receive, close };
};
