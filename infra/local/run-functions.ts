/**
 * Runs the handlers of one or several functions in this thread. Each sees its own variables and no
 * others. A handler that ends the thread or never returns is the parent's business.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

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
  | { readonly type: 'part'; readonly id: string; readonly part: AnswerPart }
  | { readonly type: 'result'; readonly id: string; readonly result: unknown }
  | { readonly type: 'failed'; readonly id: string; readonly message: string }
  /** It wrote this to its standard output or error. */
  | { readonly type: 'wrote'; readonly text: string }
);

/** Of an answer that is written while it runs: the head, then pieces of its body. */
export type AnswerPart = { readonly statusCode: number; readonly headers: Readonly<Record<string, string>> } | string;

type Handler = (event: unknown, ...rest: readonly unknown[]) => unknown;

/** Lambda's own mark of a handler that writes its answer in parts. */
const STREAMED = Symbol.for('aws.lambda.runtime.handler.streaming');

interface ResponseStream {
  readonly write: (part: AnswerPart) => void;
  readonly end: () => void;
}

/** The part of Lambda's global of the same name that handlers use. */
const AWS_LAMBDA = {
  streamifyResponse: (handler: Handler): Handler => Object.assign(handler, { [STREAMED]: 'response' }),
  HttpResponseStream: {
    from: (stream: ResponseStream, head: AnswerPart): ResponseStream => {
      stream.write(head);
      return stream;
    },
  },
} as const;
Object.assign(globalThis, { awslambda: AWS_LAMBDA });

type Send = (message: WorkerMessage) => void;

interface Running {
  readonly input: FunctionInput;
  readonly send: Send;
}

/** The function whose code runs now. */
const current = new AsyncLocalStorage<Running>();

/** Undefined outside all functions. */
export const runningFunction = (): FunctionInput | undefined => current.getStore()?.input;

/**
 * Gives each function its variables, and its parent what it writes. @param others those of all
 * other code
 */
export const standBetween = (others: NodeJS.ProcessEnv): void => {
  Object.defineProperty(process, 'env', { get: () => runningFunction()?.variables ?? others });
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream);
    stream.write = (chunk: string | Uint8Array, ...rest: never[]) => {
      const running = current.getStore();
      if (running === undefined) return write(chunk, ...rest);
      const text = typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
      running.send({ type: 'wrote', functionName: running.input.functionName, text });
      return true;
    };
  }
};

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

const run = async (running: Running, handler: Handler, message: RunMessage): Promise<WorkerMessage> => {
  const { input, send } = running;
  const answer = { functionName: input.functionName, id: message.id };
  const write = (part: AnswerPart): void => send({ type: 'part', ...answer, part });
  try {
    const context = contextOf(input, message);
    if (STREAMED in handler) {
      await handler(message.event, { write, end: () => undefined } satisfies ResponseStream, context);
      return { type: 'result', ...answer, result: null };
    }
    // Lambda passes an answer through JSON; nothing may pass here that could not pass there.
    const result: unknown = JSON.parse(JSON.stringify((await handler(message.event, context)) ?? null));
    return { type: 'result', ...answer, result };
  } catch (error) {
    return { type: 'failed', ...answer, message: describe(error) };
  }
};

/** @returns takes what the parent sends */
export const buildHost = (send: Send): ((message: ParentMessage) => void) => {
  const runs = new Map<string, (message: RunMessage) => void>();
  const addFunction = async (running: Running): Promise<void> => {
    const { input } = running;
    const { functionName } = input;
    try {
      const handler = await load(input);
      runs.set(functionName, (message) => void current.run(running, run, running, handler, message).then(send));
      send({ type: 'ready', functionName });
    } catch (error) {
      send({ type: 'unusable', functionName, message: describe(error) });
    }
  };
  return (message) => {
    if (message.type === 'load') {
      const running = { input: message, send };
      void current.run(running, addFunction, running);
    } else {
      send({ type: 'begun', functionName: message.functionName, id: message.id });
      runs.get(message.functionName)?.(message);
    }
  };
};
