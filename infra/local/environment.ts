/**
 * One worker thread, or one process, as the environment of a function. A run that takes longer than
 * its timeout, ends the thread, or blocks it ends the environment, as on Lambda; the other runs in
 * it fail too.
 */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { PassepartoutError } from '../../lib/base/errors.ts';
import { SECOND_MS } from '../../lib/base/limits.ts';
import type { ApartInput } from './apart.ts';
import type { RunMessage, WorkerInput, WorkerMessage } from './worker.ts';

/** The handler threw, its environment crashed or could not start, or it overran its timeout. */
export class InvocationError extends PassepartoutError {
  override readonly name: string = 'InvocationError';
  readonly functionName: string;
  readonly outcome: 'failed' | 'crashed' | 'timed-out' | 'stopped' | 'overloaded';
  constructor(functionName: string, outcome: InvocationError['outcome'], detail: string) {
    super(`${functionName} ${outcome}: ${detail}`, true);
    this.functionName = functionName;
    this.outcome = outcome;
  }
}

/**
 * A thread that takes no event for so long is in an endless loop: no step computes for a second.
 */
const LOCAL_STUCK_MS = 10 * SECOND_MS;
/** Default workers collect their garbage only after hundreds of MB. */
const LOCAL_WORKER_YOUNG_MB = 4;

export interface EnvironmentInput extends WorkerInput {
  /** The bundle of `worker.ts`. */
  readonly workerUrl: string;
  /** The bundle of `apart.ts`: the function gets a process of its own. */
  readonly apartUrl?: string | undefined;
  readonly timeoutMs: number;
  /** All the function sees of the environment. */
  readonly variables: Readonly<Record<string, string>>;
  /** Takes what the function writes to its standard output and error. */
  readonly log: (functionName: string, chunk: string) => void;
}

export interface Environment {
  /** Runs one event, beside others. @throws InvocationError */
  readonly run: (event: unknown) => Promise<unknown>;
  readonly isAlive: () => boolean;
  readonly end: () => Promise<void>;
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: InvocationError) => void;
  /** Runs out when the thread does not take the event. */
  readonly stuckTimer: NodeJS.Timeout;
}

interface Listeners {
  readonly message: (message: WorkerMessage) => void;
  readonly error: (error: unknown) => void;
  readonly exit: (code: number | null) => void;
}

/** What a thread and a process have in common. */
interface Place {
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly listen: (listeners: Listeners) => void;
  readonly postMessage: (message: RunMessage) => void;
  readonly terminate: () => Promise<unknown>;
}

/** A thread and the runs in it. */
interface Thread extends Pick<EnvironmentInput, 'functionName' | 'timeoutMs' | 'log'> {
  readonly worker: Place;
  readonly pending: Map<string, Pending>;
  /** Importing the handler is not part of its timeout, as on Lambda. */
  readonly ready: PromiseWithResolvers<void>;
  isAlive: boolean;
}

