/**
 * Sends requests that were written and signed before, each over a connection that is kept, and
 * reads no more of an answer than its status and length: so that the time measured is the server's.
 * Fails at the first answer that is not 200.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const HEAD_END = '\r\n\r\n';
const LENGTH = /content-length: *(\d+)/i;

/** Gives each whole answer's head; answers are never pipelined. */
const buildReader = (onAnswer: (head: string) => void): ((chunk: Buffer) => void) => {
  let pending: Buffer = Buffer.alloc(0);
  return (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    const end = pending.indexOf(HEAD_END);
    if (end < 0) return;
    const head = pending.toString('latin1', 0, end);
    const bytes = end + HEAD_END.length + Number(LENGTH.exec(head)?.[1] ?? 0);
    if (pending.length < bytes) return;
    pending = Buffer.alloc(0);
    onAnswer(head);
  };
};

export interface RawResult {
  readonly perSecond: number;
  /** Milliseconds of each request, in order of ending. */
  readonly requestMs: readonly number[];
}

/** @param next the next request to send; undefined when there are no more */
export const driveRaw = async (
  endpoint: string,
  connections: number,
  next: () => Buffer | undefined,
): Promise<RawResult> => {
  const { hostname, port } = new URL(endpoint);
  const requestMs: number[] = [];
  const sockets: Socket[] = [];
  for (let n = 0; n < connections; n += 1) {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, 'connect');
    sockets.push(socket);
  }
  const startedAt = performance.now();
  const converse = (socket: Socket): Promise<void> =>
    new Promise((done, failed) => {
      let sentAt = 0;
      const send = (): void => {
        const request = next();
        if (request === undefined) {
          done();
          return;
        }
        sentAt = performance.now();
        socket.write(request);
      };
      socket.on('error', failed);
      socket.on('close', () => failed(new Error('the connection was closed')));
      socket.on(
        'data',
        buildReader((head) => {
          if (!head.startsWith('HTTP/1.1 200'))
            return failed(new Error(`a request was answered ${head.slice(0, 200)}`));
          requestMs.push(performance.now() - sentAt);
          send();
        }),
      );
      send();
    });
  try {
    await Promise.all(sockets.map(converse));
    return { perSecond: (requestMs.length / (performance.now() - startedAt)) * 1000, requestMs };
  } finally {
    for (const socket of sockets) socket.removeAllListeners('close').destroy();
  }
};
