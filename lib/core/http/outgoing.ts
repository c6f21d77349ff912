/**
 * The one way to send HTTP requests to addresses that a person configured: a `fetch` that follows
 * no redirect, bounds the bytes, and can be pinned to checked addresses. Takes text and bytes only.
 * Throws ProtocolError, UnavailableError, the signal's reason, or the socket's own error.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { ProtocolError, UnavailableError } from '../base/errors.ts';
import { SECOND_MS } from '../base/limits.ts';
import { startPatientTimer } from '../base/start-patient-timer.ts';

/** A kept connection that breaks this early was dead before. */
const STALE_CONNECTION_MS_MAX = SECOND_MS;
/** How long the unread rest of an answer may take, so that its connection can be used again. */
const DRAIN_MS_MAX = 500;

export interface OutgoingOptions {
  /** Names the other side in errors, such as "the provider". */
  readonly peer: string;
  readonly bytesMax: number;
  /** All answers of this `fetch` share `bytesMax`. */
  readonly areBytesShared?: boolean;
  /**
   * Checked IP addresses: the name is not resolved again, but stays that of Host and TLS, and every
   * request has a connection of its own.
   */
  readonly addresses?: readonly string[];
  /** A redirect is an answer to look at; else it is an error. It is never followed here. */
  readonly areRedirectsGiven?: boolean;
  /** Longest wait for a connection, TLS included. */
  readonly connectTimeoutMs?: number;
  /** Of an answer that is a stream: bytes in all, and the longest pause after its first piece. */
  readonly events?: { readonly bytesMax: number; readonly pauseMsMax: number };
}

export type OutgoingFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

interface Exchange {
  readonly open: typeof requestHttps;
  readonly options: OutgoingOptions;
  readonly url: URL;
  readonly init: RequestInit;
  readonly taken: { bytes: number };
}

export const buildOutgoingFetch = (options: OutgoingOptions): OutgoingFetch => {
  const shared = { bytes: 0 };
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    // Sockets do not ask `lookup` about literal addresses, so they are checked here.
    if (options.addresses !== undefined && isIP(host) !== 0 && !options.addresses.includes(host))
      throw new ProtocolError(`the address of ${options.peer} is none of those that were checked`);
    // Importing node:http loads Node's own fetch too, 20 ms of a start. Only this machine has plain
    // http.
    const open = url.protocol === 'https:' ? requestHttps : (await import('node:http')).request;
    const exchange = { open, options, url, init, taken: options.areBytesShared ? shared : { bytes: 0 } };
    return toResponse(exchange, await send(exchange));
  };
};

/** A socket's `lookup` that knows these addresses only. */
const lookupOnly = (addresses: readonly string[]): LookupFunction => {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    const [first] = all;
    if (options.all === true) callback(null, [...all]);
    else callback(null, first?.address ?? '', first?.family);
  };
};

const openRequest = ({ open, options: { addresses }, url, init }: Exchange): ClientRequest => {
  const request = open(url, {
    method: init.method ?? 'GET',
    headers: { ...Object.fromEntries(new Headers(init.headers)), 'accept-encoding': 'identity' },
    ...(addresses === undefined ? {} : { agent: false, lookup: lookupOnly(addresses) }),
  });
  // Not by the option `signal`: Node then destroys the socket with an error, for which nobody
  // listens if the answer has come whole but is not read to its end.
  const abort = (): void => void request.destroy();
  if (init.signal?.aborted) abort();
  init.signal?.addEventListener('abort', abort, { once: true });
  request.once('close', () => init.signal?.removeEventListener('abort', abort));
  return request;
};

/** @returns the answer once its head has come. */
const send = (exchange: Exchange): Promise<IncomingMessage> => {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { connectTimeoutMs, peer } = exchange.options;
  const sentAt = performance.now();
  const request = openRequest(exchange);
  const giveUp = () => request.destroy(new UnavailableError(`Connecting to ${peer} took too long.`));
  const stopTimer = connectTimeoutMs === undefined ? () => undefined : startPatientTimer(connectTimeoutMs, giveUp);
  request.on('socket', (socket) => {
    const isTls = exchange.url.protocol === 'https:';
    if (socket.connecting || (isTls && !request.reusedSocket))
      socket.once(isTls ? 'secureConnect' : 'connect', stopTimer);
    else stopTimer();
  });
  request.once('response', (response) => {
    stopTimer();
    resolve(response);
  });
  request.on('error', (error) => {
    stopTimer();
    // A kept connection that the server had closed says so at once: nothing was asked over it. One
    // that breaks later may have been worked on, and be billed.
    const isAtOnce = performance.now() - sentAt < STALE_CONNECTION_MS_MAX;
    if (exchange.init.signal?.aborted) reject(exchange.init.signal.reason);
    else if (request.reusedSocket && isAtOnce && 'code' in error && error.code === 'ECONNRESET')
      send(exchange).then(resolve, reject);
    else reject(error);
  });
  const { body } = exchange.init;
  request.end(typeof body === 'string' || body instanceof Uint8Array ? body : '');
  return promise;
};

const headersOf = (message: IncomingMessage): Headers => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  return headers;
};

/** Statuses for which `Response` takes no body. */
const BODILESS: readonly number[] = [204, 205, 304];

const toResponse = (exchange: Exchange, message: IncomingMessage): Response => {
  const status = message.statusCode ?? 0;
  const { peer, areRedirectsGiven = false } = exchange.options;
  const refuse = (problem: string): never => {
    message.destroy();
    throw new ProtocolError(problem);
  };
  if (status >= 300 && status < 400 && !areRedirectsGiven)
    refuse(`${peer} answered with a redirect (${status}), which is not followed`);
  if (status < 200 || status > 599) refuse(`${peer} answered with an unknown status`);
  const headers = headersOf(message);
  const isEvents = /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
  const body = ReadableStream.from(readBody(exchange, message, isEvents ? exchange.options.events : undefined));
  if (BODILESS.includes(status)) message.resume();
  return new Response(BODILESS.includes(status) ? null : body, { status, headers });
};

/** The body's pieces as they come, up to the bound. */
async function* readBody(
  { options, taken, init }: Exchange,
  message: IncomingMessage,
  events: OutgoingOptions['events'],
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const bytesMax = events?.bytesMax ?? options.bytesMax;
  let stopTimer = (): void => undefined;
  let hasFailed = false;
  try {
    for await (const chunk of message.iterator({ destroyOnReturn: false })) {
      stopTimer();
      const piece = new Uint8Array(Buffer.from(chunk));
      const left = bytesMax - taken.bytes;
      taken.bytes += piece.byteLength;
      yield piece.subarray(0, left);
      if (piece.byteLength > left)
        throw new ProtocolError(`the answer of ${options.peer} is larger than ${bytesMax} bytes`);
      if (events !== undefined) {
        const stop = () => message.destroy(new UnavailableError(`The answer of ${options.peer} stopped coming.`));
        stopTimer = startPatientTimer(events.pauseMsMax, stop);
      }
    }
    // An aborted answer may end early without an error.
    init.signal?.throwIfAborted();
  } catch (error) {
    hasFailed = true;
    throw init.signal?.aborted ? init.signal.reason : error;
  } finally {
    stopTimer();
    if (hasFailed || options.addresses !== undefined) message.destroy();
    else drain(message);
  }
}

/** The rest that a reader left, so that the kept connection can be used again. */
const drain = (message: IncomingMessage): void => {
  if (message.readableEnded || message.destroyed) return;
  setTimeout(() => message.destroy(), DRAIN_MS_MAX).unref();
  message.on('error', () => undefined).resume();
};
