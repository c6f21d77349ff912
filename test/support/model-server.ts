/**
 * A scriptable OpenAI-compatible server on 127.0.0.1, of chat completions and of the Responses API:
 * real HTTP, with every way a provider can fail. The script sees each request, in chat's words, and
 * says what to answer; requests are kept in order. `close` ends hanging answers too. Knows nothing
 * of our prompt beyond `userTextOf`, so that it is a provider like any other.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { withoutSituation } from '../../lib/core/prompt/blocks.ts';
import { chatOf, RefusedRequest, responseEvents, responseOf } from './model-responses.ts';

export interface ModelServerMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content?: string | null;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

/** One request as it arrived. */
export interface ModelServerRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly model: string;
  readonly messages: readonly ModelServerMessage[];
  readonly tools: readonly { readonly function: { readonly name: string; readonly parameters: unknown } }[];
  /** `data:` addresses of the pictures in it, in order. */
  readonly pictures: readonly string[];
  /** The whole body, for anything else. */
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * A call to propose; `args` as an object, or as raw text to send broken JSON. The id is made where
 * none is given.
 */
export interface ScriptedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>> | string;
  readonly id?: string;
}

/**
 * - `answer`: text, calls, or both; `delayMs` makes it slow. Asked for a stream, it streams: the
 *   text in pieces of `pieceChars` (12), each after `pieceMs` (0) and once `isRead` says that what
 *   was written so far was read, but waits for that no longer than a moment; without `isStreamable`
 *   it sends all at once, as servers do that cannot
 * - `raw`:    these bytes as the body; JSON content type unless told otherwise
 * - `status`: an error answer
 * - `hang`:   accepts the request and never answers
 * - `huge`:   a well-formed answer of this many bytes
 * - `reset`:  closes the connection without an answer
 * - `redirect`: 302 to this address
 */
export type ScriptedAnswer =
  | {
      readonly kind: 'answer';
      readonly text?: string | null;
      readonly calls?: readonly ScriptedCall[];
      /** It reached the most tokens it may have. */
      readonly isCut?: boolean;
      readonly delayMs?: number;
      readonly pieceChars?: number;
      readonly pieceMs?: number;
      readonly isRead?: (chars: number) => boolean;
      readonly isStreamable?: boolean;
    }
  | { readonly kind: 'raw'; readonly body: string; readonly contentType?: string }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly retryAfterS?: number;
      readonly code?: string;
      readonly message?: string;
    }
  | { readonly kind: 'hang' }
  | { readonly kind: 'huge'; readonly bytes: number }
  | { readonly kind: 'reset' }
  | { readonly kind: 'redirect'; readonly to: string };

/** Shorthand for the usual answer. */
export const say = (text: string): ScriptedAnswer => ({ kind: 'answer', text });
/** Shorthand for one tool call. */
export const call = (tool: string, args: ScriptedCall['args']): ScriptedAnswer => ({
  kind: 'answer',
  calls: [{ tool, args }],
});

/** One recording as it arrived. */
export interface SentRecording {
  readonly model: string;
  readonly name: string;
  readonly bytes: Buffer;
  readonly authorization: string | undefined;
}
/** Writes a recording down: a text, or any other answer. */
export type Transcribe = (recording: SentRecording) => string | ScriptedAnswer;

/** One text to be said aloud, as it arrived. */
export interface SpokenText {
  readonly model: string;
  readonly voice: string;
  readonly input: string;
}
/** Says a text aloud: bytes, or any other answer. */
export type Speak = (text: SpokenText) => Buffer | ScriptedAnswer;

export type Script = (request: ModelServerRequest) => ScriptedAnswer | Promise<ScriptedAnswer>;

export interface ModelServer {
  /** For `OPENAI_BASE_URL`. */
  readonly baseUrl: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly ModelServerRequest[];
  /** Every recording so far, oldest first. */
  readonly recordings: readonly SentRecording[];
  /** Every text that was to be said aloud, oldest first. */
  readonly spoken: readonly SpokenText[];
  /** Nothing listens until `acceptConnections`: connections are refused. */
  readonly refuseConnections: () => Promise<void>;
  readonly acceptConnections: () => Promise<void>;
  /** From now on every key counts as expired, or as valid again. */
  readonly expireKeys: (isExpired: boolean) => void;
  readonly close: () => Promise<void>;
}

