/**
 * One worker thread as the environment of a function. A run that takes longer than its timeout,
 * ends the thread, or blocks it ends the environment, as on Lambda; the other runs in it fail too.
 */
import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { PassepartoutError } from '../../lib/base/errors.ts';
import { SECOND_MS } from '../../lib/base/limits.ts';
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

/** Starts a thread; the first `run` waits for it (a cold start). */
export const startEnvironment = (input: EnvironmentInput): Environment => {
  const { functionName, moduleUrl, memoryMb, workerUrl } = input;
  const worker = new Worker(new URL(workerUrl), {
    name: functionName,
    workerData: { functionName, moduleUrl, memoryMb } satisfies WorkerInput,
    env: { ...input.variables },
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxYoungGenerationSizeMb: LOCAL_WORKER_YOUNG_MB, maxOldGenerationSizeMb: memoryMb },
  });
  const pending = new Map<string, Pending>();
  let isAlive = true;
  // Importing the handler is not part of its timeout, as on Lambda.
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => undefined);

  const take = (id: string): Pending | undefined => {
    const one = pending.get(id);
    clearTimeout(one?.stuckTimer);
    pending.delete(id);
    return one;
  };
  const failAll = (outcome: InvocationError['outcome'], detail: string): void => {
    const error = new InvocationError(functionName, outcome, detail);
    ready.reject(error);
    for (const id of [...pending.keys()]) take(id)?.reject(error);
  };
  /** The thread is ended; the run that is to blame has been told already. */
  const giveUp = (detail: string): void => {
    input.log(functionName, `${detail}\n`);
    isAlive = false;
    failAll('crashed', detail);
    void end();
  };
  const receive = (message: WorkerMessage): void => {
    switch (message.type) {
      case 'ready':
        ready.resolve();
        break;
      case 'begun':
        clearTimeout(pending.get(message.id)?.stuckTimer);
        break;
      case 'failed':
        take(message.id)?.reject(new InvocationError(functionName, 'failed', message.message));
        break;
      case 'result':
        take(message.id)?.resolve(message.result);
        break;
      default: {
        const unknown: never = message;
        throw new Error(`unknown message ${JSON.stringify(unknown)}`);
      }
    }
  };

  for (const stream of [worker.stdout, worker.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => input.log(functionName, chunk));
  }
  worker.on('message', receive);
  worker.on('error', (error) => {
    isAlive = false;
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    input.log(functionName, `${detail}\n`);
    failAll('crashed', detail);
  });
  worker.on('exit', (code) => {
    isAlive = false;
    failAll('crashed', `ended with exit code ${code}`);
  });

  const end = async (): Promise<void> => {
    isAlive = false;
    await worker.terminate();
  };

  return {
    isAlive: () => isAlive,
    end,
    run: async (event) => {
      if (!isAlive) throw new InvocationError(functionName, 'crashed', 'its environment is gone');
      await ready.promise;
      const id = randomUUID();
      const timer = setTimeout(() => {
        take(id)?.reject(new InvocationError(functionName, 'timed-out', `after ${input.timeoutMs / 1000} s`));
        giveUp(`Task timed out after ${input.timeoutMs / 1000} seconds`);
      }, input.timeoutMs);
      try {
        return await new Promise<unknown>((resolve, reject) => {
          const stuckTimer = setTimeout(() => giveUp('an endless loop takes all its time'), LOCAL_STUCK_MS);
          pending.set(id, { resolve, reject, stuckTimer });
          worker.postMessage({ id, event, deadlineMs: Date.now() + input.timeoutMs } satisfies RunMessage);
        });
      } finally {
        clearTimeout(timer);
      }
    },
  };
};
