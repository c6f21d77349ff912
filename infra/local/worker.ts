/**
 * The environment of one function, as on Lambda: it imports the handler once, then runs events as
 * they come. It runs inside a worker thread whose variables the parent has set, and talks only in
 * the messages below. A handler that throws answers with its error; one that ends the process or
 * never returns is the parent's business.
 */
import { parentPort, workerData } from 'node:worker_threads';

/** Parent → worker. */
export interface RunMessage {
  readonly id: string;
  readonly event: unknown;
  /** Epoch milliseconds. */
  readonly deadlineMs: number;
}

/** Worker → parent. */
export type WorkerMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'begun'; readonly id: string }
  | { readonly type: 'result'; readonly id: string; readonly result: unknown }
  | { readonly type: 'failed'; readonly id: string; readonly message: string };

/** Data the parent gives to a new worker. */
export interface WorkerInput {
  readonly functionName: string;
  /** Bundle to import, a file URL. */
  readonly moduleUrl: string;
  readonly memoryMb: number;
}

type Handler = (event: unknown, context: unknown) => unknown;

const port = parentPort;
if (port === null) throw new Error('worker.ts runs in a worker thread');

const input: WorkerInput = workerData;

const isHandler = (value: unknown): value is Handler => typeof value === 'function';

const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);

const contextOf = (message: RunMessage): object => ({
  functionName: input.functionName,
  functionVersion: '$LATEST',
  invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${input.functionName}`,
  memoryLimitInMB: `${input.memoryMb}`,
  awsRequestId: message.id,
  logGroupName: `/local/${input.functionName}`,
  logStreamName: 'local',
  callbackWaitsForEmptyEventLoop: false,
  getRemainingTimeInMillis: () => Math.max(0, message.deadlineMs - Date.now()),
});

const module: { readonly handler?: unknown } = await import(input.moduleUrl);
const { handler } = module;
if (!isHandler(handler)) throw new Error(`${input.functionName} exports no function named handler`);

const run = async (message: RunMessage): Promise<WorkerMessage> => {
  try {
    // Lambda passes an answer through JSON; nothing may pass here that could not pass there.
    const result: unknown = JSON.parse(JSON.stringify((await handler(message.event, contextOf(message))) ?? null));
    return { type: 'result', id: message.id, result };
  } catch (error) {
    return { type: 'failed', id: message.id, message: describe(error) };
  }
};

port.on('message', (message: RunMessage) => {
  port.postMessage({ type: 'begun', id: message.id } satisfies WorkerMessage);
  void run(message).then((answer) => port.postMessage(answer));
});
port.postMessage({ type: 'ready' } satisfies WorkerMessage);