/** A key that the server refuses as OpenAI does. */
export const WRONG_KEY = 'sk-wrong-key-that-nobody-may-read';

/** The newest words of a person in a request, without what the system wrote around them. */
export const userTextOf = (request: ModelServerRequest): string =>
  request.messages
    .filter((message) => message.role === 'user')
    .map((message) => withoutSituation(message.content ?? ''))
    .findLast((text) => text !== '') ?? '';

/** Tool results of the running turn in a request, oldest first. */
export const toolResultsOf = (request: ModelServerRequest): readonly string[] =>
  request.messages.filter((message) => message.role === 'tool').map((message) => message.content ?? '');

const readBody = async (message: IncomingMessage): Promise<Buffer<ArrayBuffer>> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/** The form that OpenAI documents: `file` and `model`, both required. */
const parseRecording = async (message: IncomingMessage, body: Buffer<ArrayBuffer>): Promise<SentRecording> => {
  const headers = { 'content-type': message.headers['content-type'] ?? '' };
  const form = await new Response(body, { headers }).formData();
  const [file, model] = [form.get('file'), form.get('model')];
  if (!(file instanceof File) || typeof model !== 'string' || file.size === 0)
    throw new RefusedRequest('file and model are required');
  if (!/\.(flac|mp3|mp4|mpeg|mpga|m4a|ogg|wav|webm)$/.test(file.name)) throw new RefusedRequest('Invalid file format.');
  const bytes = Buffer.from(await file.arrayBuffer());
  return { model, name: file.name, bytes, authorization: message.headers.authorization };
};

/** The body that OpenAI documents: model, voice, and an input of at most 4,096 characters. */
const parseSpoken = (body: Buffer): SpokenText => {
  const { model, voice, input, response_format: format } = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
  if (typeof model !== 'string' || typeof voice !== 'string' || typeof input !== 'string' || input === '')
    throw new RefusedRequest('model, voice and input are required');
  if (input.length > 4_096 || format !== 'opus') throw new RefusedRequest('input is too long, or no opus');
  return { model, voice, input };
};

const isResponses = (path = ''): boolean => path.endsWith('/responses');

const finishOf = ({ calls = [], isCut }: ScriptedAnswer & { kind: 'answer' }): string => {
  if (isCut === true) return 'length';
  return calls.length > 0 ? 'tool_calls' : 'stop';
};

/** A part of a user's message, in either API. */
interface Part {
  readonly type: string;
  readonly text?: string;
  readonly image_url?: string | { readonly url: string };
}

/** Words and pictures of a content that may come in parts. Refuses what is no picture. */
export const readContent = (content: unknown): { readonly text: string; readonly pictures: readonly string[] } => {
  if (!Array.isArray(content)) return { text: String(content ?? ''), pictures: [] };
  const parts = content as readonly Part[];
  const pictures = parts.flatMap(({ image_url: image }) => (typeof image === 'object' ? image.url : (image ?? [])));
  const wrong = pictures.find((url) => !/^data:image\/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+=*$/.test(url));
  if (wrong !== undefined) throw new RefusedRequest('You uploaded an unsupported image.');
  return { text: parts.map(({ text = '' }) => text).join(''), pictures };
};

const withWords = (message: ModelServerMessage): ModelServerMessage =>
  Array.isArray(message.content) ? { ...message, content: readContent(message.content).text } : message;

const parseRequest = (message: IncomingMessage, text: string): ModelServerRequest => {
  const body = JSON.parse(text) as Record<string, unknown>;
  return {
    path: message.url ?? '',
    headers: message.headers,
    model: String(body.model),
    ...(isResponses(message.url)
      ? chatOf(body)
      : {
          messages: (body.messages as ModelServerMessage[]).map(withWords),
          tools: (body.tools ?? []) as ModelServerRequest['tools'],
        }),
    pictures: ((body.messages ?? body.input) as readonly { readonly content?: unknown }[]).flatMap(
      ({ content }) => readContent(content).pictures,
    ),
    body,
  };
};

