/**
 * The door for programs that speak with a model of OpenAI: POST /v1/responses and
 * /v1/chat/completions, GET /v1/responses/<id> and /v1/models. It knows nobody and decides nothing:
 * the console says whose token a request carries, and judges what it may do.
 */
import * as z from 'zod/mini';
import { PassepartoutError } from '../../core/base/errors.ts';
import { readJson } from '../../core/base/json.ts';
import { BODY_BYTES_MAX } from '../../core/base/limits.ts';
import {
  HttpError,
  type HttpRequest,
  type HttpResponse,
  parseRequest,
  respondFailure,
  respondJson,
} from '../../core/http/function-url.ts';
import { findDoorCaller, refusePages } from '../door/caller.ts';
import type { AskConsole } from '../door/tools.ts';
import { follow, KEEP_ALIVE_MS, loadShown, refusalOf, type Shown, sayShown } from './follow.ts';
import { type DoorRequest, MODEL, readChat, readResponses } from './request.ts';
import { answerByCode } from './titles.ts';
import {
  type Ending,
  errorOf,
  KEEP_ALIVE,
  streamChat,
  streamResponse,
  type Writer,
  type Writing,
  writeChat,
  writeResponse,
} from './write.ts';

/** Takes an answer: its head, then its body in pieces. */
export interface Out {
  readonly begin: (head: Pick<HttpResponse, 'statusCode' | 'headers'>) => (text: string) => void;
}

export interface DoorDeps {
  /** Runs the console with the caller's `Authorization` header. */
  readonly askConsole: (authorization: string) => AskConsole;
  /** Address of the page where an approver decides, for a request to this host. */
  readonly pageFor: (host: string) => string;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
  /** 128 random bits as hex digits. */
  readonly newId: () => string;
  /** Logs a failure that was not raised on purpose. */
  readonly report: (error: unknown) => void;
}

/** A key of this header makes a repeated request the same one. */
const KEY_HEADER = 'idempotency-key';
const RESPONSE_PATH = /^\/v1\/responses\/resp_([0-9a-f]{32,40})$/;

interface Api {
  readonly read: (body: unknown, headers: HttpRequest['headers']) => DoorRequest;
  readonly whole: (writing: Writing) => Writer;
  readonly stream: (writing: Writing) => Writer;
}

const APIS: Readonly<Record<string, Api>> = {
  '/v1/responses': { read: readResponses, whole: writeResponse, stream: streamResponse },
  '/v1/chat/completions': { read: readChat, whole: writeChat, stream: streamChat },
};

const EVENTS = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' };
const JSON_HEADERS = respondJson(200, {}).headers;

/** The signal of a response: others than those of messages have none. */
const signalOf = (responseId: string): string => {
  const [, key] = RESPONSE_PATH.exec(`/v1/responses/${responseId}`) ?? [];
  if (key === undefined) throw new HttpError(404, 'not_found', 'there is no such response');
  return `con-${key}`;
};
const keyOf = (signalId: string): string => signalId.replace(/^con-/, '');

const Accepted = z.object({ id: z.string() });
const Refusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

interface Asked {
  readonly deps: DoorDeps;
  readonly ask: AskConsole;
  readonly http: HttpRequest;
  readonly page: string;
}

/** Gives the words to the console. @returns the signal's id. @throws HttpError with its refusal */
const say = async ({ deps, ask, http }: Asked, request: DoorRequest): Promise<string> => {
  const { previous } = request;
  const session =
    previous === undefined ? request.conversation : (await loadShown(ask, signalOf(previous))).conversation;
  const { earlier: _, ...fresh } = request.said;
  const said = previous === undefined ? request.said : fresh;
  const body = { ...said, session, idempotencyKey: http.headers[KEY_HEADER] ?? deps.newId() };
  const { status, value } = await ask({ method: 'POST', path: '/api/responses', body });
  const accepted = Accepted.safeParse(value).data;
  if (status === 202 && accepted !== undefined) return accepted.id;
  throw refusalOf(status, value);
};

const endingOf = async (shown: Shown, page: string): Promise<Ending> => ({
  text: await sayShown(shown, page),
  calls: shown.calls,
  usage: shown.usage,
  isRunning: shown.turn === 'running',
});

/** Begins with the first piece, so that an early failure still has a status of its own. */
const openBody = (out: Out, headers: Readonly<Record<string, string>>) => {
  let write: ((text: string) => void) | undefined;
  return {
    isOpen: () => write !== undefined,
    write: (text: string): void => {
      if (text === '') return;
      write ??= out.begin({ statusCode: 200, headers });
      write(text);
    },
  };
};

