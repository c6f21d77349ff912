/** A thread that runs the handlers of one or several functions (`run-functions.ts`). */
import { parentPort, workerData } from 'node:worker_threads';
import { buildHost, standBetween } from './run-functions.ts';
import { useWire, type WireEnd } from './wire.ts';

/** Absent in a process of its own, and where all requests go by HTTP. */
export interface WorkerData {
  readonly wire?: WireEnd;
}

const port = parentPort;
if (port === null) throw new Error('worker.ts runs in a worker thread');

const { wire }: WorkerData = workerData ?? {};
if (wire !== undefined) useWire(wire);
standBetween(Object.freeze({}));
port.on(
  'message',
  buildHost((message) => port.postMessage(message)),
);