const completion = (model: string, n: number, answer: ScriptedAnswer & { kind: 'answer' }): string => {
  const calls = (answer.calls ?? []).map((each, index) => ({
    id: each.id ?? `call_${n}_${index}`,
    type: 'function',
    function: { name: each.tool, arguments: typeof each.args === 'string' ? each.args : JSON.stringify(each.args) },
  }));
  return JSON.stringify({
    id: `chatcmpl-${n}`,
    object: 'chat.completion',
    created: 0,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: answer.text ?? null,
          ...(calls.length > 0 ? { tool_calls: calls } : {}),
        },
        finish_reason: finishOf(answer),
      },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  });
};

const chunkOf = (model: string, n: number, delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: `chatcmpl-${n}`, object: 'chat.completion.chunk', created: 0, model, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

/**
 * A reader may see what was written only when the next piece comes: so one comes after this at the
 * latest.
 */
const READ_WAIT_MS = 2_000;
const READ_LOOK_MS = 10;

const awaitRead = async (isRead: () => boolean): Promise<void> => {
  for (let waitedMs = 0; waitedMs < READ_WAIT_MS && !isRead(); waitedMs += READ_LOOK_MS)
    await sleep(READ_LOOK_MS, undefined, { ref: false });
};

const streamAnswer = async (
  response: ServerResponse,
  model: string,
  n: number,
  answer: ScriptedAnswer & { kind: 'answer' },
): Promise<void> => {
  const { text, calls = [], pieceChars = 12, pieceMs = 0, isRead = () => true } = answer;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chunkOf(model, n, { role: 'assistant', content: '' }));
  for (let at = 0; at < (text ?? '').length; at += pieceChars) {
    if (pieceMs > 0) await sleep(pieceMs, undefined, { ref: false });
    await awaitRead(() => response.destroyed || isRead(at));
    if (response.destroyed) return;
    response.write(chunkOf(model, n, { content: text?.slice(at, at + pieceChars) }));
  }
  for (const [index, each] of calls.entries()) {
    const args = typeof each.args === 'string' ? each.args : JSON.stringify(each.args);
    const id = each.id ?? `call_${n}_${index}`;
    const begin = { index, id, type: 'function', function: { name: each.tool, arguments: '' } };
    response.write(chunkOf(model, n, { tool_calls: [begin] }));
    response.write(chunkOf(model, n, { tool_calls: [{ index, function: { arguments: args } }] }));
  }
  response.write(chunkOf(model, n, {}, finishOf(answer)));
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  response.write(`data: ${JSON.stringify({ id: `chatcmpl-${n}`, model, choices: [], usage })}\n\n`);
  response.end('data: [DONE]\n\n');
};

const streamResponse = async (
  response: ServerResponse,
  model: string,
  n: number,
  answer: ScriptedAnswer & { kind: 'answer' },
): Promise<void> => {
  const { pieceMs = 0, isRead = () => true } = answer;
  let sequence = 0;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const { at, ...event } of responseEvents(model, n, answer)) {
    if (at !== undefined && pieceMs > 0) await sleep(pieceMs, undefined, { ref: false });
    if (at !== undefined) await awaitRead(() => response.destroyed || isRead(at));
    if (response.destroyed) return;
    const data = JSON.stringify({ ...event, sequence_number: sequence });
    response.write(`event: ${event.type}\ndata: ${data}\n\n`);
    sequence += 1;
  }
  response.end();
};

const send = (response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
};

function* hugeBody(bytes: number): Generator<string> {
  yield '{"model":"huge","choices":[{"message":{"content":"';
  const chunk = 'x'.repeat(64 * 1024);
  for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk;
  yield '"}}]}';
}

/** The reader may hang up in the middle; that is its right. */
const sendHuge = async (response: ServerResponse, bytes: number): Promise<void> => {
  response.writeHead(200, { 'content-type': 'application/json' });
  await pipeline(Readable.from(hugeBody(bytes)), response).catch(() => undefined);
};

const UNUSED: ModelServerRequest = {
  path: '',
  headers: {},
  model: '',
  messages: [],
  tools: [],
  pictures: [],
  body: {},
};

