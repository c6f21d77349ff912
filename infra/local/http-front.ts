/**
 * The HTTP front of the local stack: one port for what are four function URLs in the cloud, routed
 * by longest prefix. Refuses before any function runs: foreign or several Host headers (a web page
 * whose name was re-pointed at this machine), pages of other origins, unknown paths and tokens,
 * bodies over the limit. Requests without a token share the run of the path they ask for: any
 * number takes one. Listens on loopback only. Failures of a function are a 502, too many a 503.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import * as z from 'zod';
import { ConfigError } from '../../lib/base/errors.ts';
import { BODY_BYTES_MAX, MINUTE_MS, SECOND_MS } from '../../lib/base/limits.ts';
import { INGRESS_TIMEOUT_MS } from '../limits.ts';
import { buildError, buildHttpEvent, type HttpAnswer, parseHttpAnswer } from './http-event.ts';
import { InvocationError } from './invocation-error.ts';
import { LOCAL_STOP_GRACE_MS } from './limits.ts';
import { findRefusal, loopbackHosts } from './request-check.ts';

/**
 * An idle connection to the local stack. Far beyond what a client is busy with itself between two requests (reading a folder):
 * one that is closed in the moment of the next request fails it.
 */
export const LOCAL_KEEP_ALIVE_MS = 5 * MINUTE_MS;
/** How long a request to the local stack may take to send its headers, and all of it. */
const LOCAL_HEADERS_WAIT_MS = 5 * SECOND_MS;
const LOCAL_BODY_WAIT_MS = 15 * SECOND_MS;
/**
 * A connection on which nothing moves, longer than any function runs: its reader takes nothing of
 * the answer.
 */
const LOCAL_SOCKET_IDLE_MS = 2 * INGRESS_TIMEOUT_MS;

export interface Route {
  /**
   * `/telegram` serves itself and what is below it; `/webhook/` only what is below; `/` only
   * itself.
   */
  readonly prefix: string;
  readonly invoke: (event: unknown) => Promise<unknown>;
  /** May be reached under the public name as well, through a tunnel or a reverse proxy. */
  readonly isPublic: boolean;
  /**
   * Whether a token opens the route. Without one `/api/` is refused before its body is read, and
   * whatever else the route serves is the same for everybody. Absent where the function alone can
   * tell.
   */
  readonly isToken?: (authorization: string | undefined) => boolean;
}

export interface HttpFrontOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly routes: readonly Route[];
  /** Host name (and port) of the public URL, if there is one. */
  readonly publicHost: string | undefined;
  /** Sentences about what only this machine knows (a full disk); /health reports them. */
  readonly problems?: () => readonly string[];
}

export interface HttpFront {
  readonly url: string;
  readonly port: number;
  /** Takes no more connections; lets running requests end for a moment. */
  readonly stop: () => Promise<void>;
}

/** The route of a path, longest prefix first. Pure. */
export const findRoute = (routes: readonly Route[], path: string): Route | undefined =>
  routes
    .filter(({ prefix }) => {
      if (prefix === '/') return path === '/';
      return prefix.endsWith('/') ? path.startsWith(prefix) : `${path}/`.startsWith(`${prefix}/`);
    })
    .sort((a, b) => b.prefix.length - a.prefix.length)[0];

/** A taken port is the one failure here that a person can mend at once. */
const portProblem = (error: NodeJS.ErrnoException, port: number): Error => {
  if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') return error;
  const why = error.code === 'EACCES' ? 'not permitted' : 'another program listens there';
  return new ConfigError([`PORT: ${port} cannot be used (${why}); set another, or 0 for any free one`]);
};

/** The body, or undefined as soon as it is too long. */
const readBody = async (request: IncomingMessage): Promise<Buffer | undefined> => {
  if (Number(request.headers['content-length'] ?? 0) > BODY_BYTES_MAX) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part: Buffer = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > BODY_BYTES_MAX) return undefined;
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

const describeFailure = (error: unknown): HttpAnswer => {
  if (!(error instanceof InvocationError)) return buildError(502, 'function-failed', 'the function failed');
  const isBusy = error.outcome === 'overloaded' || error.outcome === 'stopped';
  return isBusy
    ? buildError(503, 'unavailable', 'too many requests are waiting, or the stack is stopping; try again')
    : buildError(502, 'function-failed', `the function ${error.functionName} ${error.outcome}; its log says why`);
};

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST'];

/** As the function itself would answer. */
const UNAUTHORIZED = buildError(401, 'unauthorized', 'a valid bearer token is needed', {
  'www-authenticate': 'Bearer',
});

