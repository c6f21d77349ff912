/**
 * The HTTP front of the local stack. Before a function runs, it refuses foreign or several Host
 * headers (a page may point its name at this machine), other origins, unknown paths and tokens, and
 * large bodies. Requests without a token or a proof share one run for each path, without a body,
 * and over a bound each is answered a second later.
 */

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { defined } from '../../lib/core/base/defined.ts';
import { ConfigError } from '../../lib/core/base/errors.ts';
import { BODY_BYTES_MAX, MINUTE_MS, SECOND_MS, WEBHOOK_BYTES_MAX } from '../../lib/core/base/limits.ts';
import { buildCountUnproven, type CountUnproven } from '../../lib/core/http/count-unproven.ts';
import { respondTooOften } from '../../lib/core/http/function-url.ts';
import type { Variables } from '../../lib/core/store/settings.ts';
import { INGRESS_TIMEOUT_MS } from '../function-spec.ts';
import { InvocationError } from './environment.ts';
import { buildError, buildHttpEvent, type HttpAnswer, parseHttpAnswer } from './http-event.ts';
import { findRefusal, loopbackHosts } from './request-check.ts';

/** A connection that closes at the moment of the next request fails it. */
export const LOCAL_KEEP_ALIVE_MS = 5 * MINUTE_MS;
/** A request may take this long to send its headers, and this long to send all of it. */
const LOCAL_HEADERS_WAIT_MS = 5 * SECOND_MS;
const LOCAL_BODY_WAIT_MS = 15 * SECOND_MS;
/** A connection ends if nothing moves on it for longer than any function runs. */
const LOCAL_SOCKET_IDLE_MS = 2 * INGRESS_TIMEOUT_MS;

/** Streams held at once. Health, stop and approvals find a place beyond them. */
export const LOCAL_STREAMS_MAX = 256;

/** Open connections; the next is closed at once. Each takes a file of the process's thousands. */
export const LOCAL_CONNECTIONS_MAX = 1_024;

/** Running functions get this long to end when the stack stops. The sweep takes up the rest. */
export const LOCAL_STOP_GRACE_MS = 3 * SECOND_MS;

export interface Route {
  /** `/telegram` serves what is below it too; `/webhook/` only that; `/` only itself. */
  readonly prefix: string;
  readonly invoke: (event: unknown) => Promise<unknown>;
  /** May be reached under the public name as well, through a tunnel or a reverse proxy. */
  readonly isPublic: boolean;
  /**
   * Tells whether a token opens the route. Without one, `/api/` is refused before its body is read;
   * everything else is the same for everybody. Absent if only the function can tell.
   */
  readonly isToken?: (authorization: string | undefined) => boolean;
  /** Tells by its head alone what of a request the function needs. Absent: all of it. */
  readonly checkHead?: CheckHead;
}

export interface RequestHead {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** `head`: its body is not read, as nothing in the head may prove it. `too-many`: it is refused. */
export type HeadVerdict = 'all' | 'head' | { readonly tooManyUntil: number };
export type CheckHead = (head: RequestHead) => HeadVerdict;

export interface HeadCheck {
  /** Name of its function. */
  readonly of: string;
  readonly build: (environment: Variables) => CheckHead;
}

export interface HttpFrontOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly routes: readonly Route[];
  /** Host name (and port) of the public URL, if there is one. */
  readonly publicHost: string | undefined;
  /** Problems that only this machine knows, such as a full disk; /health reports them. */
  readonly problems?: () => readonly string[];
  /** The one of them for which nothing is answered. */
  readonly silence?: () => string | undefined;
}

export interface HttpFront {
  readonly url: string;
  readonly port: number;
  /** Takes no more connections; lets running requests end for a moment. */
  readonly stop: () => Promise<void>;
}

/** Finds the route of a path: the longest prefix wins. */
export const findRoute = (routes: readonly Route[], path: string): Route | undefined =>
  routes
    .filter(({ prefix }) => {
      if (prefix === '/') return path === '/';
      return prefix.endsWith('/') ? path.startsWith(prefix) : `${path}/`.startsWith(`${prefix}/`);
    })
    .sort((a, b) => b.prefix.length - a.prefix.length)[0];

/** A person can mend a port that is taken. */
const portProblem = (error: NodeJS.ErrnoException, port: number): Error => {
  if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') return error;
  const why = error.code === 'EACCES' ? 'not permitted' : 'another program listens there';
  return new ConfigError([`PORT: ${port} cannot be used (${why}); set another, or 0 for any free one`]);
};

/** @throws ConfigError if the port is taken */
const listen = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) => reject(portProblem(error, port))).listen(port, host, resolve);
  });

/** Tells of a taken port before the start has built anything. @throws ConfigError */
export const checkPort = async (host: string, port: number): Promise<void> => {
  const server = createServer();
  await listen(server, host, port);
  await stopServer(server);
};