const play = async (
  answer: ScriptedAnswer,
  request: ModelServerRequest,
  n: number,
  response: ServerResponse,
): Promise<void> => {
  switch (answer.kind) {
    case 'answer': {
      if (answer.delayMs !== undefined) await sleep(answer.delayMs, undefined, { ref: false });
      const isStreamed = request.body.stream === true && answer.isStreamable !== false;
      if (isResponses(request.path)) {
        if (isStreamed) return streamResponse(response, request.model, n, answer);
        return send(response, 200, JSON.stringify(responseOf(request.model, n, answer)));
      }
      if (isStreamed) return streamAnswer(response, request.model, n, answer);
      return send(response, 200, completion(request.model, n, answer));
    }
    case 'raw':
      return send(response, 200, answer.body, { 'content-type': answer.contentType ?? 'application/json' });
    case 'status': {
      const retryAfter = answer.retryAfterS === undefined ? {} : { 'retry-after': String(answer.retryAfterS) };
      const { message = 'scripted failure with body-secret-text', code = null } = answer;
      const error = { message, type: 'scripted', code };
      return send(response, answer.status, JSON.stringify({ error }), retryAfter);
    }
    case 'hang':
      return;
    case 'huge':
      return sendHuge(response, answer.bytes);
    case 'reset':
      response.destroy();
      return;
    case 'redirect':
      return send(response, 302, '', { location: answer.to });
    default:
      answer satisfies never;
  }
};

/**
 * Starts it on a random port. Only `POST …/chat/completions` and `POST …/responses` reach the
 * script, `POST …/audio/transcriptions` what transcribes, and `POST …/audio/speech` what speaks.
 * `GET …/models` lists `scripted`; anything else is 404. It refuses `WRONG_KEY`.
 */
export const startModelServer = async (
  script: Script,
  transcribe: Transcribe = () => 'what was said',
  speak: Speak = ({ input }) => Buffer.from(`OggS ${input}`),
): Promise<ModelServer> => {
  const requests: ModelServerRequest[] = [];
  const recordings: SentRecording[] = [];
  const spoken: SpokenText[] = [];
  let areKeysExpired = false;
  const server = createServer(async (message, response) => {
    response.on('error', () => undefined);
    try {
      const sent = await readBody(message);
      const isWrong = message.headers.authorization === `Bearer ${WRONG_KEY}`;
      if (isWrong || areKeysExpired) {
        const words = isWrong
          ? `Incorrect API key provided: ${WRONG_KEY}. You can find your API key at the provider.`
          : 'Your API key has expired. Make a new one at the provider.';
        const error = { message: words, type: 'invalid_request_error', param: null, code: 'invalid_api_key' };
        return send(response, 401, JSON.stringify({ error }));
      }
      if (message.method === 'GET' && message.url?.endsWith('/models') === true) {
        const data = [{ id: 'scripted', object: 'model', created: 0, owned_by: 'test' }];
        return send(response, 200, JSON.stringify({ object: 'list', data }));
      }
      if (message.method === 'POST' && message.url?.endsWith('/audio/transcriptions') === true) {
        const recording = await parseRecording(message, sent);
        recordings.push(recording);
        const answer = transcribe(recording);
        if (typeof answer === 'string') return send(response, 200, JSON.stringify({ text: answer }));
        return play(answer, UNUSED, recordings.length, response);
      }
      if (message.method === 'POST' && message.url?.endsWith('/audio/speech') === true) {
        const text = parseSpoken(sent);
        spoken.push(text);
        const answer = speak(text);
        if (!Buffer.isBuffer(answer)) return play(answer, UNUSED, spoken.length, response);
        response.writeHead(200, { 'content-type': 'audio/ogg' });
        response.end(answer);
        return;
      }
      if (message.method !== 'POST' || !/\/(chat\/completions|responses)$/.test(message.url ?? ''))
        return send(response, 404, '{}');
      const request = parseRequest(message, sent.toString('utf8'));
      requests.push(request);
      const n = requests.length;
      await play(await script(request), request, n, response);
    } catch (error) {
      const status = error instanceof RefusedRequest ? 400 : 500;
      if (!response.headersSent) send(response, status, JSON.stringify({ error: { message: String(error) } }));
    }
  });
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    recordings,
    spoken,
    refuseConnections: stop,
    acceptConnections: () => listen(port),
    expireKeys: (isExpired) => {
      areKeysExpired = isExpired;
    },
    close: stop,
  };
};
