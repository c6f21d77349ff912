import { setTimeout as sleep } from 'node:timers/promises';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Context, SQSEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type QueueServer, startQueueServer } from '../../infra/local/queues.ts';
import { signRequest } from '../../infra/local/table-server/signature.ts';
import {
  alignTick,
  buildScheduleEvent,
  buildSqsEvent,
  type EventSource,
  parseSucceeded,
  startEventSource,
  startSchedule,
} from '../../infra/local/triggers.ts';
import type { QueuePlan } from '../../infra/local/wiring.ts';
import { LogMessage } from '../../lib/core/signal/messages.ts';
import { batch } from '../../lib/core/stages/batch.ts';
import { buildPostpone } from '../../lib/core/store/queue.ts';

describe('buildScheduleEvent', () => {
  it('puts the scheduled time where the template asks for it, as EventBridge writes it', () => {
    const input = '{"scheduledAt":"<aws.scheduler.scheduled-time>"}';
    expect(buildScheduleEvent(input, 1_700_000_000_000)).toStrictEqual({ scheduledAt: '2023-11-14T22:13:20Z' });
  });
});

describe('alignTick', () => {
  it.each([
    [0, 60_000, 0],
    [59_999, 60_000, 0],
    [60_000, 60_000, 60_000],
    [61_500, 1_000, 61_000],
  ])('puts %s on the grid of %s', (nowMs, intervalMs, expected) => {
    expect(alignTick(nowMs, intervalMs)).toBe(expected);
  });
});

describe('startSchedule', () => {
  it('fires on the grid, one run at a time, until stopped', async () => {
    const ticks: number[] = [];
    let running = 0;
    let runningMax = 0;
    const stop = startSchedule({
      intervalMs: 20,
      log: () => undefined,
      fire: async (scheduledAtMs) => {
        ticks.push(scheduledAtMs);
        running += 1;
        runningMax = Math.max(runningMax, running);
        await sleep(50);
        running -= 1;
      },
    });
    await expect.poll(() => ticks.length).toBeGreaterThanOrEqual(3);
    stop();
    const count = ticks.length;
    await sleep(80);
    expect(ticks.length).toBe(count);
    expect(ticks.every((tick) => tick % 20 === 0)).toBe(true);
    expect(new Set(ticks).size).toBe(count);
    expect(runningMax).toBe(1);
  });
});

const buildMessage = (id: string) => ({
  MessageId: id,
  ReceiptHandle: `receipt-${id}`,
  Body: `body ${id}`,
  MD5OfBody: 'md5',
  Attributes: { ApproximateReceiveCount: '1' },
  MessageAttributes: {},
});
/** Long beside what sending another message takes, on a slow machine too. */
const SEE_AGAIN_MS = 3_000;
const BATCH = ['a', 'b', 'c'].map(buildMessage);

describe('buildSqsEvent', () => {
  it('gives messages the form Lambda gives them', () => {
    const message = {
      ...buildMessage('a'),
      MessageAttributes: { reason: { DataType: 'String', StringValue: 'poison' } },
    };
    expect(buildSqsEvent([message], 'arn:queue', 'us-east-1')).toStrictEqual({
      Records: [
        {
          messageId: 'a',
          receiptHandle: 'receipt-a',
          body: 'body a',
          attributes: { ApproximateReceiveCount: '1' },
          messageAttributes: {
            reason: { dataType: 'String', stringValue: 'poison', stringListValues: [], binaryListValues: [] },
          },
          md5OfBody: 'md5',
          eventSource: 'aws:sqs',
          eventSourceARN: 'arn:queue',
          awsRegion: 'us-east-1',
        },
      ],
    });
  });
});

