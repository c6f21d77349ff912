/** The simulated queues keep the rules that SQS documents for FIFO queues. */
import { SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { buildBury, buildPostpone } from '../../lib/core/store/queue.ts';
import { SEED } from '../support/seed.ts';
import { buildPlan, buildQueueWorld, DEAD, MAIN, type QueueWorld, RECEIVES_MAX, VISIBILITY_S } from './queue-world.ts';
import { buildQueues } from './world/queues.ts';
import { buildRandom } from './world/random.ts';

const DAY_S = 86_400;
const REDRIVE_NEVER = JSON.stringify({ deadLetterTargetArn: buildPlan(DEAD).arn, maxReceiveCount: 1_000_000 });
const EXPIRED = {
  status: 400,
  __type: 'com.amazonaws.sqs#InvalidParameterValue',
  message: expect.stringMatching(/The receipt handle has expired/),
};
const NOT_IN_FLIGHT = {
  status: 400,
  __type: 'com.amazonaws.sqs#MessageNotInflight',
  message: expect.any(String),
};

describe('a sent message', () => {
  it('is answered, received with its attributes, and gone after a delete', () => {
    const world = buildQueueWorld();
    const sent = world.send({ body: 'one', reason: 'why' });
    world.passS(5);
    const MessageId = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    const SequenceNumber = '00000000000000000001';
    expect(sent).toStrictEqual({
      status: 200,
      MessageId,
      MD5OfMessageBody: 'f97c5d29941bfb1b2fdab0874906ab82',
      SequenceNumber,
    });
    const received = world.queues.receive(MAIN, 10);
    const start = Date.UTC(2026, 0, 1);
    expect(received).toStrictEqual([
      {
        MessageId: sent.MessageId,
        ReceiptHandle: expect.any(String),
        Body: 'one',
        MD5OfBody: 'f97c5d29941bfb1b2fdab0874906ab82',
        Attributes: {
          SenderId: '000000000000',
          SentTimestamp: `${start}`,
          ApproximateReceiveCount: '1',
          ApproximateFirstReceiveTimestamp: `${start + 5000}`,
          MessageGroupId: 'a',
          MessageDeduplicationId: 'one',
          SequenceNumber,
        },
        MessageAttributes: { reason: { DataType: 'String', StringValue: 'why' } },
      },
    ]);
    expect(world.queues.countLeft(MAIN)).toBe(1);
    world.queues.remove(
      MAIN,
      received.map(({ ReceiptHandle }) => ReceiptHandle),
    );
    expect(world.queues.countLeft(MAIN)).toBe(0);
    expect(world.queues.nextReceivableAt(MAIN)).toBeUndefined();
  });

  it.each([
    ['a body', { body: '', id: 'x' }, 'MissingParameter'],
    ['a group', { group: '' }, 'MissingParameter'],
    ['a deduplication id', { id: '' }, 'InvalidParameterValue'],
    ['a group without spaces', { group: 'a b' }, 'InvalidParameterValue'],
    ['a group of 128 characters', { group: 'a'.repeat(129) }, 'InvalidParameterValue'],
    ['a deduplication id in ASCII', { id: 'ä' }, 'InvalidParameterValue'],
    ['a body without control characters', { body: '\u0000', id: 'x' }, 'InvalidMessageContents'],
    ['a body of whole characters', { body: '\ud83d', id: 'x' }, 'InvalidMessageContents'],
    ['attributes without control characters', { reason: '\u0007' }, 'InvalidMessageContents'],
    ['a mebibyte', { body: 'é'.repeat(524_288), id: 'x', reason: 'y' }, 'InvalidParameterValue'],
  ])('needs %s', (_, fields, type) => {
    const world = buildQueueWorld();
    expect(world.send(fields)).toMatchObject({ status: 400, __type: `com.amazonaws.sqs#${type}` });
    expect(world.queues.countLeft(MAIN)).toBe(0);
  });

  it.each([
    ['128 characters of punctuation', { group: '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'.repeat(4) }],
    ['an emoji', { body: '\u{1f600}', id: 'x' }],
    ['just a mebibyte', { body: 'é'.repeat(524_288), id: 'x' }],
  ])('may have %s', (_, fields) => {
    expect(buildQueueWorld().send(fields)).toMatchObject({ status: 200 });
  });

  it('needs a queue', () => {
    expect(buildQueueWorld().send({}, 'http://127.0.0.1/000000000000/other.fifo')).toMatchObject({
      status: 400,
      __type: 'com.amazonaws.sqs#QueueDoesNotExist',
    });
  });
});

describe('deduplication', () => {
  it('answers a repeat with the first id for five minutes, even after a delete', () => {
    const world = buildQueueWorld();
    const first = world.send({ body: 'one', id: 'x' });
    expect(world.delete(world.handle())).toStrictEqual({ status: 200 });
    world.passS(299);
    expect(world.send({ body: 'two', id: 'x' })).toMatchObject({
      status: 200,
      MessageId: first.MessageId,
      SequenceNumber: first.SequenceNumber,
    });
    expect(world.queues.countLeft(MAIN)).toBe(0);
    // The repeat has not begun the five minutes anew.
    world.passS(1);
    expect(world.send({ body: 'three', id: 'x' }).MessageId).not.toBe(first.MessageId);
    expect(world.bodies()).toStrictEqual(['three']);
  });

  it.each([
    ['queue', 1],
    ['messageGroup', 2],
  ])('has the scope %s', (DeduplicationScope, count) => {
    const world = buildQueueWorld({ attributes: { DeduplicationScope } });
    world.send({ id: 'x', group: 'a' });
    world.send({ id: 'x', group: 'b' });
    world.send({ id: 'x', group: 'b' });
    expect(world.queues.countLeft(MAIN)).toBe(count);
  });
});

describe('visibility', () => {
  const received = (): { world: QueueWorld; handle: string } => {
    const world = buildQueueWorld();
    world.send({ body: 'one' });
    return { world, handle: world.handle() };
  };

  it('ends at the timeout of the queue, when the message comes again', () => {
    const { world, handle } = received();
    world.passS(VISIBILITY_S - 0.001);
    expect(world.bodies()).toStrictEqual([]);
    world.passS(0.001);
    const [again] = world.queues.receive(MAIN, 10);
    expect(again?.ReceiptHandle).not.toBe(handle);
    expect(again?.Attributes).toMatchObject({
      ApproximateReceiveCount: '2',
      ApproximateFirstReceiveTimestamp: `${Date.UTC(2026, 0, 1)}`,
    });
  });

  it.each([0, 10, 100])('is set from now on by a change to %i s', (timeoutS) => {
    const { world, handle } = received();
    world.passS(20);
    expect(world.change(handle, timeoutS)).toStrictEqual({ status: 200 });
    const at = Date.UTC(2026, 0, 1) + (20 + timeoutS) * 1000;
    expect(world.queues.nextReceivableAt(MAIN)).toBe(at);
    world.passS(timeoutS);
    expect(world.bodies()).toStrictEqual(['one']);
    // The next receive has the queue's own timeout again.
    expect(world.queues.nextReceivableAt(MAIN)).toBe(at + VISIBILITY_S * 1000);
  });

  it.each([-1, 1.5, 43_201])('is not changed to %d s', (timeoutS) => {
    const { world, handle } = received();
    expect(world.change(handle, timeoutS)).toMatchObject({ status: 400 });
    world.passS(VISIBILITY_S);
    expect(world.bodies()).toStrictEqual(['one']);
  });

  it('lasts 12 hours from the receive at most', () => {
    const { world, handle } = received();
    expect(world.change(handle, 43_200)).toStrictEqual({ status: 200 });
    world.passS(10);
    expect(world.change(handle, 43_191)).toMatchObject({ status: 400, message: expect.stringMatching(/Total/) });
    expect(world.change(handle, 43_190)).toStrictEqual({ status: 200 });
  });
});

describe('a receipt handle', () => {
  it.each([
    ['the timeout has run out', (world: QueueWorld) => world.passS(VISIBILITY_S)],
    [
      'the message was received again',
      (world: QueueWorld) => {
        world.passS(VISIBILITY_S);
        world.bodies();
      },
    ],
    ['the message was made visible', (world: QueueWorld, handle: string) => world.change(handle, 0)],
  ])('expires when %s', (_, expire) => {
    const world = buildQueueWorld();
    world.send({ body: 'one' });
    const handle = world.handle();
    expire(world, handle);
    const nextAt = world.queues.nextReceivableAt(MAIN);
    expect(world.delete(handle)).toStrictEqual(EXPIRED);
    expect(world.change(handle, 0)).toStrictEqual(NOT_IN_FLIGHT);
    world.queues.remove(MAIN, [handle]);
    expect([world.queues.countLeft(MAIN), world.queues.nextReceivableAt(MAIN)]).toStrictEqual([1, nextAt]);
  });

  it('deletes twice, because an answer may be lost, and changes nothing then', () => {
    const world = buildQueueWorld();
    world.send({ body: 'one' });
    const handle = world.handle();
    expect(world.delete(handle)).toStrictEqual({ status: 200 });
    expect(world.delete(handle)).toStrictEqual({ status: 200 });
    expect(world.change(handle, 5)).toStrictEqual(NOT_IN_FLIGHT);
  });

  it('is one that this queue gave', () => {
    expect(buildQueueWorld().delete('made-up')).toMatchObject({
      status: 400,
      __type: 'com.amazonaws.sqs#ReceiptHandleIsInvalid',
    });
  });
});

describe('a group', () => {
  it('waits while one of its messages is in flight, and others do not', () => {
    const world = buildQueueWorld();
    for (const body of ['a1', 'a2', 'b1', 'b2']) world.send({ body, group: body.slice(0, 1) });
    expect([...world.bodies()].sort()).toStrictEqual(['a1', 'b1']);
    expect(world.bodies()).toStrictEqual([]);
    world.passS(VISIBILITY_S);
    const again = world.queues.receive(MAIN, 10);
    const handles = again.filter(({ Body }) => Body === 'a1').map(({ ReceiptHandle }) => ReceiptHandle);
    world.queues.remove(MAIN, handles);
    expect(world.bodies()).toStrictEqual(['a2']);
  });

  it('waits for the last of several messages in flight', () => {
    const world = buildQueueWorld({ isGenerous: true, attributes: { RedrivePolicy: REDRIVE_NEVER } });
    for (const body of ['a1', 'a2']) world.send({ body });
    let batch = world.queues.receive(MAIN, 10);
    for (let round = 0; batch.length < 2 && round < 100; round += 1) {
      world.passS(VISIBILITY_S);
      batch = world.queues.receive(MAIN, 10);
    }
    expect(batch.map(({ Body }) => Body)).toStrictEqual(['a1', 'a2']);
    world.change(batch[0]?.ReceiptHandle ?? '', 0);
    expect(world.bodies()).toStrictEqual([]);
    world.delete(batch[1]?.ReceiptHandle ?? '');
    expect(world.bodies()).toStrictEqual(['a1']);
  });
});

describe('the dead-letter queue', () => {
  const giveUp = (world: QueueWorld): void => {
    for (let receive = 0; receive < RECEIVES_MAX; receive += 1) {
      expect(world.bodies()).toStrictEqual(['one']);
      world.passS(VISIBILITY_S);
    }
  };

  it('gets a message that would be received once more, and the next of its group comes', () => {
    const world = buildQueueWorld();
    const sent = world.send({ body: 'one', reason: 'why' });
    world.send({ body: 'two' });
    giveUp(world);
    expect(world.bodies()).toStrictEqual(['two']);
    expect(world.queues.receive(DEAD, 10)).toMatchObject([
      {
        MessageId: sent.MessageId,
        Body: 'one',
        Attributes: { MessageGroupId: 'a', ApproximateReceiveCount: `${RECEIVES_MAX + 1}` },
        MessageAttributes: { reason: { StringValue: 'why' } },
      },
    ]);
  });

  it('keeps messages for its own retention from the move on', () => {
    const world = buildQueueWorld();
    world.send({ body: 'one' });
    world.passS(3 * DAY_S);
    giveUp(world);
    expect(world.bodies()).toStrictEqual([]);
    world.passS(4 * DAY_S - 1);
    expect(world.queues.countLeft(DEAD)).toBe(1);
    world.passS(1);
    expect([world.queues.countLeft(DEAD), world.bodies(DEAD)]).toStrictEqual([0, []]);
  });

  it('is among the plans', () => {
    const [main] = buildQueueWorld().plans;
    const options = { now: () => 0, random: buildRandom(1, 'test') };
    expect(() => buildQueues({ plans: [main], ...options })).toThrow(/dead.fifo/);
    expect(() => buildQueues({ plans: [buildPlan('plain', { FifoQueue: 'false' })], ...options })).toThrow(/plain/);
  });
});

describe('retention', () => {
  it('ends a message, in flight or not', () => {
    const world = buildQueueWorld({ attributes: { MessageRetentionPeriod: '60' } });
    world.send({ body: 'one' });
    world.send({ body: 'two', group: 'b' });
    world.passS(50);
    const handles = world.queues.receive(MAIN, 1).map(({ ReceiptHandle }) => ReceiptHandle);
    expect(handles).toHaveLength(1);
    world.passS(10);
    expect([world.queues.countLeft(MAIN), world.queues.nextReceivableAt(MAIN)]).toStrictEqual([0, undefined]);
    expect(world.bodies()).toStrictEqual([]);
  });
});

describe('the SDK', () => {
  it('sends and postpones through the product’s own functions', async () => {
    const world = buildQueueWorld();
    const client = new SQSClient({
      region: 'us-east-1',
      endpoint: 'http://127.0.0.1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      requestHandler: {
        handle: async ({ headers, body }: { headers: Record<string, string>; body: Uint8Array }) => {
          const answer = world.queues.run({
            action: headers['x-amz-target']?.split('.')[1] ?? '',
            body: new TextDecoder().decode(body),
          });
          return { response: { statusCode: answer.status, headers: {}, body: Buffer.from(answer.body) } };
        },
      },
    });
    const [{ url }] = world.plans;
    await buildBury(client, { QUEUE_URL: url, DLQ_URL: url })(
      '{"text":"ä"}',
      'a',
      'message-1',
      `a bell \u0007 ${'😀'.repeat(300)}`,
    );
    const [message] = world.queues.receive(MAIN, 10);
    // A character that SQS refuses, and half of a pair at the cut, would lose the whole message.
    const reason = `a bell \uFFFD ${'😀'.repeat(245)}\uFFFD`;
    expect([message?.Body, message?.MessageAttributes.reason?.StringValue]).toStrictEqual(['{"text":"ä"}', reason]);
    const postpone = buildPostpone(client, url);
    await postpone(message?.ReceiptHandle ?? '', 5);
    world.passS(5);
    await expect(postpone(message?.ReceiptHandle ?? '', 5)).rejects.toMatchObject({ name: 'MessageNotInflight' });
    client.destroy();
  });
});

