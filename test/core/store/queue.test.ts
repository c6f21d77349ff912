/**
 * Requests to the queues whose answers are lost, over the embedded server behind a proxy that loses
 * them. A send carries a deduplication id, so that its repeat is swallowed. A received message
 * nobody heard of comes again when its visibility ends. Deleting and postponing change nothing the
 * second time.
 */
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type QueueServer, startQueueServer } from '../../../infra/local/queues.ts';
import {
  buildBury,
  buildPostpone,
  buildPublish,
  buildPublishForgetAgain,
  buildPublishLog,
} from '../../../lib/core/store/queue.ts';
import { type LosingProxy, startLosingProxy } from '../../support/losing-proxy.ts';

const VISIBILITY_S = 2;

let queues: QueueServer;
let proxy: LosingProxy;
/** Sends through the proxy, as the functions' client does. */
let client: SQSClient;
let url: string;
let made = 0;
beforeAll(async () => {
  queues = await startQueueServer('us-east-1');
  proxy = await startLosingProxy(queues.origin, queues.credentials);
  client = new SQSClient({
    maxAttempts: 3,
    endpoint: proxy.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
});
afterAll(async () => {
  client?.destroy();
  await proxy?.stop();
  await queues?.close();
});
beforeEach(async () => {
  made += 1;
  const name = `queue-${made}.fifo`;
  url = `${proxy.endpoint}/000000000000/${name}`;
  const attributes = { FifoQueue: 'true', VisibilityTimeout: `${VISIBILITY_S}` };
  await queues.create({ name, url, arn: `arn:aws:sqs:us-east-1:000000000000:${name}`, attributes });
  proxy.lose(() => false);
});

const loseFirst = (lost: string): void => {
  let isFirst = true;
  proxy.lose((action) => {
    const isLost = action === lost && isFirst;
    if (isLost) isFirst = false;
    return isLost;
  });
};
const receive = async () => {
  const { Messages = [] } = await client.send(
    new ReceiveMessageCommand({
      QueueUrl: url,
      MaxNumberOfMessages: 10,
      WaitTimeSeconds: 2 * VISIBILITY_S,
      MessageSystemAttributeNames: ['All'],
    }),
  );
  return Messages;
};
/** Messages in the queue, seen or not. */
const count = async (): Promise<number> => {
  const { Attributes } = await client.send(new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['All'] }));
  const { ApproximateNumberOfMessages: seen, ApproximateNumberOfMessagesNotVisible: hidden } = Attributes ?? {};
  return Number(seen) + Number(hidden);
};
const put = () =>
  client.send(
    new SendMessageCommand({ QueueUrl: url, MessageBody: 'm', MessageGroupId: 'g', MessageDeduplicationId: 'd' }),
  );

describe('an answer lost', () => {
  it.each<[string, () => Promise<void>]>([
    [
      'buildPublish',
      () =>
        buildPublish(client, url)(
          { stage: 'perceive', v: 1, space: 'home', session: 'telegram:7', signalId: 'tg-1-1' },
          'perceive:0',
        ),
    ],
    ['buildPublishLog', () => buildPublishLog(client, url, 'home')('tick-1')],
    ['buildPublishForgetAgain', () => buildPublishForgetAgain(client, url, 'home')('tick-1')],
    ['buildBury', () => buildBury(client, { QUEUE_URL: url, DLQ_URL: url })('{}', 'g', 'message-1', 'why')],
  ])('of a send leaves one message: %s', async (_name, send) => {
    loseFirst('SendMessage');
    await send();
    expect(proxy.lost()).toStrictEqual(['SendMessage']);
    expect(await count()).toBe(1);
  });

  it('of a receive brings the message again when its visibility ends, as one more delivery', async () => {
    await put();
    loseFirst('ReceiveMessage');
    let messages = await receive();
    while (messages.length === 0) messages = await receive();
    expect(proxy.lost()).toStrictEqual(['ReceiveMessage']);
    expect(messages.map(({ Body, Attributes }) => [Body, Attributes?.ApproximateReceiveCount])).toStrictEqual([
      ['m', '2'],
    ]);
  });

  it('of a delete leaves nothing', async () => {
    await put();
    const [message] = await receive();
    loseFirst('DeleteMessage');
    await client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: message?.ReceiptHandle }));
    expect(proxy.lost()).toStrictEqual(['DeleteMessage']);
    expect(await count()).toBe(0);
  });

  it('of a postponement leaves the message postponed', async () => {
    await put();
    const [message] = await receive();
    loseFirst('ChangeMessageVisibility');
    await buildPostpone(client, url)(message?.ReceiptHandle ?? '', 60);
    expect(proxy.lost()).toStrictEqual(['ChangeMessageVisibility']);
    // Its own visibility would have ended by now.
    expect(await receive()).toStrictEqual([]);
    expect(await count()).toBe(1);
  });
});
