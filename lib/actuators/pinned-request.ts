/**
 * One POST over a connection that can only go to addresses checked before: the name is never resolved again, while Host
 * and TLS server name stay the name. Nothing is reused (a kept connection could lead to an older address) and redirects
 * are not followed. All of it, slow bodies too, ends within the timeout, and at most so many bytes are kept. Rejects
 * when no status came; a body that broke off or was too long is given as far as it came.
 */
import type { IncomingMessage } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';

export interface PinnedRequest {
  readonly url: string;
  /** Literal IP addresses; at least one. */
  readonly addresses: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  readonly responseBytesMax: number;
}

export interface PinnedResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: string;
  /** False when the body was cut: too long, too slow or broken off. */
  readonly isComplete: boolean;
}

/** No status within the timeout. */
export class NoAnswerError extends Error {
  override readonly name: string = 'NoAnswerError';
}

/** The URL's host is a literal address that is not among those checked. */
export class WrongAddressError extends Error {
  override readonly name: string = 'WrongAddressError';
}

/** Host as sockets take it: IPv6 without brackets. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

const pinTo = (addresses: readonly string[]): LookupFunction => {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    const [first] = all;
    if (options.all === true) callback(null, [...all]);
    else callback(null, first?.address ?? '', first?.family);
  };
};

const readBody = async (
  response: IncomingMessage,
  bytesMax: number,
): Promise<Pick<PinnedResponse, 'body' | 'isComplete'>> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isComplete = true;
  try {
    for await (const chunk of response) {
      const buffer = Buffer.from(chunk);
      chunks.push(buffer);
      bytes += buffer.byteLength;
      // Leaving the loop ends the connection: the rest is never read.
      if (bytes > bytesMax) break;
    }
  } catch {
    isComplete = false;
  }
  return {
    body: Buffer.concat(chunks).subarray(0, bytesMax).toString('utf8'),
    isComplete: isComplete && bytes <= bytesMax,
  };
};

export const sendPinned = async (pinned: PinnedRequest): Promise<PinnedResponse> => {
  const url = new URL(pinned.url);
  const host = hostOf(url);
  // Sockets do not ask `lookup` about literal addresses, so the pin is checked here.
  if (isIP(host) !== 0 && !pinned.addresses.includes(host)) throw new WrongAddressError();
  // Not imported: an `import` of node:http loads all it could ever need, a fifth of the function's start.
  const send =
    url.protocol === 'https:'
      ? process.getBuiltinModule('node:https').request
      : process.getBuiltinModule('node:http').request;
  const { promise, resolve, reject } = Promise.withResolvers<PinnedResponse>();
  const request = send(url, {
    method: 'POST',
    agent: false,
    lookup: pinTo(pinned.addresses),
    headers: {
      ...pinned.headers,
      'accept-encoding': 'identity',
      'content-length': String(Buffer.byteLength(pinned.body)),
    },
  });
  const timer = setTimeout(() => request.destroy(new NoAnswerError()), pinned.timeoutMs);
  request.on('error', reject);
  request.once('response', (response) => {
    // From here on there is an answer: what goes wrong only cuts its body.
    request.off('error', reject).on('error', () => undefined);
    void readBody(response, pinned.responseBytesMax).then((read) => {
      request.destroy();
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], ...read });
    });
  });
  request.end(pinned.body);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
};
