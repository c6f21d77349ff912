/**
 * The environment of a function: a place in a shared thread, a thread, or a process. A run that
 * takes too long, ends the thread or blocks it ends the whole thread, as on Lambda.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { PassepartoutError } from '../../lib/core/base/errors.ts';
import { SECOND_MS } from '../../lib/core/base/limits.ts';
import type { ApartInput } from './apart.ts';
import type { AnswerPart, FunctionInput, ParentMessage, WorkerMessage } from './run-functions.ts';
import { openWire, type WireServers } from './wire.ts';
import type { WorkerData } from './worker.ts';

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

/** It is in an endless loop then: no step computes for a second. */
const LOCAL_STUCK_MS = 10 * SECOND_MS;
/** Default workers collect their garbage only after hundreds of MB; 4 MB were a tenth slower. */
const LOCAL_WORKER_YOUNG_MB = 8;

type Log = (source: string, chunk: string) => void;

export interface EnvironmentInput extends FunctionInput {
  readonly place: FunctionHost;
  readonly timeoutMs: number;
  /** Takes what the function writes to its standard output and error. */
  readonly log: Log;
}

export interface Environment {
  /** Runs one event, beside others. @throws InvocationError */
  readonly run: (event: unknown, onPart?: OnPart) => Promise<unknown>;
  readonly isAlive: () => boolean;
  readonly end: () => Promise<void>;
}

/** Takes an answer that is written while its function runs. */
export type OnPart = (part: AnswerPart) => void;

interface Pending {
  readonly onPart: OnPart | undefined;
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

/** A thread or a process with functions in it. */
export interface FunctionHost {
  /** False as soon as its end begins. */
  readonly isAlive: () => boolean;
  /** @returns what ends the listening */
  readonly listen: (listeners: Listeners) => () => void;
  readonly postMessage: (message: ParentMessage) => void;
  readonly terminate: () => Promise<unknown>;
}

interface PlaceInput {
  /** In the log. */
  readonly name: string;
  /** The bundle of `worker.ts`. */
  readonly workerUrl: string;
  readonly memoryMb: number;
  readonly log: Log;
}

const buildPlace = (
  one: Worker | ChildProcess,
  { name, log }: PlaceInput,
  { postMessage, kill }: { readonly postMessage: FunctionHost['postMessage']; readonly kill: () => unknown },
): FunctionHost => {
  for (const stream of [one.stdout, one.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => log(name, chunk));
  const events: EventEmitter = one;
  // Each function in it listens.
  events.setMaxListeners(0);
  let isAlive = true;
  const ended = new Promise<void>((resolve) => {
    const noteEnd = (): void => {
      isAlive = false;
      resolve();
    };
    events.once('error', noteEnd).once('exit', noteEnd);
  });
  return {
    isAlive: () => isAlive,
    listen: ({ message, error, exit }) => {
      events.on('message', message).on('error', error).on('exit', exit);
      return () => void events.off('message', message).off('error', error).off('exit', exit);
    },
    postMessage,
    terminate: () => {
      isAlive = false;
      kill();
      return ended;
    },
  };
};

/**
 * For a function whose code may be made to use up its memory. @param apartUrl bundle of `apart.ts`
 */
export const startApart = (input: PlaceInput, apartUrl: string): FunctionHost => {
  const { name, memoryMb, workerUrl } = input;
  const child = fork(fileURLToPath(apartUrl), [JSON.stringify({ name, memoryMb, workerUrl } satisfies ApartInput)], {
    env: {},
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  return buildPlace(child, input, {
    // One that is gone has said so by its event.
    postMessage: (message) => void child.send(message, () => undefined),
    kill: () => child.kill('SIGKILL'),
  });
};

/** @param servers those that its functions reach without a socket */
export const startThread = (input: PlaceInput, servers: WireServers): FunctionHost => {
  const { name, memoryMb, workerUrl } = input;
  const wire = openWire(servers);
  const worker = new Worker(new URL(workerUrl), {
    workerData: { wire } satisfies WorkerData,
    transferList: [wire.port],
    name,
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxYoungGenerationSizeMb: LOCAL_WORKER_YOUNG_MB, maxOldGenerationSizeMb: memoryMb },
  });
  return buildPlace(worker, input, {
    postMessage: (message) => worker.postMessage(message),
    kill: () => worker.terminate(),
  });
};

/** A function in its place, and its runs. */
interface Thread extends Pick<EnvironmentInput, 'functionName' | 'timeoutMs' | 'log' | 'place'> {
  readonly pending: Map<string, Pending>;
  /** Importing the handler is not part of its timeout, as on Lambda. */
  readonly ready: PromiseWithResolvers<void>;
  isAlive: boolean;
}

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
  await thread.place.terminate();
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
    case 'unusable':
      thread.log(thread.functionName, `${message.message}\n`);
      failAll(thread, message.message);
      break;
    case 'wrote':
      thread.log(thread.functionName, message.text);
      break;
    case 'begun':
      clearTimeout(thread.pending.get(message.id)?.stuckTimer);
      break;
    case 'part':
      thread.pending.get(message.id)?.onPart?.(message.part);
      break;
    case 'failed':
      take(thread, message.id)?.reject(new InvocationError(thread.functionName, 'failed', message.message));
      break;
    case 'result':
      take(thread, message.id)?.resolve(message.result);
      break;
    default:
      message satisfies never;
  }
};

const run = async (thread: Thread, event: unknown, onPart?: OnPart): Promise<unknown> => {
  const { functionName, timeoutMs, place, pending } = thread;
  if (!thread.isAlive || !place.isAlive())
    throw new InvocationError(functionName, 'crashed', 'its environment is gone');
  await thread.ready.promise;
  const id = randomUUID();
  const timer = setTimeout(() => {
    take(thread, id)?.reject(new InvocationError(functionName, 'timed-out', `after ${timeoutMs / 1000} s`));
    giveUp(thread, `Task timed out after ${timeoutMs / 1000} seconds`);
  }, timeoutMs);
  try {
    return await new Promise<unknown>((resolve, reject) => {
      const stuckTimer = setTimeout(() => giveUp(thread, 'an endless loop takes all its time'), LOCAL_STUCK_MS);
      pending.set(id, { resolve, reject, stuckTimer, onPart });
      place.postMessage({ type: 'run', functionName, id, event, deadlineMs: Date.now() + timeoutMs });
    });
  } finally {
    clearTimeout(timer);
  }
};

/** Loads a function in its place; the first `run` waits for it (a cold start). */
export const startEnvironment = ({ place, timeoutMs, log, ...input }: EnvironmentInput): Environment => {
  const { functionName } = input;
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => undefined);
  const thread: Thread = { functionName, timeoutMs, log, place, ready, pending: new Map(), isAlive: true };
  const leave = place.listen({
    message: (message) => {
      if (message.functionName !== functionName) return;
      receive(thread, message);
      // The next event loads it once more, in the same place.
      if (message.type === 'unusable') leave();
    },
    error: (error) => {
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log(functionName, `${detail}\n`);
      failAll(thread, detail);
    },
    exit: (code) => failAll(thread, `ended with exit code ${code}`),
  });
  place.postMessage({ type: 'load', ...input });
  return {
    isAlive: () => thread.isAlive && place.isAlive(),
    end: () => end(thread),
    run: (event, onPart) => run(thread, event, onPart),
  };
};
