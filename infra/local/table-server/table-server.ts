/**
 * The engine behind DynamoDB's HTTP protocol, on a random loopback port, for whoever has the
 * credentials made at this start. Refuses other hosts (a page that was led here by DNS), every
 * request of a browser, bodies beyond DynamoDB's bound and signatures that do not fit. Requests
 * that arrive together are one SQLite transaction.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { answerError, buildEngine, type EngineAnswer, hasWrites, type Switches } from './engine.ts';
import { type Credentials, isSigned } from './signature.ts';
import type { Storage } from './storage.ts';
import { storageFailed, TableError, unauthorized } from './table-error.ts';
import { describeStorageError, type StorageProblem } from './table-file.ts';

export interface TableServer {
  readonly endpoint: string;
  readonly credentials: Credentials;
  /** Why the file cannot be read or written now, in one sentence; undefined when it can. */
  readonly problem: () => string | undefined;
  /** Ends the connections, after what has arrived is carried out. */
  readonly stop: () => Promise<void>;
}

interface Waiting {
  readonly action: string;
  readonly body: string;
  readonly response: ServerResponse;
}

const LOOPBACK = '127.0.0.1';
/** DynamoDB's own bound of a request. */
const BODY_BYTES_MAX = 16 * 1024 * 1024;
/** A client's idle connections stay open: one closed at the wrong moment would fail a request. */
const KEEP_ALIVE_MS = 10 * 60_000;
const TARGET = 'DynamoDB_20120810.';

const makeCredentials = (): Credentials => ({
  accessKeyId: `LOCAL${randomBytes(12).toString('hex').toUpperCase()}`,
  secretAccessKey: randomBytes(30).toString('base64url'),
});

const respond = (response: ServerResponse, { status, body }: EngineAnswer): void => {
  const headers = { 'content-type': 'application/x-amz-json-1.0', 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, headers).end(body);
};

/** Calls back with the whole body; ends the connection of one that is too large. */
const readBody = (request: IncomingMessage, done: (body: Buffer) => void): void => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) request.destroy();
    else chunks.push(chunk);
  });
  request.on('end', () => done(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)));
  request.on('error', () => undefined);
};

export interface TableServerOptions {
  /** Stays open when the server stops: it belongs to the caller. */
  readonly storage: Storage;
  /** The storage's, for sentences about it. */
  readonly file: string;
  readonly switches?: Switches;
  /** For tests that put a proxy in between: takes requests under any host and signature. */
  readonly isOpen?: boolean;
}

export const startTableServer = async (options: TableServerOptions): Promise<TableServer> => {
  const { storage, file, switches = {}, isOpen = false } = options;
  const credentials = makeCredentials();
  const engine = buildEngine({ storage, now: Date.now, switches });
  let problem: StorageProblem | undefined;
  let waiting: Waiting[] = [];
  let host = '';

  const fail = (error: unknown): EngineAnswer => {
    const found = describeStorageError(file, error);
    if (found !== undefined) problem = found;
    return answerError(storageFailed(found?.sentence ?? String(error)));
  };
  const answer = (requests: readonly Waiting[]): void => {
    try {
      const answers = engine.run(requests);
      if (problem?.kind === 'passing' && hasWrites(requests)) problem = undefined;
      for (const [n, { response }] of requests.entries()) {
        const own = answers[n];
        if (own !== undefined) respond(response, own);
      }
    } catch (error) {
      // One request that fails does not fail those that came with it.
      if (requests.length > 1) for (const request of requests) answer([request]);
      else for (const { response } of requests) respond(response, fail(error));
    }
  };
  const flush = (): void => {
    const requests = waiting;
    waiting = [];
    answer(requests);
  };

  const check = (request: IncomingMessage): void => {
    if (request.headers.host !== host && !isOpen) throw unauthorized('AccessDeniedException', `this server is ${host}`);
    if (request.headers.origin !== undefined)
      throw unauthorized('AccessDeniedException', 'no page may use this server');
    if (request.method !== 'POST' || request.url !== '/')
      throw unauthorized('UnknownOperationException', 'operations are posted to /');
  };
  const server = createServer((request, response) => {
    try {
      check(request);
    } catch (error) {
      request.resume();
      if (error instanceof TableError) respond(response, answerError(error));
      return;
    }
    readBody(request, (body) => {
      if (!isOpen && !isSigned(credentials, request.headers, body)) {
        const message = 'the request is not signed with the credentials of this start';
        respond(response, answerError(unauthorized('UnrecognizedClientException', message)));
        return;
      }
      const target = String(request.headers['x-amz-target']);
      const action = target.startsWith(TARGET) ? target.slice(TARGET.length) : target;
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ action, body: body.toString('utf8'), response });
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the table server has no port');
  host = `${LOOPBACK}:${address.port}`;
  return {
    endpoint: `http://${host}`,
    credentials,
    problem: () => problem?.sentence,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      if (waiting.length > 0) flush();
    },
  };
};
