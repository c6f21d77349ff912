/**
 * A `fetch` for model providers that cannot be made to wait or swell: connecting (with TLS) has its own time bound, the
 * body is read up to a byte bound and then the connection is dropped, and a redirect is an error, because it would carry
 * the key to an address nobody configured. A stream of events is handed on as it comes, within bounds of its own.
 * On `node:http`, since the built-in fetch shows neither of the first two.
 * Fails with UnavailableError (connecting or a pause too long), ProtocolError (too large, a redirect), or the socket's own error.
 */
import type * as Http from 'node:http';
import { ProtocolError, UnavailableError } from '../base/errors.ts';
import { KIB, PROVIDER_CONNECT_TIMEOUT_MS, SECOND_MS } from '../base/limits.ts';
import { PROVIDER_STREAM_IDLE_MS } from './provider-table.ts';

/** Bytes read from a provider's HTTP response before the connection is dropped: a hostile endpoint cannot fill memory. */
export const PROVIDER_RESPONSE_BYTES_MAX = 1024 * KIB;
/** The same of an answer that comes as a stream: each of its tokens is wrapped in some 300 bytes, those a model thinks with too. */
const PROVIDER_STREAM_BYTES_MAX = 8 * 1024 * KIB;
/** A kept connection that breaks within this was dead before: no model has begun to answer by then. */
const STALE_CONNECTION_MS_MAX = SECOND_MS;

export interface FetchBounds {
  readonly connectTimeoutMs: number;
  readonly bytesMax: number;
  /** Of an answer that comes as a stream of events, from its first piece on: longest pause, and bytes in all. */
  readonly streamIdleMs: number;
  readonly streamBytesMax: number;
}

const DEFAULT_BOUNDS: FetchBounds = {
  connectTimeoutMs: PROVIDER_CONNECT_TIMEOUT_MS,
  bytesMax: PROVIDER_RESPONSE_BYTES_MAX,
  streamIdleMs: PROVIDER_STREAM_IDLE_MS.cognition,
  streamBytesMax: PROVIDER_STREAM_BYTES_MAX,
};

interface Exchange {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
}

const headersOf = (message: Http.IncomingMessage): Headers => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return headers;
};

/** How long the rest of a stream may take that nobody reads any more. */
const STREAM_DRAIN_MS = 500;

/** A body that is read while it comes. */
const streamBody = (message: Http.IncomingMessage, bounds: FetchBounds): ReadableStream<Uint8Array> => {
  let isOver = false;
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const end = (close: () => void): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    close();
  };
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      const fail = (error: unknown): void => {
        end(() => controller.error(error));
        message.destroy();
      };
      message.on('data', (chunk: Buffer) => {
        if (isOver) return;
        bytes += chunk.length;
        if (bytes > bounds.streamBytesMax)
          return fail(new ProtocolError(`the provider's answer is larger than ${bounds.streamBytesMax} bytes`));
        clearTimeout(timer);
        timer = setTimeout(
          () => fail(new UnavailableError('The provider stopped in the middle of its answer.')),
          bounds.streamIdleMs,
        );
        controller.enqueue(new Uint8Array(chunk));
        if ((controller.desiredSize ?? 0) <= 0) message.pause();
      });
      message.on('end', () => end(() => controller.close()));
      message.on('error', fail);
      message.on('close', () => fail(new UnavailableError('The provider closed the connection.')));
    },
    pull: () => {
      message.resume();
    },
    cancel: () => {
      end(() => undefined);
      // What is left is mostly nothing: read to its end, the connection can be used again.
      setTimeout(() => message.destroy(), STREAM_DRAIN_MS).unref();
      message.resume();
    },
  });
};

const isEventStream = (headers: Headers): boolean => /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');

/** Reads one response to its end, or fails as soon as it is known to be unusable. */
const readResponse = (message: Http.IncomingMessage, bounds: FetchBounds): Promise<Exchange> =>
  new Promise((resolve, reject) => {
    const status = message.statusCode ?? 0;
    const refuse = (problem: string): void => {
      message.destroy();
      reject(new ProtocolError(problem));
    };
    if (status >= 300 && status < 400) return refuse('the provider answered with a redirect');
    if (status < 200 || status > 599) return refuse('the provider answered with an unknown status');
    const headers = headersOf(message);
    if (isEventStream(headers)) return resolve({ status, headers, body: streamBody(message, bounds) });
    const chunks: Buffer[] = [];
    let bytes = 0;
    message.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bounds.bytesMax) refuse(`the provider's answer is larger than ${bounds.bytesMax} bytes`);
      else chunks.push(chunk);
    });
    message.on('end', () => resolve({ status, headers, body: new Uint8Array(Buffer.concat(chunks)) }));
    message.on('error', reject);
    message.on('close', () => reject(new UnavailableError('The provider closed the connection.')));
  });

const exchange = (url: URL, init: RequestInit, body: string, bounds: FetchBounds): Promise<Exchange> =>
  new Promise((resolve, reject) => {
    const isTls = url.protocol === 'https:';
    const sentAt = performance.now();
    // Not imported: an `import` of node:http loads all it could ever need, a fifth of the function's start.
    const send = isTls ? process.getBuiltinModule('node:https').request : process.getBuiltinModule('node:http').request;
    const request = send(url, {
      method: init.method ?? 'GET',
      headers: { ...Object.fromEntries(new Headers(init.headers)), 'accept-encoding': 'identity' },
      ...(init.signal ? { signal: init.signal } : {}),
    });
    const timer = setTimeout(() => {
      request.destroy(new UnavailableError('Connecting to the provider took too long.'));
    }, bounds.connectTimeoutMs);
    const stop = (): void => clearTimeout(timer);
    request.on('socket', (socket) => {
      if (socket.connecting || (isTls && !request.reusedSocket)) socket.once(isTls ? 'secureConnect' : 'connect', stop);
      else stop();
    });
    request.on('response', (message) => {
      stop();
      readResponse(message, bounds).then(resolve, reject);
    });
    request.on('error', (error) => {
      stop();
      // A kept-alive connection the server had closed long ago says so at once, and nothing was asked over it; one that breaks
      // later may have been worked on, and be billed.
      const isAtOnce = performance.now() - sentAt < STALE_CONNECTION_MS_MAX;
      if (request.reusedSocket && isAtOnce && 'code' in error && error.code === 'ECONNRESET') {
        exchange(url, init, body, bounds).then(resolve, reject);
      } else reject(error);
    });
    request.end(body);
  });

/** A `fetch` within these bounds. Takes text bodies only, which is all that a model is sent. */
export const buildBoundedFetch =
  (given: Partial<FetchBounds> = {}) =>
  async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    const bounds = { ...DEFAULT_BOUNDS, ...given };
    const { status, headers, body } = await exchange(url, init, typeof init.body === 'string' ? init.body : '', bounds);
    const isBodyless = status === 204 || status === 205;
    return new Response(isBodyless ? null : body, { status, headers });
  };