/** Reads the body; gives undefined as soon as it is too long. */
const readBody = async (request: IncomingMessage, bytesMax: number): Promise<Buffer | undefined> => {
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part: Buffer = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > bytesMax) return undefined;
    chunks.push(part);
  }
  return Buffer.concat(chunks);
};

const flattenHeaders = (request: IncomingMessage): Record<string, string> => {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(',') : value;
  }
  return flat;
};

const TOO_MANY = buildError(503, 'unavailable', 'too many requests are waiting, or the stack is stopping; try again');

const describeFailure = (error: unknown): HttpAnswer => {
  if (!(error instanceof InvocationError)) return buildError(502, 'function-failed', 'the function failed');
  const isBusy = error.outcome === 'overloaded' || error.outcome === 'stopped';
  return isBusy
    ? TOO_MANY
    : buildError(502, 'function-failed', `the function ${error.functionName} ${error.outcome}; its log says why`);
};

/** Calls without a proof that a door answers at once. A page that loads makes some ten. */
export const LOCAL_UNPROVEN_A_MINUTE_MAX = 120;
/** A loop that waits for its answers goes no faster than this once it is over a bound. */
const LOCAL_TOO_MANY_WAIT_MS = SECOND_MS;

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST'];

/** The answer that the function itself would give. */
const UNAUTHORIZED = buildError(401, 'unauthorized', 'a valid bearer token is needed', {
  'www-authenticate': 'Bearer',
});

/** The page that says what a person can do about a problem of this machine. */
const PLACE = 'infra/troubleshooting.md';
const placed = (problem: string): string => `${problem.replace(/\.$/, '')} (${PLACE})`;

/**
 * One without reasons gets only the status.
 * @param silence the problem for which nothing is answered
 */
export const addProblems = (answer: HttpAnswer, problems: readonly string[], silence?: string): HttpAnswer => {
  if (problems.length === 0) return answer;
  const health = z
    .looseObject({
      status: z.string(),
      reasons: z.optional(z.array(z.string())),
      because: z.optional(z.string()),
    })
    .safeParse(JSON.parse(answer.body.toString('utf8')));
  if (!health.success) return answer;
  const { status, reasons, because = silence && placed(silence) } = health.data;
  const merged = {
    ...health.data,
    status: status === 'unhealthy' ? status : 'degraded',
    ...(reasons === undefined ? {} : { reasons: [...reasons, ...problems.map(placed)], ...defined({ because }) }),
  };
  return { ...answer, body: Buffer.from(JSON.stringify(merged)) };
};

interface Front {
  readonly options: HttpFrontOptions;
  /** Streams under way. */
  streams: number;
  /** By method and path, the runs without a token that are under way. */
  readonly openRuns: Map<string, Promise<HttpAnswer>>;
  readonly countUnproven: CountUnproven;
  port: number;
}

const runRoute = async (
  { options }: Front,
  route: Route,
  path: string,
  request: IncomingMessage,
  body: Buffer,
): Promise<HttpAnswer> => {
  const isHealth = path === '/health';
  const event = buildHttpEvent({
    method: request.method ?? 'GET',
    target: request.url ?? '/',
    // Problems of this machine are added to plain JSON below.
    headers: { ...flattenHeaders(request), ...(isHealth && { 'accept-encoding': 'identity' }) },
    body,
    sourceIp: request.socket.remoteAddress ?? '',
    requestId: randomUUID(),
    nowMs: Date.now(),
  });
  try {
    const answer = parseHttpAnswer(await route.invoke(event));
    return isHealth ? addProblems(answer, options.problems?.() ?? [], options.silence?.()) : answer;
  } catch (error) {
    return describeFailure(error);
  }
};

const NO_BODY = Buffer.alloc(0);

/** By these the answers to one method and path differ. */
const SHARED_BY = ['accept-encoding', 'if-none-match'] as const;

/** Gives the run of this method, path and these headers that is under way, or starts one. */
const shareRun = (front: Front, route: Route, path: string, request: IncomingMessage): Promise<HttpAnswer> => {
  const name = [request.method, path, ...SHARED_BY.map((header) => request.headers[header] ?? '')].join(' ');
  const run =
    front.openRuns.get(name) ??
    runRoute(front, route, path, request, NO_BODY).finally(() => {
      front.openRuns.delete(name);
    });
  front.openRuns.set(name, run);
  return run;
};

const runStream = async (front: Front, run: () => Promise<HttpAnswer>): Promise<HttpAnswer> => {
  if (front.streams >= LOCAL_STREAMS_MAX) return TOO_MANY;
  front.streams += 1;
  try {
    return await run();
  } finally {
    front.streams -= 1;
  }
};

