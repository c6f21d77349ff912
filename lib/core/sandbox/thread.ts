/**
 * A thread of the sandbox: `askNow` blocks, `ask` gives a promise. One that does not answer in time
 * is ended: some work, such as sorting a huge list, counts no step. Starting one never fails.
 */
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';

interface Bounds {
  /** Each is ten thousand jumps and calls of the code. */
  readonly stepsMax: number;
  readonly memoryBytesMax: number;
  readonly charsMax: number;
}

/** Calls one function of the code, which finds neither clock nor chance. */
export interface CallJob extends Bounds {
  readonly kind: 'call';
  readonly code: string;
  /** Name of the function. */
  readonly call: string;
  /** JSON of its arguments, a list. */
  readonly input: string;
}

/** Runs a whole program. Its clock stands still, and its numbers by chance repeat. */
export interface ProgramJob extends Bounds {
  readonly kind: 'program';
  readonly code: string;
  /** Time on its clock, epoch milliseconds. */
  readonly now: number;
  /** JSON of the object `state` that it finds; without it there is none. */
  readonly state?: string | undefined;
  readonly stateCharsMax: number;
}

export type Job = CallJob | ProgramJob;

export interface ThreadProblem {
  readonly kind: 'problem';
  /** `missing`: no such function. `nonsense`: its result is no JSON. */
  readonly why: 'syntax' | 'missing' | 'steps' | 'memory' | 'stack' | 'output' | 'nonsense';
  /** Line of the code where it does not parse. */
  readonly line?: number;
}

export type ThreadOutcome =
  | {
      readonly kind: 'value';
      /** JSON of a call's result; words for a program's. */
      readonly text: string;
      /** JSON of `state` as it was left; absent if there was none, or it is no object of JSON. */
      readonly state?: string;
    }
  /** The error that the code threw, in its own words. */
  | { readonly kind: 'fault'; readonly text: string }
  | ThreadProblem;

export interface Thread {
  readonly askNow: (job: Job, timeoutMs: number) => ThreadOutcome;
  readonly ask: (job: Job, timeoutMs: number) => Promise<ThreadOutcome>;
  /** It was ended, by `end`, for its time, or by itself. */
  readonly isOver: () => boolean;
  readonly end: () => Promise<void>;
}

/** Beside this file as source, beside the bundle as a file of its own (`infra/bundling.ts`). */
const WORKER_URL = new URL(
  import.meta.url.endsWith('.ts') ? './sandbox-worker.ts' : './sandbox-worker.mjs',
  import.meta.url,
);

/** The thread's own heap; the engine's memory is not part of it. */
const THREAD_HEAP_MB = 32;

const OVERTIME: ThreadOutcome = { kind: 'problem', why: 'steps' };

export const startThread = (): Thread => {
  const { port1: port, port2 } = new MessageChannel();
  const answered = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const worker = new Worker(WORKER_URL, {
    workerData: { port: port2, answered },
    transferList: [port2],
    env: {},
    execArgv: [],
    stdin: false,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB, maxYoungGenerationSizeMb: 8 },
  });
  worker.unref();
  let isOver = false;
  let sent = 0;
  const { promise: broken, resolve: breakOff } = Promise.withResolvers<ThreadOutcome>();
  // WebAssembly that runs out of memory ends the thread, not the process.
  const onEnd = (): void => {
    isOver = true;
    breakOff({ kind: 'problem', why: 'memory' });
  };
  worker.once('error', onEnd).once('exit', onEnd);
  const end = async (): Promise<void> => {
    isOver = true;
    await worker.terminate();
  };
  const send = (job: Job): void => {
    sent += 1;
    worker.postMessage(job);
  };
  const receive = (): ThreadOutcome => {
    const found = receiveMessageOnPort(port);
    if (found === undefined) void end();
    return found?.message ?? OVERTIME;
  };
  // By the count of all answers: a notice of the answer before, which comes late, ends no wait.
  const isOpen = (): boolean => Atomics.load(answered, 0) < sent;
  const askNow = (job: Job, timeoutMs: number): ThreadOutcome => {
    send(job);
    while (isOpen() && Atomics.wait(answered, 0, sent - 1, timeoutMs) !== 'timed-out');
    return receive();
  };
  const wait = async (timeoutMs: number): Promise<void> => {
    while (isOpen() && (await Atomics.waitAsync(answered, 0, sent - 1, timeoutMs).value) !== 'timed-out');
  };
  const ask = async (job: Job, timeoutMs: number): Promise<ThreadOutcome> => {
    worker.ref();
    send(job);
    const early = await Promise.race([wait(timeoutMs), broken]);
    worker.unref();
    return typeof early === 'object' ? early : receive();
  };
  return { askNow, ask, isOver: () => isOver, end };
};
