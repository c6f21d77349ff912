/**
 * HTTP for programs of this start alone, on the loopback interface. A request that does not name
 * the server once, or that a browser sends, is refused before its body is read; a signed server
 * takes only what this start's credentials signed.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { findProgramRefusal } from './request-check.ts';
import { type Credentials, isSigned, type Service } from './table-server/signature.ts';

type Handle = (request: IncomingMessage, body: Buffer, response: ServerResponse) => void;

export interface LoopbackServer {
  readonly origin: string;
  readonly stop: () => Promise<void>;
}

export const LOOPBACK = '127.0.0.1';
/** DynamoDB's own bound of a request; the other servers get less. */
const BODY_BYTES_MAX = 16 * 1024 * 1024;
/** A client's idle connections stay open: one closed at the wrong moment would fail a request. */
const KEEP_ALIVE_MS = 10 * 60_000;

/** @param body JSON */
export const respond = (
  response: ServerResponse,
  status: number,
  body: string,
  type = 'application/x-amz-json-1.0',
): void => {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
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

/** In the form of an AWS service; others read only the status. */
const refuse = (response: ServerResponse, status: number, type: string, message: string): void =>
  respond(response, status, JSON.stringify({ __type: `com.amazon.coral.service#${type}`, message }));

/** @param isOpen for tests that put a proxy in between: takes requests under any name */
export const startLoopbackServer = async (handle: Handle, isOpen = false): Promise<LoopbackServer> => {
  let host = '';
  const server = createServer((request, response) => {
    const refusal = isOpen ? undefined : findProgramRefusal(request, [host]);
    if (refusal === undefined) {
      readBody(request, (body) => handle(request, body, response));
      return;
    }
    request.resume();
    refuse(response, refusal.status, 'AccessDeniedException', refusal.message);
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  host = `${LOOPBACK}:${address.port}`;
  return {
    origin: `http://${host}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};

export interface SignedServerOptions {
  readonly service: Service;
  readonly credentials: Credentials;
  /** Of its one operation. Default: `/`. */
  readonly path?: string;
  /** For tests that put a proxy in between: takes requests under any name and signature. */
  readonly isOpen?: boolean;
  /** Whether other credentials than those of the start signed a request that they may make. */
  readonly isGranted?: (request: IncomingMessage, body: Buffer) => boolean;
  readonly handle: Handle;
}

export const startSignedServer = (options: SignedServerOptions) => {
  const { service, credentials, path = '/', isOpen, isGranted, handle } = options;
  const mayAsk = (request: IncomingMessage, body: Buffer): boolean =>
    isOpen === true ||
    isSigned(credentials, service, request.headers, body, path) ||
    isGranted?.(request, body) === true;
  return startLoopbackServer((request, body, response) => {
    if (request.method !== 'POST' || request.url !== path)
      refuse(response, 403, 'UnknownOperationException', `operations are posted to ${path}`);
    else if (mayAsk(request, body)) handle(request, body, response);
    else {
      const message = 'the request is not signed with the credentials of this start';
      refuse(response, 403, 'UnrecognizedClientException', message);
    }
  }, isOpen);
};