/** Follows a turn and writes its answer as it comes. A silent connection is kept alive. */
const writeTurn = async (asked: Asked, request: DoorRequest, api: Api, out: Out): Promise<void> => {
  const { deps, ask, page } = asked;
  const id = await say(asked, request);
  const { isStreamed } = request;
  const body = openBody(out, isStreamed ? EVENTS : JSON_HEADERS);
  const writing: Writing = { key: keyOf(id), at: deps.now(), now: deps.now, request };
  const writer = (isStreamed ? api.stream : api.whole)(writing);
  try {
    body.write(writer.begin());
    let writtenAt = deps.now();
    const shown = await follow({ ...deps, ask }, id, (text) => {
      const piece = writer.show(text);
      const isSilent = piece === '' && deps.now() - writtenAt >= KEEP_ALIVE_MS;
      if (piece === '' && !isSilent) return;
      body.write(isSilent ? KEEP_ALIVE[isStreamed ? 'events' : 'json'] : piece);
      writtenAt = deps.now();
    });
    body.write(writer.end(await endingOf(shown, page)));
  } catch (error) {
    if (!body.isOpen()) throw error;
    if (!(error instanceof PassepartoutError)) deps.report(error);
    body.write(writer.fail('unavailable', `the answer broke off; ask for ${id} later`));
  }
};

const writeWhole = (out: Out, { statusCode, headers, body }: HttpResponse): void =>
  out.begin({ statusCode, headers })(body);

/** An answer of code, of no turn: nobody can ask for it again. */
const writeByCode = (deps: DoorDeps, request: DoorRequest, api: Api, text: string, out: Out): void => {
  const writing: Writing = { key: deps.newId(), at: deps.now(), now: deps.now, request };
  const writer = (request.isStreamed ? api.stream : api.whole)(writing);
  const ending = { text, calls: [], usage: { input: 0, output: 0 }, isRunning: false };
  out.begin({ statusCode: 200, headers: request.isStreamed ? EVENTS : JSON_HEADERS })(
    writer.begin() + writer.end(ending),
  );
};

const showResponse = async ({ deps, ask, page }: Asked, key: string): Promise<HttpResponse> => {
  const shown = await loadShown(ask, `con-${key}`);
  const request = { echo: {}, hasUsage: true };
  const writing: Writing = { key, at: shown.receivedAt, now: deps.now, request };
  const ending = await endingOf(shown, page);
  return { statusCode: 200, headers: JSON_HEADERS, body: writeResponse(writing).end(ending) };
};

const MODELS = { object: 'list', data: [{ id: MODEL, object: 'model', created: 0, owned_by: MODEL }] } as const;

const MODEL_PATH = `/v1/models/${MODEL}`;

const requireMethod = ({ method }: HttpRequest, allowed: string): void => {
  if (method !== allowed) throw new HttpError(405, 'method_not_allowed', `this path takes ${allowed}`);
};

const readRequest = (http: HttpRequest, api: Api): DoorRequest => {
  requireMethod(http, 'POST');
  if (http.body.byteLength > BODY_BYTES_MAX)
    throw new HttpError(413, 'too_large', `body is larger than ${BODY_BYTES_MAX} bytes`);
  return api.read(readJson(Buffer.from(http.body).toString('utf8')), http.headers);
};

const answerPost = async (asked: Asked, authorization: string, api: Api, out: Out): Promise<void> => {
  const { deps, ask, http } = asked;
  let request: DoorRequest;
  try {
    request = readRequest(http, api);
  } catch (error) {
    // A stranger hears of the token first.
    await findDoorCaller(ask, authorization);
    throw error;
  }
  const byCode = answerByCode(request);
  if (byCode === undefined) return writeTurn(asked, request, api, out);
  await findDoorCaller(ask, authorization);
  writeByCode(deps, request, api, byCode, out);
};

/** The console looks at the token with each request that it gets; all others are looked at here. */
const answer = async (deps: DoorDeps, http: HttpRequest, out: Out): Promise<void> => {
  refusePages(http);
  const { authorization = '', host = '' } = http.headers;
  const ask = deps.askConsole(authorization);
  const asked: Asked = { deps, ask, http, page: deps.pageFor(host) };
  const api = Object.hasOwn(APIS, http.path) ? APIS[http.path] : undefined;
  if (api !== undefined) return answerPost(asked, authorization, api, out);
  const [, key] = RESPONSE_PATH.exec(http.path) ?? [];
  if (key !== undefined) {
    requireMethod(http, 'GET');
    return writeWhole(out, await showResponse(asked, key));
  }
  await findDoorCaller(ask, authorization);
  requireMethod(http, 'GET');
  if (http.path === '/v1/models') return writeWhole(out, respondJson(200, MODELS));
  if (http.path === MODEL_PATH) return writeWhole(out, respondJson(200, MODELS.data[0]));
  throw new HttpError(404, 'not_found', 'there is nothing at this path');
};

/** OpenAI's form of an error. */
const asOpenAi = (response: HttpResponse): HttpResponse => {
  const { code = 'internal', message = '' } = Refusal.safeParse(readJson(response.body)).data?.error ?? {};
  return { ...response, body: JSON.stringify({ error: errorOf(code, message, response.statusCode) }) };
};

/** Answers function URL events; never throws. */
export const buildResponsesDoor =
  (deps: DoorDeps) =>
  async (event: unknown, out: Out): Promise<void> => {
    try {
      await answer(deps, parseRequest(event), out);
    } catch (error) {
      if (!(error instanceof PassepartoutError)) deps.report(error);
      writeWhole(out, asOpenAi(respondFailure(error)));
    }
  };
