/**
 * One function as the cloud runs it: a process with nothing else in it, a network that takes time,
 * and the messages of `infra/local/run-functions.ts`. Started by `cloud-place.ts`, which bounds its
 * share of a processor. It ends with its parent.
 */
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { FunctionInput, ParentMessage, WorkerMessage } from '../../infra/local/run-functions.ts';

/** Added to each answer of the table and of the queues: a region's, by the SDK's own metrics. */
const TABLE_MS = 1;
const QUEUE_MS = 3;

type Handler = (event: unknown, context: object) => Promise<unknown>;

const send = (message: WorkerMessage): void => void process.send?.(message);

const delayOf = ({ AWS_ENDPOINT_URL_SQS, AWS_ENDPOINT_URL_DYNAMODB }: NodeJS.ProcessEnv, port: unknown): number => {
  const isAt = (url: string | undefined): boolean => url !== undefined && new URL(url).port === String(port);
  if (isAt(AWS_ENDPOINT_URL_DYNAMODB)) return TABLE_MS;
  return isAt(AWS_ENDPOINT_URL_SQS) ? QUEUE_MS : 0;
};

const slowDown = (): void => {
  const { request } = http;
  /** The SDK calls it with options and a callback. */
  const slow = (...args: readonly unknown[]): http.ClientRequest => {
    const [options, done] = args;
    const delay =
      typeof options === 'object' && options !== null && 'port' in options ? delayOf(process.env, options.port) : 0;
    if (delay === 0 || typeof done !== 'function') return Reflect.apply(request, http, args);
    return request(options as http.RequestOptions, (answer) => void setTimeout(() => done(answer), delay));
  };
  Object.assign(http, { request: slow });
  syncBuiltinESMExports();
};

let handler: Handler | undefined;

const load = async ({ functionName, moduleUrl, variables }: FunctionInput): Promise<void> => {
  process.env = { ...variables };
  slowDown();
  ({ handler } = await import(moduleUrl));
  send({ type: 'ready', functionName });
};

const run = async (message: Extract<ParentMessage, { type: 'run' }>): Promise<void> => {
  const { functionName, id, event, deadlineMs } = message;
  const context = { functionName, awsRequestId: id, getRemainingTimeInMillis: () => deadlineMs - Date.now() };
  try {
    send({ type: 'result', functionName, id, result: (await handler?.(event, context)) ?? null });
  } catch (error) {
    send({ type: 'failed', functionName, id, message: String(error) });
  }
};

process.on('disconnect', () => process.exit());
process.on('message', (message: ParentMessage) => {
  if (message.type === 'load') void load(message);
  else {
    send({ type: 'begun', functionName: message.functionName, id: message.id });
    void run(message);
  }
});
