/**
 * A `fetch` that can only reach addresses which were checked before, follows no redirect, and gives no more than so many
 * bytes in all. What it opened is closed when its signal says so. No streams beside answers: a GET is answered here with 405.
 */
import type { IncomingMessage } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';

/** The other side did what is not allowed; the message says what, in fixed words. */
export class RefusedExchange extends Error {
  override readonly name: string = 'RefusedExchange';
}

export interface FetchBounds {
  /** The one URL it may be asked for. */
  readonly url: string;
  readonly addresses: readonly string[];
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

const pinTo = (addresses: readonly string[]): LookupFunction => {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    const [first] = all;
    if (options.all === true) callback(null, [...all]);
    else callback(null, first?.address ?? '', first?.family);
  };
};

const headersOf = (response: IncomingMessage): Headers => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  return headers;
};

/** Statuses that have no body, as `Response` insists. */
const BODILESS: readonly number[] = [101, 204, 205, 304];

export const buildPinnedFetch = ({ url: allowed, addresses, bytesMax, signal }: FetchBounds): typeof fetch => {
  let bytes = 0;
  async function* read(response: IncomingMessage): AsyncGenerator<Uint8Array> {
    for await (const chunk of response) {
      const piece = new Uint8Array(Buffer.from(chunk));
      bytes += piece.byteLength;
      // Leaving the loop ends the connection: the rest is never read.
      if (bytes > bytesMax) throw new RefusedExchange('it sent more than is taken');
      yield piece;
    }
  }
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.href !== allowed) throw new RefusedExchange('it led to another address');
    const method = init?.method ?? 'GET';
    if (method === 'GET') return new Response(null, { status: 405 });
    const host = hostOf(url);
    if (isIP(host) !== 0 && !addresses.includes(host))
      throw new RefusedExchange('its address is none that was checked');
    const body = typeof init?.body === 'string' ? init.body : '';
    const send =
      url.protocol === 'https:'
        ? process.getBuiltinModule('node:https').request
        : process.getBuiltinModule('node:http').request;
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const request = send(url, {
      method,
      agent: false,
      lookup: pinTo(addresses),
      signal,
      headers: {
        ...Object.fromEntries(new Headers(init?.headers)),
        'accept-encoding': 'identity',
        'content-length': String(Buffer.byteLength(body)),
      },
    });
    request.on('error', reject);
    request.once('response', (response) => {
      const status = response.statusCode ?? 0;
      if (status >= 300 && status < 400) {
        response.destroy();
        reject(new RefusedExchange('it answered with a redirect, which is not followed'));
      } else {
        const content = BODILESS.includes(status) ? null : ReadableStream.from(read(response));
        resolve(new Response(content, { status, headers: headersOf(response) }));
      }
    });
    request.end(body);
    return promise;
  };
};
