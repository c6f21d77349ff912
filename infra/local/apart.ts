/**
 * A process around the thread of `worker.ts`: some allocations that find no room end the process
 * they happen in, not only their thread. It ends with its parent.
 */
import { Worker } from 'node:worker_threads';
import type { ParentMessage, WorkerMessage } from './run-functions.ts';

/** How `startApart` calls this program. */
export interface ApartInput {
  readonly name: string;
  readonly workerUrl: string;
  readonly memoryMb: number;
}

/** A parser fills some 20 MB in that time. */
const LOCAL_MEMORY_WATCH_MS = 100;

const { name, workerUrl, memoryMb }: ApartInput = JSON.parse(process.argv[2] ?? '');
const worker = new Worker(new URL(workerUrl), {
  name,
  execArgv: [],
  resourceLimits: { maxOldGenerationSizeMb: memoryMb },
});
process.on('message', (message: ParentMessage) => worker.postMessage(message));
process.on('disconnect', () => process.exit());
worker.on('message', (message: WorkerMessage) => process.send?.(message));
worker.on('error', (error) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
worker.on('exit', (code) => process.exit(code));
setInterval(() => {
  if (process.memoryUsage.rss() <= memoryMb * 1_000_000) return;
  process.stderr.write(`It took more than ${memoryMb} MB of memory.\n`);
  process.kill(process.pid, 'SIGKILL');
}, LOCAL_MEMORY_WATCH_MS);