describe('parseSucceeded', () => {
  it.each<[string, unknown, string[]]>([
    ['no answer', null, ['a', 'b', 'c']],
    ['nothing at all', undefined, ['a', 'b', 'c']],
    ['an object without the list', {}, ['a', 'b', 'c']],
    ['an empty list', { batchItemFailures: [] }, ['a', 'b', 'c']],
    ['a null list', { batchItemFailures: null }, ['a', 'b', 'c']],
    ['one failure', { batchItemFailures: [{ itemIdentifier: 'b' }] }, ['a', 'c']],
    ['an unknown id', { batchItemFailures: [{ itemIdentifier: 'z' }] }, []],
    ['an empty id', { batchItemFailures: [{ itemIdentifier: '' }] }, []],
    ['a wrong key', { batchItemFailures: [{ id: 'b' }] }, []],
    ['a text', 'done', []],
  ])('judges %s as Lambda does', (_, answer, expected) => {
    expect(parseSucceeded(BATCH, answer).map(({ MessageId }) => MessageId)).toStrictEqual(expected);
  });
});

describe('startEventSource', () => {
  let server: QueueServer;
  let source: EventSource | undefined;
  let plan: QueuePlan;

  const send = async (group: string, text: string): Promise<void> => {
    const body = Buffer.from(
      JSON.stringify({
        QueueUrl: plan.url,
        MessageBody: text,
        MessageGroupId: group,
        MessageDeduplicationId: `${group}-${text}`,
      }),
    );
    const request = {
      service: 'sqs' as const,
      host: new URL(server.origin).host,
      region: 'us-east-1',
      target: 'AmazonSQS.SendMessage',
      date: '20261122T120000Z',
    };
    const { host: _, ...headers } = signRequest(server.credentials, request, body);
    const answer = await fetch(server.origin, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
  };
  const start = (batchSize: number, lanesMax: number, invoke: (bodies: string[]) => Promise<unknown>): void => {
    source = startEventSource({
      plan: { functionName: 'test', queue: plan, batchSize },
      region: 'us-east-1',
      queues: server,
      lanesMax,
      log: () => undefined,
      invoke: (event) => invoke((event as { Records: { body: string }[] }).Records.map(({ body }) => body)),
    });
  };

  beforeEach(async () => {
    server = await startQueueServer('us-east-1');
    const name = 'work.fifo';
    const url = `${server.origin}/000000000000/${name}`;
    plan = {
      name,
      url,
      arn: `arn:aws:sqs:us-east-1:000000000000:${name}`,
      attributes: { FifoQueue: 'true', VisibilityTimeout: '2' },
    };
    await server.create(plan);
  });
  afterEach(async () => {
    await source?.stop();
    await server.close();
  });

  it('keeps the order of a group across a failed message', async () => {
    const seen: string[] = [];
    start(10, 1, async (bodies) => {
      seen.push(...bodies);
      if (seen.length === 1) throw new Error('as asked');
    });
    for (const body of ['1', '2', '3']) await send('group', body);
    await expect.poll(() => seen).toStrictEqual(['1', '1', '2', '3']);
  });

  it('lets another group pass while one run takes long', async () => {
    const begun: string[] = [];
    const ended: string[] = [];
    const gate = Promise.withResolvers<void>();
    start(1, 2, async ([body = '']) => {
      begun.push(body);
      if (body === 'slow') await gate.promise;
      ended.push(body);
    });
    await send('one', 'slow');
    await expect.poll(() => begun).toContain('slow');
    await send('two', 'quick');
    await expect.poll(() => ended).toStrictEqual(['quick']);
    gate.resolve();
    await expect.poll(() => ended).toStrictEqual(['quick', 'slow']);
  });

  it('runs as many groups beside each other as have work, each in its order', async () => {
    const begun: string[] = [];
    const gate = Promise.withResolvers<void>();
    // However slow the machine is, what is held back is not seen again meanwhile.
    const attributes = { ...plan.attributes, VisibilityTimeout: '600' };
    plan = { ...plan, name: 'wide.fifo', url: plan.url.replace('work', 'wide'), attributes };
    await server.create(plan);
    start(1, 30, async ([body = '']) => {
      begun.push(body);
      if (body.endsWith('first')) await gate.promise;
    });
    const groups = Array.from({ length: 20 }, (_, index) => `g${index}`);
    for (const group of groups) {
      await send(group, `${group} first`);
      await send(group, `${group} second`);
    }
    await expect.poll(() => begun.length).toBe(groups.length);
    expect(begun).toStrictEqual(groups.map((group) => `${group} first`));
    gate.resolve();
    await expect.poll(() => begun.length).toBe(2 * groups.length);
  });

  it('sleeps while nothing comes', async () => {
    const seen: string[] = [];
    start(1, 1, async ([body = '']) => void seen.push(body));
    await expect.poll(() => server.requestCounts().EmptyReceive).toBe(1);
    await sleep(500);
    expect(server.requestCounts().EmptyReceive).toBe(1);
    await send('group', 'at last');
    await expect.poll(() => seen).toStrictEqual(['at last']);
  });

  it('says that a message came before, and finds it on the dead-letter queue when it came too often', async () => {
    const deadPlan = { ...plan, name: 'dead.fifo', url: plan.url.replace('work', 'dead') };
    const deadArn = plan.arn.replace('work', 'dead');
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: deadArn, maxReceiveCount: 2 });
    const often = { ...plan, name: 'often.fifo', url: plan.url.replace('work', 'often') };
    await server.create(deadPlan);
    await server.create({ ...often, attributes: { ...plan.attributes, VisibilityTimeout: '1', RedrivePolicy } });
    const repeats: boolean[] = [];
    const dead: string[] = [];
    const shared = { region: 'us-east-1', queues: server, lanesMax: 1, log: () => undefined };
    const bodiesOf = (event: unknown) => (event as { Records: { body: string }[] }).Records.map(({ body }) => body);
    const sources = [
      startEventSource({
        ...shared,
        plan: { functionName: 'dead', queue: { ...deadPlan, arn: deadArn }, batchSize: 1 },
        invoke: async (event) => void dead.push(...bodiesOf(event)),
      }),
      startEventSource({
        ...shared,
        plan: { functionName: 'often', queue: often, batchSize: 1 },
        invoke: async (_event, isRepeat) => {
          repeats.push(isRepeat);
          throw new Error('as asked');
        },
      }),
    ];
    plan = often;
    await send('group', 'poison');
    await expect.poll(() => dead).toStrictEqual(['poison']);
    expect(repeats).toStrictEqual([false, true]);
    await Promise.all(sources.map((one) => one.stop()));
  });

  it('brings a message back when its work asks for it, once, and holds up its own group only', async () => {
    const client = new SQSClient({
      endpoint: server.origin,
      region: 'us-east-1',
      credentials: server.credentials,
    });
    const seen: (readonly [round: number, atMs: number])[] = [];
    const startedAt = Date.now();
    const handler = batch(
      LogMessage,
      async ({ round, tickAt }, _remainingMs, seeAgain) => {
        seen.push([round, Date.now() - startedAt]);
        if (tickAt !== undefined && seen.filter(([one]) => one === round).length === 1) seeAgain(SEE_AGAIN_MS);
      },
      {
        postpone: buildPostpone(client, plan.url),
        bury: () => Promise.reject(new Error('nothing is to be buried')),
        checkData: async () => undefined,
        log: () => undefined,
      },
    );
    source = startEventSource({
      plan: { functionName: 'log', queue: { ...plan, attributes: {} }, batchSize: 10 },
      region: 'us-east-1',
      queues: server,
      lanesMax: 1,
      log: () => undefined,
      invoke: (event) => handler(event as SQSEvent, { getRemainingTimeInMillis: () => 60_000 } as Context),
    });
    const message = (round: number, tick: object) => JSON.stringify({ stage: 'log', v: 1, space: 's', round, ...tick });
    await send('s/tick', message(1, { tickAt: startedAt }));
    await send('s/tick', message(2, {}));
    await expect.poll(() => seen.length).toBe(1);
    await send('s', message(3, {}));
    await expect.poll(() => seen.map(([round]) => round)).toStrictEqual([1, 3, 1, 2]);
    const [first, , again] = seen.map(([, atMs]) => atMs);
    expect((again ?? 0) - (first ?? 0)).toBeGreaterThan(SEE_AGAIN_MS - 50);
    // The next message of its group comes next: this one does not come back a second time.
    await send('s/tick', message(4, {}));
    await expect.poll(() => seen.length).toBeGreaterThan(4);
    expect(seen.map(([round]) => round)).toStrictEqual([1, 3, 1, 2, 4]);
    client.destroy();
  });
});
