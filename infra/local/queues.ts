/**
 * The embedded SQS: fauxqs, in memory. A start publishes again what had not ended. It listens
 * nowhere itself: functions reach it through a signed server.
 */

import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { buildApp } from 'fauxqs';
import * as z from 'zod/mini';
import { LOOPBACK, startSignedServer } from './loopback-server.ts';
import { startQueueGrants } from './queue-grants.ts';
import { type Credentials, makeCredentials } from './table-server/signature.ts';
import type { AnswerWire } from './wire.ts';
import type { QueuePlan } from './wiring.ts';

const Entry = z.object({ ReceiptHandle: z.optional(z.string()), VisibilityTimeout: z.optional(z.number()) });
/** A request on a queue, alone or a batch of them. */
const QueueRequest = z.object({ QueueUrl: z.string(), ...Entry.shape, Entries: z.optional(z.array(Entry)) });

/** A queue as its readers wait for it. */
interface Queue {
  readonly visibilityS: number;
  /** By receipt handle, when each message in flight becomes visible again, epoch milliseconds. */
  readonly backAt: Map<string, number>;
  /** Each ends the sleep of one reader. */
  readonly wakes: Set<() => void>;
  /** Counts what may have made a message visible, so that nothing is missed before a sleep. */
  version: number;
  /** At most so many messages were sent and not received yet. */
  backlog: number;
  /** A message came back, and no look since then has found the queue empty. */
  hasReturned: boolean;
}

const buildQueue = (visibilityS: number): Queue => ({
  visibilityS,
  backAt: new Map(),
  wakes: new Set(),
  version: 0,
  backlog: 0,
  hasReturned: false,
});

const wake = (queue: Queue): void => {
  queue.version += 1;
  for (const end of [...queue.wakes]) end();
};

/** Until somebody wakes the queue, or a message in flight comes back. */
const sleepUntilWoken = (queue: Queue, until: number): Promise<void> =>
  new Promise((resolve) => {
    const backAt = Math.min(until, ...queue.backAt.values());
    const timer = Number.isFinite(backAt) ? setTimeout(() => end(), Math.max(1, backAt - Date.now())) : undefined;
    const end = (): void => {
      clearTimeout(timer);
      queue.wakes.delete(end);
      resolve();
    };
    queue.wakes.add(end);
  });

const dropReturned = (queue: Queue): void => {
  const returned = [...queue.backAt].filter(([, at]) => at <= Date.now());
  for (const [handle] of returned) queue.backAt.delete(handle);
  queue.backlog += returned.length;
  queue.hasReturned ||= returned.length > 0;
};

const noteRequest = (queue: Queue, action: string, entries: readonly z.infer<typeof Entry>[]): void => {
  switch (action.replace(/Batch$/, '')) {
    case 'SendMessage':
      queue.backlog += entries.length;
      wake(queue);
      return;
    case 'ChangeMessageVisibility':
      for (const { ReceiptHandle = '', VisibilityTimeout = 0 } of entries)
        queue.backAt.set(ReceiptHandle, Date.now() + VisibilityTimeout * 1000);
      wake(queue);
      return;
    case 'DeleteMessage':
      for (const { ReceiptHandle = '' } of entries) queue.backAt.delete(ReceiptHandle);
      // It frees its group. If nothing was sent, nothing waits there.
      if (queue.backlog > 0) wake(queue);
  }
};

const MessageAttribute = z.object({
  DataType: z.string(),
  StringValue: z.optional(z.string()),
  BinaryValue: z.optional(z.string()),
});

const QueueMessage = z.object({
  MessageId: z.string(),
  ReceiptHandle: z.string(),
  Body: z.string(),
  MD5OfBody: z.string(),
  Attributes: z._default(z.record(z.string(), z.string()), {}),
  MessageAttributes: z._default(z.record(z.string(), MessageAttribute), {}),
});
export type QueueMessage = z.infer<typeof QueueMessage>;

const Received = z.object({ Messages: z._default(z.array(QueueMessage), []) });

