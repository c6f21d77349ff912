/**
 * A thread that runs the handlers of one or several functions. Each sees its own variables and no
 * others. A handler that ends the thread or never returns is the parent's business.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { parentPort, workerData } from 'node:worker_threads';
import { useWire, type WireEnd } from './wire.ts';

/** Absent in a process of its own, and where all requests go by HTTP. */
export interface WorkerData {
  readonly wire?: WireEnd;
}

export interface FunctionInput {
  readonly functionName: string;
  /** Bundle to import, a file URL. */
  readonly moduleUrl: string;
  readonly memoryMb: number;
  /** All the function sees of the environment. */
  readonly variables: Readonly<Record<string, string>>;
}

interface RunMessage {
  readonly type: 'run';
  readonly functionName: string;
  readonly id: string;
  readonly event: unknown;
  /** Epoch milliseconds. */
  readonly deadlineMs: number;
}

/** Parent → worker. A function is loaded before its first run. */
export type ParentMessage = ({ readonly type: 'load' } & FunctionInput) | RunMessage;

/** Worker → parent. */
export type WorkerMessage = { readonly functionName: string } & (
  | { readonly type: 'ready' }
  /** Its handler could not be imported. */
  | { readonly type: 'unusable'; readonly message: string }
  | { readonly type: 'begun'; readonly id: string }
  | { readonly type: 'result'; readonly id: string; readonly result: unknown }
  | { readonly type: 'failed'; readonly id: string; readonly message: string }
  /** It wrote this to its standard output or error. */
  | { readonly type: 'wrote'; readonly text: string }
);

type Handler = (event: unknown, context: unknown) => unknown;

const port = parentPort;
if (port === null) throw new Error('worker.ts runs in a worker thread');

const { wire }: WorkerData = workerData ?? {};
if (wire !== undefined) useWire(wire);

const send = (message: WorkerMessage): void => port.postMessage(message);

/** The function whose code runs now. */
const current = new AsyncLocalStorage<FunctionInput>();
const nothing: FunctionInput['variables'] = Object.freeze({});
Object.defineProperty(process, 'env', { get: () => current.getStore()?.variables ?? nothing });

for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write.bind(stream);
  stream.write = (chunk: string | Uint8Array) => {
    const functionName = current.getStore()?.functionName;
    const text = typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
    if (functionName === undefined) return write(text);
    send({ type: 'wrote', functionName, text });
    return true;
  };
}

const isHandler = (value: unknown): value is Handler => typeof value === 'function';

const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);

const contextOf = ({ functionName, memoryMb }: FunctionInput, message: RunMessage): object => ({
  functionName,
  functionVersion: '$LATEST',
  invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${functionName}`,
  memoryLimitInMB: `${memoryMb}`,
  awsRequestId: message.id,
  logGroupName: `/local/${functionName}`,
  logStreamName: 'local',
  callbackWaitsForEmptyEventLoop: false,
  getRemainingTimeInMillis: () => Math.max(0, message.deadlineMs - Date.now()),
});

const load = async (input: FunctionInput): Promise<Handler> => {
  const { handler }: { readonly handler?: unknown } = await import(input.moduleUrl);
  if (!isHandler(handler)) throw new Error(`${input.functionName} exports no function named handler`);
  return handler;
};

const run = async (input: FunctionInput, handler: Handler, message: RunMessage): Promise<WorkerMessage> => {
  const answer = { functionName: input.functionName, id: message.id };
  try {
    // Lambda passes an answer through JSON; nothing may pass here that could not pass there.
    const result: unknown = JSON.parse(
      JSON.stringify((await handler(message.event, contextOf(input, message))) ?? null),
    );
    return { type: 'result', ...answer, result };
  } catch (error) {
    return { type: 'failed', ...answer, message: describe(error) };
  }
};

const runs = new Map<string, (message: RunMessage) => void>();

const addFunction = async (input: FunctionInput): Promise<void> => {
  const { functionName } = input;
  try {
    const handler = await load(input);
    runs.set(functionName, (message) => void current.run(input, run, input, handler, message).then(send));
    send({ type: 'ready', functionName });
  } catch (error) {
    send({ type: 'unusable', functionName, message: describe(error) });
  }
};

port.on('message', (message: ParentMessage) => {
  if (message.type === 'load') void current.run(message, addFunction, message);
  else {
    send({ type: 'begun', functionName: message.functionName, id: message.id });
    runs.get(message.functionName)?.(message);
  }
});
