/**
 * The simulated queues and the embedded server (fauxqs) behind one interface and on one clock: both
 * read `Date.now()`, which the test sets and `passMs` moves.
 */
import type { buildApp } from 'fauxqs';
import { vi } from 'vitest';
import type { QueueMessage } from '../../infra/local/queues.ts';
import type { QueuePlan } from '../../infra/local/wiring.ts';
import type { Answer } from './queue-world.ts';
import { buildQueues } from './world/queues.ts';
import { buildRandom } from './world/random.ts';

export interface Side {
  readonly request: (action: string, input: object) => Promise<Answer>;
  readonly receive: (plan: QueuePlan, max: number) => Promise<readonly QueueMessage[]>;
  /** Messages that wait or are in flight. */
  readonly count: (plan: QueuePlan) => Promise<number>;
}

export const passMs = (ms: number): void => {
  vi.setSystemTime(Date.now() + ms);
};

export interface Model extends Side {
  readonly nextReceivableAt: (plan: QueuePlan) => number | undefined;
}

export const buildModel = (plans: readonly QueuePlan[], seed = 1, isGenerous = false): Model => {
  const queues = buildQueues({ plans, now: () => Date.now(), random: buildRandom(seed, 'test'), isGenerous });
  return {
    request: async (action, input) => {
      const { status, body } = queues.run({ action, body: JSON.stringify(input) });
      return { status, ...JSON.parse(body) };
    },
    receive: async ({ name }, max) => queues.receive(name, max),
    count: async ({ name }) => queues.countLeft(name),
    nextReceivableAt: ({ name }) => queues.nextReceivableAt(name),
  };
};

export const buildServer = async (app: ReturnType<typeof buildApp>, plans: readonly QueuePlan[]): Promise<Side> => {
  const request: Side['request'] = async (action, input) => {
    const { statusCode, payload } = await app.inject({
      method: 'POST',
      url: '/',
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${action}` },
      payload: JSON.stringify(input),
    });
    return { status: statusCode, ...JSON.parse(payload) };
  };
  for (const { name, attributes } of [...plans].reverse())
    await request('CreateQueue', { QueueName: name, Attributes: attributes });
  return {
    request,
    receive: async ({ url }, max) => {
      const all = { MessageSystemAttributeNames: ['All'], MessageAttributeNames: ['All'] };
      const { Messages = [] } = await request('ReceiveMessage', { QueueUrl: url, MaxNumberOfMessages: max, ...all });
      return Messages as readonly QueueMessage[];
    },
    count: async ({ url }) => {
      const { Attributes } = await request('GetQueueAttributes', { QueueUrl: url, AttributeNames: ['All'] });
      const counts = Attributes as Readonly<Record<string, string>>;
      return Number(counts.ApproximateNumberOfMessages) + Number(counts.ApproximateNumberOfMessagesNotVisible);
    },
  };
};
