/**
 * A queue with its dead-letter queue on a clock that tests set, and short forms of the requests:
 * for tests of the simulated queues.
 */
import type { QueuePlan } from '../../infra/local/wiring.ts';
import { buildQueues, type Queues } from './world/queues.ts';
import { buildRandom } from './world/random.ts';

export const MAIN = 'main.fifo';
export const DEAD = 'dead.fifo';
export const VISIBILITY_S = 30;
export const RECEIVES_MAX = 3;

export const buildPlan = (name: string, attributes: Readonly<Record<string, string>> = {}): QueuePlan => ({
  name,
  url: `http://127.0.0.1/000000000000/${name}`,
  arn: `arn:aws:sqs:us-east-1:000000000000:${name}`,
  attributes: { FifoQueue: 'true', ...attributes },
});

/** A queue and its dead-letter queue. @param prefix of both names */
export const buildPlans = (prefix = '', attributes: Readonly<Record<string, string>> = {}): [QueuePlan, QueuePlan] => {
  const dead = buildPlan(`${prefix}${DEAD}`, { VisibilityTimeout: '60' });
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: dead.arn, maxReceiveCount: RECEIVES_MAX });
  return [buildPlan(`${prefix}${MAIN}`, { VisibilityTimeout: `${VISIBILITY_S}`, RedrivePolicy, ...attributes }), dead];
};

export interface SendFields {
  readonly body?: string;
  readonly group?: string;
  readonly id?: string;
  readonly reason?: string | undefined;
}

/** The input of SendMessage, as the SDK sends it. */
export const buildSend = (url: string, { body = 'body', group = 'a', id = body, reason }: SendFields): object => ({
  QueueUrl: url,
  MessageBody: body,
  MessageGroupId: group,
  MessageDeduplicationId: id,
  ...(reason !== undefined && { MessageAttributes: { reason: { DataType: 'String', StringValue: reason } } }),
});

/** Status of the answer and its fields. */
export type Answer = Readonly<Record<string, unknown>> & { readonly status: number };

export interface QueueWorld {
  readonly queues: Queues;
  readonly plans: readonly [QueuePlan, QueuePlan];
  readonly passS: (seconds: number) => void;
  readonly request: (action: string, input: object) => Answer;
  readonly send: (fields: SendFields, url?: string) => Answer;
  readonly change: (handle: string, timeoutS: number) => Answer;
  readonly delete: (handle: string) => Answer;
  /** Bodies of what a receive of at most 10 brings. */
  readonly bodies: (queueName?: string) => readonly string[];
  /** Receipt handle of the one message that a receive brings. */
  readonly handle: () => string;
}

export interface QueueWorldOptions {
  readonly seed?: number;
  readonly isGenerous?: boolean;
  /** Of the main queue. */
  readonly attributes?: Readonly<Record<string, string>>;
}

export const buildQueueWorld = ({ seed = 1, attributes, ...options }: QueueWorldOptions = {}): QueueWorld => {
  let now = Date.UTC(2026, 0, 1);
  const plans = buildPlans('', attributes);
  const queues = buildQueues({ plans, now: () => now, random: buildRandom(seed, 'test'), ...options });
  const request: QueueWorld['request'] = (action, input) => {
    const { status, body } = queues.run({ action, body: JSON.stringify(input) });
    return { status, ...JSON.parse(body) };
  };
  const [{ url: QueueUrl }] = plans;
  return {
    queues,
    plans,
    passS: (seconds) => {
      now += seconds * 1000;
    },
    request,
    send: (fields, url = QueueUrl) => request('SendMessage', buildSend(url, fields)),
    change: (ReceiptHandle, VisibilityTimeout) =>
      request('ChangeMessageVisibility', { QueueUrl, ReceiptHandle, VisibilityTimeout }),
    delete: (ReceiptHandle) => request('DeleteMessage', { QueueUrl, ReceiptHandle }),
    bodies: (queueName = MAIN) => queues.receive(queueName, 10).map(({ Body }) => Body),
    handle: () => queues.receive(MAIN, 10)[0]?.ReceiptHandle ?? 'none',
  };
};