/**
 * Adds this machine's own problems to the answer of /health; to one without reasons, their weight
 * alone. Pure.
 */
export const addProblems = (answer: HttpAnswer, problems: readonly string[]): HttpAnswer => {
  if (problems.length === 0) return answer;
  const health = z
    .looseObject({ status: z.string(), reasons: z.optional(z.array(z.string())) })
    .safeParse(JSON.parse(answer.body.toString('utf8')));
  if (!health.success) return answer;
  const { status, reasons } = health.data;
  const merged = {
    ...health.data,
    status: status === 'unhealthy' ? status : 'degraded',
    ...(reasons === undefined ? {} : { reasons: [...reasons, ...problems] }),
  };
  return { ...answer, body: Buffer.from(JSON.stringify(merged)) };
};

export const startHttpFront = async (options: HttpFrontOptions): Promise<HttpFront> => {
  let port = options.port;

  const runRoute = async (route: Route, path: string, request: IncomingMessage, body: Buffer): Promise<HttpAnswer> => {
    const event = buildHttpEvent({
      method: request.method ?? 'GET',
      target: request.url ?? '/',
      headers: flattenHeaders(request),
      body,
      sourceIp: request.socket.remoteAddress ?? '',
      requestId: randomUUID(),
      nowMs: Date.now(),
    });
    try {
      const answer = parseHttpAnswer(await route.invoke(event));
      return path === '/health' ? addProblems(answer, options.problems?.() ?? []) : answer;
    } catch (error) {
      return describeFailure(error);
    }
  };

  const openRuns = new Map<string, Promise<HttpAnswer>>();
  /** The run of this method and path that is under way, or a new one. */
  const shareRun = (route: Route, path: string, request: IncomingMessage): Promise<HttpAnswer> => {
    const name = `${request.method} ${path}`;
    const run =
      openRuns.get(name) ??
      runRoute(route, path, request, Buffer.alloc(0)).finally(() => {
        openRuns.delete(name);
      });
    openRuns.set(name, run);
    return run;
  };

  const answerTo = async (request: IncomingMessage): Promise<HttpAnswer> => {
    const path = (request.url ?? '/').replace(/[?#].*$/s, '');
    const route = findRoute(options.routes, path);
    const publicHosts = route?.isPublic === true && options.publicHost !== undefined ? [options.publicHost] : [];
    const refusal = findRefusal(request, [...loopbackHosts(port), ...publicHosts]);
    if (refusal !== undefined) return buildError(refusal.status, 'refused', refusal.message);
    if (!METHODS.includes(request.method ?? ''))
      return buildError(405, 'method-not-allowed', 'this server takes GET, HEAD and POST');
    if (route === undefined) return buildError(404, 'not-found', 'there is nothing at this path');
    if (route.isToken !== undefined && !route.isToken(request.headers.authorization))
      return route.prefix.startsWith('/api/') ? UNAUTHORIZED : shareRun(route, path, request);
    const body = await readBody(request);
    if (body === undefined) return buildError(413, 'too-large', `bodies may have ${BODY_BYTES_MAX} bytes`);
    return runRoute(route, path, request, body);
  };

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = await answerTo(request);
    // The rest of a refused body is not read: the connection ends with the answer.
    if (!request.complete) response.setHeader('connection', 'close');
    for (const [name, value] of Object.entries(answer.headers)) {
      response.setHeader(name, typeof value === 'string' ? value : [...value]);
    }
    response.writeHead(answer.statusCode, { 'content-length': answer.body.length });
    response.end(request.method === 'HEAD' ? undefined : answer.body);
  };

  const bounds = {
    headersTimeout: LOCAL_HEADERS_WAIT_MS,
    requestTimeout: LOCAL_BODY_WAIT_MS,
    connectionsCheckingInterval: LOCAL_HEADERS_WAIT_MS,
    keepAliveTimeout: LOCAL_KEEP_ALIVE_MS,
  };
  const server = createServer(bounds, (request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  server.setTimeout(LOCAL_SOCKET_IDLE_MS);
  await new Promise<void>((resolve, reject) => {
    server
      .once('error', (error) => reject(portProblem(error, options.port)))
      .listen(options.port, options.host, resolve);
  });
  const address = server.address();
  if (address !== null && typeof address !== 'string') port = address.port;

  return {
    url: `http://${isIPv6(options.host) ? `[${options.host}]` : options.host}:${port}`,
    port,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), LOCAL_STOP_GRACE_MS);
      await closed;
      clearTimeout(timer);
    },
  };
};