export interface QueueServer {
  readonly origin: string;
  /** Gives credentials for one queue, as STS does. */
  readonly stsOrigin: string;
  readonly credentials: Credentials;
  readonly create: (plan: QueuePlan) => Promise<void>;
  /** Without long polls: no function has one. */
  readonly answer: AnswerWire;
  /** Waits until there are messages; gives none when the server closes. */
  readonly receive: (url: string, max: number) => Promise<readonly QueueMessage[]>;
  readonly remove: (url: string, receiptHandles: readonly string[]) => Promise<void>;
  /** The functions' and our own. `EmptyReceive` counts those that brought nothing. */
  readonly requestCounts: () => Readonly<Record<string, number>>;
  /** Ends waiting polls, then the server. */
  readonly close: () => Promise<void>;
}

/** SQS's default, for a queue that names none. */
const VISIBILITY_S = 30;

/** The headers of fauxqs that a client of SQS reads. */
const ANSWER_HEADER = /^content-type$|^x-amz/;

const actionOf = ({ headers }: { readonly headers: IncomingHttpHeaders }): string => {
  const target = headers['x-amz-target'];
  return typeof target === 'string' ? target.slice(target.indexOf('.') + 1) : 'other';
};

interface Server {
  readonly app: ReturnType<typeof buildApp>;
  readonly counts: Record<string, number>;
  readonly queues: Map<string, Queue>;
  isOver: boolean;
}

const queueOf = ({ queues }: Server, url: string): Queue => {
  const queue = queues.get(url) ?? buildQueue(VISIBILITY_S);
  queues.set(url, queue);
  return queue;
};

const wakeAll = ({ queues }: Server): void => {
  for (const queue of queues.values()) wake(queue);
};

const buildServer = (region: string): Server => {
  const app = buildApp({ logger: false, host: LOOPBACK, defaultRegion: region });
  const server: Server = { app, counts: {}, queues: new Map(), isOver: false };
  app.addHook('onRequest', (request, _reply, done) => {
    const action = actionOf(request);
    server.counts[action] = (server.counts[action] ?? 0) + 1;
    done();
  });
  app.addHook('onSend', (request, _reply, payload, done) => {
    const { data } = QueueRequest.safeParse(request.body);
    if (data !== undefined) noteRequest(queueOf(server, data.QueueUrl), actionOf(request), data.Entries ?? [data]);
    done(null, payload);
  });
  return server;
};

/** Passes a request into fauxqs, of which only SQS is reached. */
const passRequest = ({ app }: Server, target: string, payload: string | Buffer) =>
  app.inject({
    method: 'POST',
    url: '/',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `AmazonSQS.${target.slice(target.indexOf('.') + 1)}`,
      host: LOOPBACK,
    },
    payload,
  });

const callQueues = async (server: Server, action: string, body: object): Promise<unknown> => {
  const answer = await passRequest(server, action, JSON.stringify(body));
  if (answer.statusCode !== 200) throw new Error(`${action} on the embedded queues: ${answer.payload.slice(0, 300)}`);
  return JSON.parse(answer.payload || '{}');
};

/**
 * Looks again whenever a message may have become visible: fauxqs' polls would look at each queue 50
 * times a second. It ends when its reader is gone, so that it takes no message along.
 */
const poll = async (
  server: Server,
  request: { readonly QueueUrl: string; readonly VisibilityTimeout?: number | undefined },
  until: number,
  isGone: () => boolean,
) => {
  const queue = queueOf(server, request.QueueUrl);
  for (;;) {
    const { version } = queue;
    dropReturned(queue);
    const answer = await passRequest(server, 'ReceiveMessage', JSON.stringify({ ...request, WaitTimeSeconds: 0 }));
    const { data } = answer.statusCode === 200 ? Received.safeParse(answer.json()) : {};
    const messages = data?.Messages ?? [];
    if (messages.length === 0) server.counts.EmptyReceive = (server.counts.EmptyReceive ?? 0) + 1;
    queue.backlog = Math.max(0, queue.backlog - messages.length);
    const visibilityS = request.VisibilityTimeout ?? queue.visibilityS;
    for (const { ReceiptHandle } of messages) queue.backAt.set(ReceiptHandle, Date.now() + visibilityS * 1000);
    // A look moves a message that came back too often to its dead-letter queue, whose readers
    // sleep.
    if (queue.hasReturned) wakeAll(server);
    if (data === undefined || messages.length > 0 || isGone() || Date.now() >= until) return { answer, messages };
    queue.hasReturned = false;
    if (queue.version !== version) continue;
    if (queue.backAt.size === 0) queue.backlog = 0;
    await sleepUntilWoken(queue, until);
    if (isGone()) return { answer, messages };
  }
};

