/**
 * Whether a file's new content parses. It is judged in a thread of its own, in bounded time: some
 * texts take a parser for ever, and meanwhile the runner must hold the bounds of orders.
 */
import { Worker } from 'node:worker_threads';
import { SECOND_MS } from '../../lib/core/base/limits.ts';

/** Larger files are not edited: they are data. */
export const FILE_BYTES_MAX = 4 * 1024 * 1024;
/** The longest honest file takes a few seconds. */
const CHECK_MS_MAX = 10 * SECOND_MS;
const HEAP_MB_MAX = 512;
const WORKER_URL = new URL('./check-content-worker.ts', import.meta.url);

/** @param before the content now; undefined if there is none @returns what is wrong, if anything */
export const checkContent = async (
  path: string,
  content: string,
  before: string | undefined,
): Promise<string | undefined> => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const worker = new Worker(WORKER_URL, {
    workerData: { path, content, before },
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
  });
  const giveUp = (): void => resolve('whether the file would parse takes too long to find out');
  const timer = setTimeout(giveUp, CHECK_MS_MAX);
  worker.once('message', resolve).once('error', giveUp).once('exit', giveUp);
  try {
    return (await promise) || undefined;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
};
