/**
 * The embedded SQS: fauxqs in this process, everything in memory (what had not ended is published
 * again at start-up). It listens nowhere itself: functions reach it through a signed server, which
 * checks their credentials, and this module's own calls go straight into it.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { buildApp } from 'fauxqs';
import * as z from 'zod';
import { LOOPBACK, startSignedServer } from './loopback-server.ts';
import { buildQueueWaits } from './queue-waits.ts';
import { type Credentials, makeCredentials } from './table-server/signature.ts';
import type { QueuePlan } from './wiring.ts';

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
  Attributes: z.record(z.string(), z.string()).default({}),
  MessageAttributes: z.record(z.string(), MessageAttribute).default({}),
});
export type QueueMessage = z.infer<typeof QueueMessage>;

const Received = z.object({ Messages: z.array(QueueMessage).default([]) });

export interface QueueServer {
  readonly origin: string;
  readonly credentials: Credentials;
  readonly create: (plan: QueuePlan) => Promise<void>;
  /** Waits until there are messages; gives none when the server closes. */
  readonly receive: (url: string, max: number) => Promise<readonly QueueMessage[]>;
  readonly remove: (url: string, receiptHandles: readonly string[]) => Promise<void>;
  /** Requests so far by action, functions' and our own: `ReceiveMessage` → 12; `EmptyReceive` says how many of them brought nothing. */
  readonly requestCounts: () => Readonly<Record<string, number>>;
  /** Ends waiting polls, then the server. */
  readonly close: () => Promise<void>;
}

/** SQS's default, for a queue that names none. */
const VISIBILITY_S = 30;

const actionOf = ({ headers }: { readonly headers: IncomingHttpHeaders }): string => {
  const target = headers['x-amz-target'];
  return typeof target === 'string' ? target.slice(target.indexOf('.') + 1) : 'other';
};

/** What fauxqs says that a client of SQS reads. */
const ANSWER_HEADER = /^content-type$|^x-amz/;

export const startQueueServer = async (
  region: string,
  credentials: Credentials = makeCredentials(),
): Promise<QueueServer> => {
  const app = buildApp({ logger: false, host: LOOPBACK, defaultRegion: region });
  const counts: Record<string, number> = {};
  app.addHook('onRequest', (request, _reply, done) => {
    const action = actionOf(request);
    counts[action] = (counts[action] ?? 0) + 1;
    done();
  });
  const waits = buildQueueWaits();
  app.addHook('onSend', (request, _reply, payload, done) => {
    waits.note(actionOf(request), request.body);
    done(null, payload);
  });
  /** Only SQS of all that fauxqs can do. */
  const pass = (target: string, payload: string | Buffer) =>
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
  const server = await startSignedServer({
    service: 'sqs',
    credentials,
    handle: (request, body, response) => {
      pass(String(request.headers['x-amz-target']), body).then(
        (answer) => {
          for (const [name, value] of Object.entries(answer.headers))
            if (ANSWER_HEADER.test(name) && value !== undefined) response.setHeader(name, value);
          response.writeHead(answer.statusCode, { 'content-length': answer.rawPayload.length }).end(answer.rawPayload);
        },
        () => response.destroy(),
      );
    },
  });

  const call = async (action: string, body: object): Promise<unknown> => {
    const answer = await pass(action, JSON.stringify(body));
    if (answer.statusCode !== 200) throw new Error(`${action} on the embedded queues: ${answer.payload.slice(0, 300)}`);
    return JSON.parse(answer.payload || '{}');
  };

  const visibilityS = new Map<string, number>();
  const look = async (url: string, max: number): Promise<readonly QueueMessage[] | undefined> => {
    const answer = await call('ReceiveMessage', {
      QueueUrl: url,
      MaxNumberOfMessages: max,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    });
    const { Messages } = Received.parse(answer);
    if (Messages.length === 0) counts.EmptyReceive = (counts.EmptyReceive ?? 0) + 1;
    const handles = Messages.map(({ ReceiptHandle }) => ReceiptHandle);
    waits.noteReceived(url, handles, visibilityS.get(url) ?? VISIBILITY_S);
    return Messages.length === 0 ? undefined : Messages;
  };

  return {
    origin: server.origin,
    credentials,
    create: async (plan) => {
      await call('CreateQueue', { QueueName: plan.name, Attributes: plan.attributes });
      visibilityS.set(plan.url, Number(plan.attributes.VisibilityTimeout ?? VISIBILITY_S));
    },
    receive: async (url, max) => (await waits.lookUntilFound(url, () => look(url, max))) ?? [],
    remove: async (url, receiptHandles) => {
      const [only, ...others] = receiptHandles;
      if (only === undefined) return;
      if (others.length === 0) {
        await call('DeleteMessage', { QueueUrl: url, ReceiptHandle: only });
        return;
      }
      const Entries = receiptHandles.map((ReceiptHandle, index) => ({ Id: `${index}`, ReceiptHandle }));
      await call('DeleteMessageBatch', { QueueUrl: url, Entries });
    },
    requestCounts: () => ({ ...counts }),
    close: async () => {
      waits.end();
      await app.close();
      await server.stop();
    },
  };
};