const receive = async (server: Server, QueueUrl: string, max: number): Promise<readonly QueueMessage[]> => {
  if (server.isOver) return [];
  const wanted = { MaxNumberOfMessages: max, MessageSystemAttributeNames: ['All'], MessageAttributeNames: ['All'] };
  const { answer, messages } = await poll(
    server,
    { QueueUrl, ...wanted },
    Number.POSITIVE_INFINITY,
    () => server.isOver,
  );
  if (answer.statusCode !== 200) throw new Error(`the embedded queues: ${answer.payload.slice(0, 300)}`);
  return messages;
};

const LongPoll = z.looseObject({
  QueueUrl: z.string(),
  WaitTimeSeconds: z.number().check(z.minimum(1), z.maximum(20)),
  VisibilityTimeout: z.optional(z.number()),
});

const headersOf = (answer: { readonly headers: OutgoingHttpHeaders }): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(answer.headers).flatMap(([name, value]) =>
      ANSWER_HEADER.test(name) && value !== undefined ? [[name, String(value)]] : [],
    ),
  );

/** Answers a request of a program outside, or of a function that comes by HTTP. */
const answerRequest = async (server: Server, request: IncomingMessage, body: Buffer, response: ServerResponse) => {
  const target = String(request.headers['x-amz-target']);
  const { data } = actionOf(request) === 'ReceiveMessage' ? LongPoll.safeParse(JSON.parse(body.toString('utf8'))) : {};
  if (data === undefined) return passRequest(server, target, body);
  response.once('close', () => wake(queueOf(server, data.QueueUrl)));
  const until = Date.now() + data.WaitTimeSeconds * 1000;
  return (await poll(server, data, until, () => server.isOver || response.destroyed || response.closed)).answer;
};

const remove = async (server: Server, QueueUrl: string, receiptHandles: readonly string[]): Promise<void> => {
  const [only, ...others] = receiptHandles;
  if (only === undefined) return;
  if (others.length === 0) {
    await callQueues(server, 'DeleteMessage', { QueueUrl, ReceiptHandle: only });
    return;
  }
  const Entries = receiptHandles.map((ReceiptHandle, index) => ({ Id: `${index}`, ReceiptHandle }));
  await callQueues(server, 'DeleteMessageBatch', { QueueUrl, Entries });
};

export const startQueueServer = async (
  region: string,
  credentials: Credentials = makeCredentials(),
): Promise<QueueServer> => {
  const server = buildServer(region);
  const grants = await startQueueGrants(credentials);
  const front = await startSignedServer({
    service: 'sqs',
    credentials,
    isGranted: grants.isGranted,
    handle: (request, body, response) => {
      answerRequest(server, request, body, response).then(
        (answer) => {
          const headers = { ...headersOf(answer), 'content-length': answer.rawPayload.length };
          response.writeHead(answer.statusCode, headers).end(answer.rawPayload);
        },
        () => response.destroy(),
      );
    },
  });
  return {
    origin: front.origin,
    stsOrigin: grants.origin,
    credentials,
    create: async (plan) => {
      await callQueues(server, 'CreateQueue', { QueueName: plan.name, Attributes: plan.attributes });
      const visibilityS = Number(plan.attributes.VisibilityTimeout ?? VISIBILITY_S);
      server.queues.set(plan.url, buildQueue(visibilityS));
    },
    answer: async (target, body) => {
      const answer = await passRequest(server, target, body);
      return { status: answer.statusCode, headers: headersOf(answer), body: answer.payload };
    },
    receive: (url, max) => receive(server, url, max),
    remove: (url, receiptHandles) => remove(server, url, receiptHandles),
    requestCounts: () => ({ ...server.counts }),
    close: async () => {
      server.isOver = true;
      wakeAll(server);
      await server.app.close();
      await Promise.all([front.stop(), grants.stop()]);
    },
  };
};
