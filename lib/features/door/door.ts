/**
 * The door of the MCP server over HTTP: POST /mcp. It knows nobody itself: the console says whose
 * token a request carries. The approver's token is refused, because whoever holds it may approve
 * and a model speaks here. A page of another origin is refused (MCP, Streamable HTTP, security).
 */
import { createMcpHandler, type McpHttpHandler, ProtocolErrorCode } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import { readJson } from '../../core/base/json.ts';
import { BODY_BYTES_MAX } from '../../core/base/limits.ts';
import {
  HttpError,
  type HttpRequest,
  type HttpResponse,
  parseRequest,
  respondFailure,
  respondJson,
  respondJsonText,
} from '../../core/http/function-url.ts';
import { findDoorCaller, refusePages } from './caller.ts';
import { buildServer, type DoorCaller, type ServeDeps } from './serve.ts';
import { type AskConsole, DOOR_PATH } from './tools.ts';

export interface DoorDeps extends Pick<ServeDeps, 'tools' | 'now' | 'sleep' | 'newId'> {
  /** Runs the console with the caller's `Authorization` header. */
  readonly askConsole: (authorization: string) => AskConsole;
  /** Address of the page where an approver decides, for a request to this host. */
  readonly pageFor: (host: string) => string;
  /** Logs a failure that was not raised on purpose. */
  readonly report: (error: unknown) => void;
}

const Listen = z.looseObject({ method: z.literal('subscriptions/listen'), id: z.union([z.string(), z.number()]) });

/** Nothing here changes while a client listens, and a function cannot hold a stream open. */
const refuseListening = (body: unknown): HttpResponse | undefined => {
  const { data } = Listen.safeParse(body);
  if (data === undefined) return undefined;
  const error = { code: ProtocolErrorCode.MethodNotFound, message: 'this server has no subscriptions' };
  return respondJson(404, { jsonrpc: '2.0', id: data.id, error });
};

const toWebRequest = ({ headers, body }: HttpRequest): Request =>
  new Request(`https://door${DOOR_PATH}`, {
    method: 'POST',
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    ),
    body: Buffer.from(body),
  });

const serve = (deps: DoorDeps, ask: AskConsole, caller: DoorCaller, page: string): McpHttpHandler =>
  createMcpHandler(({ era }) => buildServer({ ...deps, ask, caller, page, isModern: era === 'modern' }), {
    maxRequestBodySize: BODY_BYTES_MAX,
    onerror: () => undefined,
  });

const answer = async (deps: DoorDeps, request: HttpRequest): Promise<HttpResponse> => {
  if (request.path !== DOOR_PATH) throw new HttpError(404, 'not-found', 'there is nothing at this path');
  refusePages(request);
  const { authorization = '', host = '' } = request.headers;
  const ask = deps.askConsole(authorization);
  const caller = await findDoorCaller(ask, authorization);
  if (request.method !== 'POST') throw new HttpError(405, 'method-not-allowed', 'this path takes POST');
  if (request.body.byteLength > BODY_BYTES_MAX)
    throw new HttpError(413, 'too-large', `body is larger than ${BODY_BYTES_MAX} bytes`);
  const refusal = refuseListening(readJson(Buffer.from(request.body).toString('utf8')));
  if (refusal !== undefined) return refusal;
  const response = await serve(deps, ask, caller, deps.pageFor(host)).fetch(toWebRequest(request), {
    authInfo: { token: '', clientId: caller.name, scopes: [...caller.scopes] },
  });
  const headers = { 'content-type': response.headers.get('content-type') ?? 'application/json' };
  return respondJsonText(await response.text(), response.status, headers);
};

/** Answers function URL events; never throws. */
export const buildDoor =
  (deps: DoorDeps) =>
  async (event: unknown): Promise<HttpResponse> => {
    try {
      return await answer(deps, parseRequest(event));
    } catch (error) {
      if (!(error instanceof HttpError)) deps.report(error);
      return respondFailure(error);
    }
  };
