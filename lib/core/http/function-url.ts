/**
 * Requests and responses of the HTTP functions: every answer is built here, so that all carry the
 * same protective headers. Messages never quote a request.
 */
import * as z from 'zod/mini';
import { DATA_VERSION } from '../base/data-version.ts';
import {
  ConditionError,
  ContendedError,
  NewerDataError,
  NotFoundError,
  PassepartoutError,
  ProtocolError,
  UnavailableError,
} from '../base/errors.ts';
import { API_VERSION, VERSION, VERSION_HEADER } from '../base/version.ts';

/** POSTs to these paths go to the control function, which has a URL of its own. */
export const CONTROL_PATH = /^\/api\/(?:stop|resume|approvals\/[^/]+)$/;

export interface HttpRequest {
  readonly method: string;
  /** Decoded path without query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

export interface HttpResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isBase64Encoded?: boolean;
}

/** The members of a function URL event that are read. Header names are lower-case there. */
export const FunctionUrlEvent = z.object({
  rawPath: z.string(),
  rawQueryString: z.optional(z.string()),
  headers: z.optional(z.record(z.string(), z.optional(z.string()))),
  body: z.optional(z.nullable(z.string())),
  isBase64Encoded: z.optional(z.boolean()),
  requestContext: z.object({ http: z.object({ method: z.string() }) }),
});
export type FunctionUrlEvent = z.infer<typeof FunctionUrlEvent>;

/** A request refused with a status of its own. */
export class HttpError extends PassepartoutError {
  override readonly name: string = 'HttpError';
  readonly statusCode: number;
  readonly code: string;
  constructor(statusCode: number, code: string, message: string) {
    super(message, false);
    this.statusCode = statusCode;
    this.code = code;
  }
}

const decodePath = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new ProtocolError('path is not valid percent-encoding');
  }
};

/** @throws ProtocolError if the event is not one of a function URL */
export const parseRequest = (event: unknown): HttpRequest => {
  const parsed = FunctionUrlEvent.safeParse(event);
  if (!parsed.success) throw new ProtocolError('event is not an HTTP request');
  const { rawPath, rawQueryString, headers = {}, body, isBase64Encoded, requestContext } = parsed.data;
  return {
    method: requestContext.http.method.toUpperCase(),
    path: decodePath(rawPath),
    query: new URLSearchParams(rawQueryString ?? ''),
    headers,
    // Decoded when it is read: a request that is refused at the door never gets so far.
    get body() {
      return Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8');
    },
  };
};

const HEADERS = {
  [VERSION_HEADER]: `${VERSION}; data=${DATA_VERSION}; api=${API_VERSION}`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

export const respondJson = (
  statusCode: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => respondJsonText(JSON.stringify(value), statusCode, headers);

/** @param body JSON already, whose bytes matter */
export const respondJsonText = (
  body: string,
  statusCode = 200,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => ({
  statusCode,
  headers: {
    ...HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...headers,
  },
  body,
});

const PLAIN = { ...HEADERS, 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" } as const;

export const respondText = (
  text: string,
  statusCode = 200,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => ({
  statusCode,
  headers: { ...PLAIN, 'content-type': 'text/plain; charset=utf-8', ...headers },
  body: text,
});

export const respondBytes = (bytes: Uint8Array): HttpResponse => ({
  statusCode: 200,
  headers: { ...PLAIN, 'content-type': 'application/octet-stream' },
  body: Buffer.from(bytes).toString('base64'),
  isBase64Encoded: true,
});

/** The server-sent events there are by now: the reader asks for the next ones after `retryMs`. */
export const respondEvents = (events: string, retryMs: number): HttpResponse => ({
  statusCode: 200,
  headers: { ...PLAIN, 'content-type': 'text/event-stream; charset=utf-8' },
  body: `retry: ${retryMs}\n\n${events}`,
});

export const respondHtml = (html: string, contentSecurityPolicy: string): HttpResponse => ({
  statusCode: 200,
  headers: {
    ...HEADERS,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy,
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  },
  body: html,
});

export const respondScript = (
  script: string,
  contentSecurityPolicy: string,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => ({
  statusCode: 200,
  headers: {
    ...HEADERS,
    'content-type': 'text/javascript; charset=utf-8',
    'content-security-policy': contentSecurityPolicy,
    ...headers,
  },
  body: script,
});

type Headers = Readonly<Record<string, string>>;

const respondError = (statusCode: number, code: string, message: string, headers?: Headers) =>
  respondJson(statusCode, { error: { code, message } }, headers);

/** @param at when its day begins anew */
export const respondTooMany = (limit: number, at: number, now: number): HttpResponse => {
  const message = `this source has sent all ${limit} events of today; it begins anew at 00:00 UTC`;
  return respondError(429, 'too-many', message, { 'retry-after': String(Math.ceil((at - now) / 1000)) });
};

/** @param at when it may be tried again */
export const respondTooOften = (at: number, now: number): HttpResponse => {
  const seconds = String(Math.ceil((at - now) / 1000));
  return respondError(429, 'too-many', `too many unproven requests; try again in ${seconds} s`, {
    'retry-after': seconds,
  });
};

/**
 * One that was not raised on purpose is a bare 500: no internals leave.
 * @param say its words in the language of whoever asked
 */
export const respondFailure = (error: unknown, say = (text: string): string => text): HttpResponse => {
  const respond = (status: number, code: string, message: string, headers?: Headers) =>
    respondError(status, code, say(message), headers);
  if (error instanceof HttpError) {
    const headers = error.statusCode === 401 ? { 'www-authenticate': 'Bearer' } : {};
    return respond(error.statusCode, error.code, error.message, headers);
  }
  if (error instanceof NotFoundError) return respond(404, 'not-found', error.problem);
  if (error instanceof ProtocolError) return respond(400, 'malformed', error.problem);
  if (error instanceof UnavailableError || error instanceof ContendedError || error instanceof NewerDataError)
    return respond(503, 'unavailable', `Nothing was accepted. ${error.message}`, { 'retry-after': '1' });
  if (error instanceof ConditionError) {
    const message = `nothing was changed, because this no longer holds: ${error.condition}; look again, then repeat it`;
    return respond(409, 'conflict', message);
  }
  if (error instanceof PassepartoutError) return respond(500, 'broken', error.message);
  return respond(500, 'internal', 'something went wrong here; it is in the log');
};