/** A message as its sender and its reader know it. */
interface Known {
  readonly body: string;
  readonly group: string;
  handle: string;
  hiddenUntilS: number;
}

/** One run of random sends, deletes and receives; gives the batches, each as its groups. */
const runGenerously = (seed: number): readonly string[][] => {
  const random = buildRandom(seed, 'test');
  const world = buildQueueWorld({ seed, isGenerous: true, attributes: { RedrivePolicy: REDRIVE_NEVER } });
  const batches: string[][] = [];
  let known: Known[] = [];
  let nowS = 0;
  const takeBatch = (max: number): void => {
    const open = known.filter(({ group }) => known.every((one) => one.group !== group || one.hiddenUntilS <= nowS));
    const batch = world.queues.receive(MAIN, max);
    expect(batch.length > 0, 'it brings something if a group is open').toBe(open.length > 0);
    expect(batch.length).toBeLessThanOrEqual(max);
    for (const group of new Set(batch.map(({ Attributes }) => Attributes.MessageGroupId))) {
      const taken = batch.filter(({ Attributes }) => Attributes.MessageGroupId === group).map(({ Body }) => Body);
      const waiting = open.filter((one) => one.group === group).map(({ body }) => body);
      expect(taken, 'the first of an open group').toStrictEqual(waiting.slice(0, taken.length));
    }
    for (const { Body, ReceiptHandle } of batch)
      for (const one of known.filter(({ body }) => body === Body))
        Object.assign(one, { handle: ReceiptHandle, hiddenUntilS: nowS + VISIBILITY_S });
    batches.push(batch.map(({ Attributes }) => Attributes.MessageGroupId ?? ''));
  };
  for (let step = 0; step < 150; step += 1) {
    const body = `${step}`;
    const group = random.pick(['a', 'b', 'c']);
    const seconds = random.below(20);
    const one = known[random.below(known.length)];
    switch (random.pick(['send', 'send', 'receive', 'delete', 'pass'])) {
      case 'send':
        world.send({ body, group });
        known.push({ body, group, handle: '', hiddenUntilS: 0 });
        break;
      case 'receive':
        takeBatch(1 + random.below(10));
        break;
      case 'delete':
        if (one === undefined || one.handle === '') break;
        world.delete(one.handle);
        if (one.hiddenUntilS > nowS) known = known.filter((other) => other !== one);
        break;
      default:
        world.passS(seconds);
        nowS += seconds;
    }
    expect(world.queues.countLeft(MAIN)).toBe(known.length);
  }
  return batches;
};

describe('a generous receive', () => {
  it('brings the first messages of open groups, and chooses how many', () => {
    const batches = Array.from({ length: 40 }, (_, index) => runGenerously(SEED + index)).flat();
    const groupCounts = batches.map((groups) => new Set(groups).size);
    // What SQS may do is done at least once.
    expect(batches.some((groups, index) => groups.length > (groupCounts[index] ?? 0))).toBe(true);
    expect(new Set(groupCounts)).toStrictEqual(new Set([0, 1, 2, 3]));
  });
});
