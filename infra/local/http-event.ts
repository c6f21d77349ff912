/** HTTP requests as Lambda's function-URL events (payload 2.0), and answers as HTTP. Pure. */
import * as z from 'zod/mini';
import { defined } from '../../lib/core/base/defined.ts';

export interface HttpRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** Lower-case names; repeated headers joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly sourceIp: string;
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly nowMs: number;
}

export interface HttpAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer;
}

const Answer = z.object({
  statusCode: z._default(z.int().check(z.gte(200), z.lte(599)), 200),
  headers: z._default(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])), {}),
  cookies: z._default(z.array(z.string()), []),
  body: z._default(z.string(), ''),
  isBase64Encoded: z._default(z.boolean(), false),
});

const TEXT_TYPE = /^(text\/|application\/(json|javascript|xml)\b|[^;]+\+(json|xml)\b)/i;

const isText = (contentType: string, body: Buffer): boolean => {
  if (!TEXT_TYPE.test(contentType)) return false;
  return Buffer.compare(Buffer.from(body.toString('utf8')), body) === 0;
};

export const buildHttpEvent = (request: HttpRequest): object => {
  const question = request.target.indexOf('?');
  const rawPath = question < 0 ? request.target : request.target.slice(0, question);
  const rawQueryString = question < 0 ? '' : request.target.slice(question + 1);
  const query: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    query[name] = query[name] === undefined ? value : `${query[name]},${value}`;
  }
  const { cookie, ...headers } = request.headers;
  const asText = isText(headers['content-type'] ?? '', request.body);
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString,
    ...defined({ cookies: cookie?.split(/;\s*/) }),
    headers,
    ...(rawQueryString === '' ? {} : { queryStringParameters: query }),
    requestContext: {
      accountId: 'anonymous',
      apiId: 'local',
      domainName: headers.host ?? '',
      domainPrefix: 'local',
      http: {
        method: request.method,
        path: rawPath,
        protocol: 'HTTP/1.1',
        sourceIp: request.sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: request.requestId,
      routeKey: '$default',
      stage: '$default',
      time: new Date(request.nowMs).toISOString(),
      timeEpoch: request.nowMs,
    },
    ...(request.body.length === 0 ? {} : { body: request.body.toString(asText ? 'utf8' : 'base64') }),
    isBase64Encoded: request.body.length > 0 && !asText,
  };
};

/** As on Lambda, an answer without a status is the JSON body of a 200. */
export const parseHttpAnswer = (result: unknown): HttpAnswer => {
  const isAnswer = typeof result === 'object' && result !== null && 'statusCode' in result;
  const parsed = Answer.safeParse(isAnswer ? result : undefined);
  if (!parsed.success) {
    if (isAnswer) return buildError(502, 'bad-answer', 'the function gave an answer that is not HTTP');
    const text = typeof result === 'string' ? result : JSON.stringify(result ?? null);
    return { statusCode: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(text) };
  }
  const { statusCode, headers, cookies, body, isBase64Encoded } = parsed.data;
  return {
    statusCode,
    headers: {
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])),
      ...(cookies.length === 0 ? {} : { 'set-cookie': cookies }),
    },
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  };
};

/** An error in the form every ingress uses. */
export const buildError = (
  statusCode: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): HttpAnswer => ({
  statusCode,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: Buffer.from(JSON.stringify({ error: { code, message } })),
});
