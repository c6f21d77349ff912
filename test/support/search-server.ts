/**
 * A server that answers searches as the makers' documents say, with their errors: a key that is
 * missing or wrong, a request without words, a limit that is reached. One server stands for one
 * service. Sources are named in `test/foreign/search`.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readJson } from '../../lib/core/base/json.ts';

export type ServiceKind = 'brave' | 'tavily' | 'kagi' | 'searxng';

export interface FoundPage {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

interface Request {
  readonly method: string;
  readonly path: string;
  /** Of the address, or of a JSON body. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly headers: IncomingMessage['headers'];
}

type Answer = readonly [status: number, body: unknown];

export const SEARCH_KEY = 'BSAf4jzyvMArBuKsqwq8mtlz6QIUCD';

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

const braveError = (status: number, code: string, meta: object): Answer => [
  status,
  { type: 'ErrorResponse', error: { id: '5d832250', status, code, detail: code, meta }, time: 1_663_072_993 },
];
const kagiError = (status: number, code: string): Answer => [
  status,
  {
    meta: { trace: 't', node: 'us', ms: 1 },
    data: null,
    error: [{ code, url: 'https://kagi.com/api/docs', message: code }],
  },
];

interface Service {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly words: string;
  readonly isProven: (request: Request) => boolean;
  readonly unproven: (request: Request) => Answer;
  readonly wordless: Answer;
  readonly limited: Answer;
  readonly found: (words: string, pages: readonly FoundPage[]) => unknown;
}

const isBearer = ({ headers }: Request): boolean => headers.authorization === `Bearer ${SEARCH_KEY}`;

const SERVICES: Readonly<Record<ServiceKind, Service>> = {
  brave: {
    path: '/res/v1/web/search',
    method: 'GET',
    words: 'q',
    isProven: ({ headers }) => headers['x-subscription-token'] === SEARCH_KEY,
    unproven: ({ headers }) =>
      headers['x-subscription-token'] === undefined
        ? braveError(422, 'VALIDATION', { errors: [{ loc: ['header', 'x-subscription-token'] }] })
        : braveError(422, 'SUBSCRIPTION_TOKEN_INVALID', { component: 'authentication' }),
    wordless: braveError(422, 'VALIDATION', { errors: [{ loc: ['query', 'q'] }] }),
    limited: braveError(429, 'RATE_LIMITED', { component: 'rate_limiter' }),
    found: (words, pages) => ({
      type: 'search',
      query: { original: words },
      ...(pages.length === 0
        ? {}
        : {
            web: { type: 'search', results: pages.map(({ snippet, ...page }) => ({ ...page, description: snippet })) },
          }),
    }),
  },
  tavily: {
    path: '/search',
    method: 'POST',
    words: 'query',
    isProven: isBearer,
    unproven: () => [401, { detail: { error: 'Unauthorized: missing or invalid API key.' } }],
    wordless: [400, { detail: { error: 'Query is missing.' } }],
    limited: [432, { detail: { error: "This request exceeds your plan's set usage limit." } }],
    found: (words, pages) => ({
      query: words,
      answer: null,
      images: [],
      results: pages.map(({ snippet, ...page }) => ({ ...page, content: snippet, score: 0.8, raw_content: null })),
      response_time: 0.9,
    }),
  },
  kagi: {
    path: '/api/v1/search',
    method: 'POST',
    words: 'query',
    isProven: isBearer,
    unproven: () => kagiError(401, 'auth.invalid_token'),
    wordless: kagiError(400, 'request.missing_query'),
    limited: kagiError(429, 'usage.exhausted'),
    found: (_, pages) => ({
      meta: { trace: 't', node: 'us', ms: 12 },
      data: pages.length === 0 ? {} : { search: pages },
    }),
  },
  searxng: {
    path: '/search',
    method: 'GET',
    words: 'q',
    isProven: () => true,
    unproven: () => [401, ''],
    wordless: [400, { error: 'No query' }],
    limited: [429, 'Too Many Requests'],
    found: (words, pages) => ({
      query: words,
      number_of_results: 0,
      results: pages.map(({ snippet, ...page }) => ({ ...page, content: snippet, engine: 'x', category: 'general' })),
      answers: [],
      suggestions: [],
      unresponsive_engines: [],
    }),
  },
};

const readRequest = async (request: IncomingMessage): Promise<Request> => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://server');
  const { method = '', headers } = request;
  const fields = method === 'POST' ? Object(readJson(body)) : Object.fromEntries(searchParams);
  return { method, path: pathname, fields, headers };
};

/** Characters of a query: Brave's bound, which the others do not reach. */
const QUERY_CHARS_MAX = 400;

export const startSearchServer = async (kind: ServiceKind, pages: readonly FoundPage[] = []) => {
  const service = SERVICES[kind];
  const asked: Request[] = [];
  const state = { isLimited: false, givesJson: true, pages };
  const answer = (request: Request): Answer => {
    const { fields, method, path } = request;
    if (path !== service.path || method !== service.method) return [404, ''];
    if (kind === 'searxng' && !(state.givesJson && fields.format === 'json')) return [403, 'Forbidden'];
    if (!service.isProven(request)) return service.unproven(request);
    const words = textIn(fields[service.words]);
    if (words === '' || words.length > QUERY_CHARS_MAX) return service.wordless;
    if (state.isLimited) return service.limited;
    return [200, service.found(words, state.pages)];
  };
  const server = createServer(async (incoming, response) => {
    const request = await readRequest(incoming);
    asked.push(request);
    const [status, body] = answer(request);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    url: `${origin}${service.path}`,
    asked,
    state,
    close: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