/** For functions whose code may be made to use up the memory of their process. */
const startApart = (
  { functionName, moduleUrl, memoryMb, workerUrl, variables }: EnvironmentInput,
  apartUrl: string,
): Place => {
  const input = { functionName, moduleUrl, memoryMb, workerUrl } satisfies ApartInput;
  const child = fork(fileURLToPath(apartUrl), [JSON.stringify(input)], {
    env: { ...variables },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('the process has no output');
  const ended = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
  return {
    stdout,
    stderr,
    listen: ({ message, error, exit }) => child.on('message', message).on('error', error).on('exit', exit),
    // One that is gone has said so by its event.
    postMessage: (message) => void child.send(message, () => undefined),
    terminate: () => {
      child.kill('SIGKILL');
      return ended;
    },
  };
};

const startThread = ({ functionName, moduleUrl, memoryMb, workerUrl, variables }: EnvironmentInput): Place => {
  const worker = new Worker(new URL(workerUrl), {
    name: functionName,
    workerData: { functionName, moduleUrl, memoryMb } satisfies WorkerInput,
    env: { ...variables },
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxYoungGenerationSizeMb: LOCAL_WORKER_YOUNG_MB, maxOldGenerationSizeMb: memoryMb },
  });
  return {
    stdout: worker.stdout,
    stderr: worker.stderr,
    listen: ({ message, error, exit }) => worker.on('message', message).on('error', error).on('exit', exit),
    postMessage: (message) => worker.postMessage(message),
    terminate: () => worker.terminate(),
  };
};

const take = ({ pending }: Thread, id: string): Pending | undefined => {
  const one = pending.get(id);
  clearTimeout(one?.stuckTimer);
  pending.delete(id);
  return one;
};

/** Fails all runs: the thread is gone. */
const failAll = (thread: Thread, detail: string): void => {
  thread.isAlive = false;
  const error = new InvocationError(thread.functionName, 'crashed', detail);
  thread.ready.reject(error);
  for (const id of [...thread.pending.keys()]) take(thread, id)?.reject(error);
};

const end = async (thread: Thread): Promise<void> => {
  thread.isAlive = false;
  await thread.worker.terminate();
};

/** Ends the thread. The run that caused this has its error already. */
const giveUp = (thread: Thread, detail: string): void => {
  thread.log(thread.functionName, `${detail}\n`);
  failAll(thread, detail);
  void end(thread);
};

const receive = (thread: Thread, message: WorkerMessage): void => {
  switch (message.type) {
    case 'ready':
      thread.ready.resolve();
      break;
    case 'begun':
      clearTimeout(thread.pending.get(message.id)?.stuckTimer);
      break;
    case 'failed':
      take(thread, message.id)?.reject(new InvocationError(thread.functionName, 'failed', message.message));
      break;
    case 'result':
      take(thread, message.id)?.resolve(message.result);
      break;
    default: {
      const unknown: never = message;
      throw new Error(`unknown message ${JSON.stringify(unknown)}`);
    }
  }
};

const run = async (thread: Thread, event: unknown): Promise<unknown> => {
  const { functionName, timeoutMs, worker, pending } = thread;
  if (!thread.isAlive) throw new InvocationError(functionName, 'crashed', 'its environment is gone');
  await thread.ready.promise;
  const id = randomUUID();
  const timer = setTimeout(() => {
    take(thread, id)?.reject(new InvocationError(functionName, 'timed-out', `after ${timeoutMs / 1000} s`));
    giveUp(thread, `Task timed out after ${timeoutMs / 1000} seconds`);
  }, timeoutMs);
  try {
    return await new Promise<unknown>((resolve, reject) => {
      const stuckTimer = setTimeout(() => giveUp(thread, 'an endless loop takes all its time'), LOCAL_STUCK_MS);
      pending.set(id, { resolve, reject, stuckTimer });
      worker.postMessage({ id, event, deadlineMs: Date.now() + timeoutMs } satisfies RunMessage);
    });
  } finally {
    clearTimeout(timer);
  }
};

/** Starts a thread; the first `run` waits for it (a cold start). */
export const startEnvironment = (input: EnvironmentInput): Environment => {
  const { functionName, timeoutMs, log, apartUrl } = input;
  const worker = apartUrl === undefined ? startThread(input) : startApart(input, apartUrl);
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => undefined);
  const thread: Thread = { functionName, timeoutMs, log, worker, ready, pending: new Map(), isAlive: true };
  for (const stream of [worker.stdout, worker.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => log(functionName, chunk));
  }
  worker.listen({
    message: (message) => receive(thread, message),
    error: (error) => {
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log(functionName, `${detail}\n`);
      failAll(thread, detail);
    },
    exit: (code) => failAll(thread, `ended with exit code ${code}`),
  });
  return { isAlive: () => thread.isAlive, end: () => end(thread), run: (event) => run(thread, event) };
};
