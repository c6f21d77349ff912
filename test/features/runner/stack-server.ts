/**
 * The stack's side of one paired machine for tests: the requests over real HTTP, each with its
 * signature checked, and a real queue. It can be out of order for a while.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type QueueServer, startQueueServer } from '../../../infra/local/queues.ts';
import { type Order, signOrder } from '../../../lib/features/runner/order.ts';
import { isRequestOf, RUNNER_BODIES, type RunnerBody, RunnerRequest } from '../../../lib/features/runner/requests.ts';
import type { RunnerResult } from '../../../lib/features/runner/result.ts';
import { act, buildTestStack } from './orders.ts';

const REFUSAL = { error: { code: 'refused', message: 'no' } };
const REGION = 'us-east-1';

export interface StackServer {
  readonly url: string;
  /** Answers 503 while it is true. */
  isAway: boolean;
  /** Status in place of 200. */
  refusal: number | undefined;
  /** Ids that the next beats say to stop. */
  readonly stops: Set<string>;
  readonly results: readonly RunnerBody<'result'>[];
  /** How often the machine said that it ends. */
  readonly farewells: () => number;
  readonly resultOf: (job: Order) => RunnerResult | undefined;
  readonly send: (job: Order) => Promise<void>;
  readonly close: () => Promise<void>;
}

interface Parts {
  readonly queues: QueueServer;
  readonly queueUrl: string;
  readonly runnerKey: string;
  readonly stack: ReturnType<typeof buildTestStack>;
  readonly stops: ReadonlySet<string>;
}

const answer = async ({ queues, queueUrl, stack, stops }: Parts, { op, body }: RunnerRequest): Promise<unknown> => {
  switch (op) {
    case 'open':
      return {
        queueUrl,
        region: REGION,
        endpoint: queues.origin,
        credentials: { ...queues.credentials, sessionToken: 'none' },
        expiresAt: Date.now() + 900_000,
        isPaused: false,
      };
    case 'claim':
      return stack.stack.claim(RUNNER_BODIES.claim.parse(body));
    case 'beat':
      return { stop: RUNNER_BODIES.beat.parse(body).ids.filter((id) => stops.has(id)) };
    case 'result':
      return stack.stack.result(RUNNER_BODIES.result.parse(body));
    default:
      return {};
  }
};

export const startStackServer = async (runnerKey: string): Promise<StackServer> => {
  const queues = await startQueueServer(REGION);
  const queueUrl = `${queues.origin}/000000000000/runner.fifo`;
  const arn = `arn:aws:sqs:${REGION}:000000000000:runner.fifo`;
  const attributes = { FifoQueue: 'true', VisibilityTimeout: '2' };
  await queues.create({ name: 'runner.fifo', url: queueUrl, arn, attributes });
  const client = new SQSClient({ region: REGION, credentials: queues.credentials, endpoint: queues.origin });
  const stops = new Set<string>();
  const parts: Parts = { queues, queueUrl, runnerKey, stack: buildTestStack(runnerKey), stops };
  const state: { isAway: boolean; refusal: number | undefined; farewells: number } = {
    isAway: false,
    refusal: undefined,
    farewells: 0,
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    const read = RunnerRequest.safeParse(JSON.parse(text));
    const isSigned = read.success && isRequestOf(runnerKey, read.data, request.headers.authorization ?? '');
    const status = state.isAway ? 503 : (state.refusal ?? (isSigned ? 200 : 401));
    if (status === 200 && read.data?.op === 'leave') state.farewells += 1;
    const body = status === 200 && read.success ? await answer(parts, read.data) : REFUSAL;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { results } = parts.stack;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get isAway() {
      return state.isAway;
    },
    set isAway(isAway) {
      state.isAway = isAway;
    },
    get refusal() {
      return state.refusal;
    },
    set refusal(status) {
      state.refusal = status;
    },
    stops,
    results,
    farewells: () => state.farewells,
    resultOf: (job) => results.find(({ id }) => id === job.id)?.result.result,
    send: async (job) => {
      const ids = { MessageGroupId: 'den', MessageDeduplicationId: `${job.id}#${job.nonce}` };
      await client.send(
        new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify(signOrder(act, job)), ...ids }),
      );
    },
    close: async () => {
      client.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await queues.close();
    },
  };
};
