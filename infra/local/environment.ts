/**
 * One worker thread as an execution environment of a function: made, run once at a time, ended. A run that overruns its
 * timeout or takes the thread down fails, and the environment is gone, as on Lambda.
 */
import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { LOCAL_WORKER_YOUNG_MB } from '../../lib/limits.ts';
import { InvocationError } from './invocation-error.ts';
import type { RunMessage, WorkerInput, WorkerMessage } from './worker.ts';

export interface EnvironmentInput extends WorkerInput {
  /** What runs the bundle: `worker.ts`, as a bundle itself. */
  readonly workerUrl: string;
  readonly timeoutMs: number;
  /** All the function sees of the environment. */
  readonly variables: Readonly<Record<string, string>>;
  /** Takes what the function writes to its standard output and error. */
  readonly log: (functionName: string, chunk: string) => void;
}

export interface Environment {
  /** Runs one event; only one at a time. @throws InvocationError */
  readonly run: (event: unknown) => Promise<unknown>;
  readonly isAlive: () => boolean;
  readonly end: () => Promise<void>;
}

interface Pending {
  readonly id: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: InvocationError) => void;
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
  let pending: Pending | undefined;
  let isAlive = true;
  // Importing the handler is not part of its timeout, as on Lambda.
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => undefined);

  const fail = (outcome: InvocationError['outcome'], detail: string): void => {
    const current = pending;
    pending = undefined;
    const error = new InvocationError(functionName, outcome, detail);
    ready.reject(error);
    current?.reject(error);
  };
  const receive = (message: WorkerMessage): void => {
    switch (message.type) {
      case 'ready':
        ready.resolve();
        return;
      case 'failed':
        if (pending?.id === message.id) fail('failed', message.message);
        return;
      case 'result': {
        const current = pending;
        if (current?.id !== message.id) return;
        pending = undefined;
        current.resolve(message.result);
        return;
      }
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
    fail('crashed', detail);
  });
  worker.on('exit', (code) => {
    isAlive = false;
    fail('crashed', `ended with exit code ${code}`);
  });

  const end = async (): Promise<void> => {
    isAlive = false;
    await worker.terminate();
  };

  return {
    isAlive: () => isAlive,
    end,
    run: async (event) => {
      if (pending !== undefined) throw new Error(`${functionName}: one run at a time`);
      if (!isAlive) throw new InvocationError(functionName, 'crashed', 'its environment is gone');
      await ready.promise;
      const id = randomUUID();
      const timer = setTimeout(() => {
        input.log(functionName, `Task timed out after ${input.timeoutMs / 1000} seconds\n`);
        isAlive = false;
        fail('timed-out', `after ${input.timeoutMs / 1000} s`);
        void end();
      }, input.timeoutMs);
      try {
        return await new Promise<unknown>((resolve, reject) => {
          pending = { id, resolve, reject };
          worker.postMessage({ id, event, deadlineMs: Date.now() + input.timeoutMs } satisfies RunMessage);
        });
      } finally {
        clearTimeout(timer);
      }
    },
  };
};