const pathOf = ({ url = '/' }: IncomingMessage): string => url.replace(/[?#].*$/s, '');

const answerTo = async (front: Front, request: IncomingMessage): Promise<HttpAnswer> => {
  const { routes, publicHost } = front.options;
  const path = pathOf(request);
  const route = findRoute(routes, path);
  const publicHosts = route?.isPublic === true && publicHost !== undefined ? [publicHost] : [];
  const refusal = findRefusal(request, [...loopbackHosts(front.port), ...publicHosts]);
  if (refusal !== undefined) return buildError(refusal.status, 'refused', refusal.message);
  if (!METHODS.includes(request.method ?? '') && !(request.method === 'OPTIONS' && path.startsWith('/webhook/')))
    return buildError(405, 'method-not-allowed', 'this server takes GET, HEAD and POST');
  if (route === undefined) return buildError(404, 'not-found', 'there is nothing at this path');
  if (route.isToken !== undefined && !route.isToken(request.headers.authorization))
    return route.prefix.startsWith('/api/') ? UNAUTHORIZED : shareRun(front, route, path, request);
  if (route.checkHead !== undefined) return answerChecked(front, route, route.checkHead, path, request);
  return answerWhole(front, route, path, request);
};

const answerChecked = async (
  front: Front,
  route: Route,
  checkHead: NonNullable<Route['checkHead']>,
  path: string,
  request: IncomingMessage,
): Promise<HttpAnswer> => {
  const { method = 'GET' } = request;
  const verdict = checkHead({ method, path, headers: flattenHeaders(request) });
  if (verdict === 'all') return answerWhole(front, route, path, request);
  if (verdict !== 'head') return parseHttpAnswer(respondTooOften(verdict.tooManyUntil, Date.now()));
  return method === 'POST' ? shareRun(front, route, path, request) : runRoute(front, route, path, request, NO_BODY);
};

/** A loop of calls that prove nothing takes no time from the owner's turns. */
const holdBack = async (front: Front, request: IncomingMessage, statusCode: number): Promise<void> => {
  const route = findRoute(front.options.routes, pathOf(request));
  const isProven =
    route?.isToken === undefined
      ? request.method === 'POST' && statusCode < 400
      : route.isToken(request.headers.authorization);
  if (isProven) return;
  const isOver = front.countUnproven(route?.prefix ?? '', Date.now()) !== undefined;
  if (isOver || statusCode === 429) await sleep(LOCAL_TOO_MANY_WAIT_MS);
};

const answerWhole = async (front: Front, route: Route, path: string, request: IncomingMessage): Promise<HttpAnswer> => {
  const bytesMax = route.prefix === '/webhook/' ? WEBHOOK_BYTES_MAX : BODY_BYTES_MAX;
  const body = await readBody(request, bytesMax);
  if (body === undefined) return buildError(413, 'too-large', `a body may have at most ${bytesMax} bytes`);
  const run = () => runRoute(front, route, path, request, body);
  return path.endsWith('/stream') ? runStream(front, run) : run();
};

const respond = async (front: Front, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const answer = await answerTo(front, request);
  await holdBack(front, request, answer.statusCode);
  // The rest of a refused body is not read: the connection ends with the answer.
  if (!request.complete) response.setHeader('connection', 'close');
  for (const [name, value] of Object.entries(answer.headers)) {
    response.setHeader(name, typeof value === 'string' ? value : [...value]);
  }
  response.writeHead(answer.statusCode, { 'content-length': answer.body.length });
  response.end(request.method === 'HEAD' ? undefined : answer.body);
};

const stopServer = async (server: Server): Promise<void> => {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), LOCAL_STOP_GRACE_MS);
  await closed;
  clearTimeout(timer);
};

/** @throws ConfigError if the port cannot be used */
export const startHttpFront = async (options: HttpFrontOptions): Promise<HttpFront> => {
  const front: Front = {
    options,
    streams: 0,
    openRuns: new Map(),
    countUnproven: buildCountUnproven(LOCAL_UNPROVEN_A_MINUTE_MAX),
    port: options.port,
  };
  const bounds = {
    headersTimeout: LOCAL_HEADERS_WAIT_MS,
    requestTimeout: LOCAL_BODY_WAIT_MS,
    connectionsCheckingInterval: LOCAL_HEADERS_WAIT_MS,
    keepAliveTimeout: LOCAL_KEEP_ALIVE_MS,
  };
  const server = createServer(bounds, (request, response) => {
    respond(front, request, response).catch(() => response.destroy());
  });
  server.setTimeout(LOCAL_SOCKET_IDLE_MS);
  server.maxConnections = LOCAL_CONNECTIONS_MAX;
  await listen(server, options.host, options.port);
  const address = server.address();
  if (address !== null && typeof address !== 'string') front.port = address.port;
  const host = isIPv6(options.host) ? `[${options.host}]` : options.host;
  return { url: `http://${host}:${front.port}`, port: front.port, stop: () => stopServer(server) };
};
