/**
 * Reads an answer of the `openai` client, streamed or whole. The client decodes the events; a
 * compatible server may send anything in them, so `take` checks each one. Fails with a SyntaxError
 * (broken JSON), a ProtocolError (not an answer of this API) or an APIError (an error in its
 * place).
 */
import { APIError, type APIPromise, type OpenAI } from 'openai';
import { Stream } from 'openai/streaming';
import { ProtocolError, UnavailableError } from '../base/errors.ts';
import type { ChatMessage, Hear, ModelRequest } from './chat.ts';
import { describeTools } from './describe-tools.ts';
import { takesPictures } from './provider-table.ts';
import type { Provider } from './providers.ts';

/** How a question is sent. With `hear` the answer is streamed. */
export interface Sending {
  readonly signal: AbortSignal;
  readonly hear: Hear | undefined;
  /** Models that end thoughts which never began; added to as they are met. */
  readonly lone?: Set<string>;
}

const MODEL_NAME = /^[A-Za-z0-9][\w.:/@-]{0,127}$/;

/** The model that answered, or the one asked if the answer names none. */
export const modelName = (value: unknown, askedModel: string): string =>
  typeof value === 'string' && MODEL_NAME.test(value) ? value : askedModel;

/** Arguments are JSON text; some servers send them as an object. */
export const argumentsText = (value: unknown): unknown =>
  typeof value === 'object' ? JSON.stringify(value ?? {}) : value;

/** The request as this provider can take it. */
export const fittingRequest = ({ features }: Provider, request: ModelRequest): ModelRequest =>
  features?.hasTools === false && request.tools.length > 0 ? describeTools(request) : request;

/** The pictures of a message that this provider is shown. */
export const picturesOf = (
  { pictures = [] }: ChatMessage & { readonly role: 'user' },
  provider: Provider,
  data: ModelRequest['pictureData'],
): readonly string[] => (takesPictures(provider) ? pictures.flatMap(({ hash }) => data?.get(hash) ?? []) : []);

/** As the client throws an error that comes in the place of an answer. */
export const apiErrorOf = (error: unknown): APIError => new APIError(undefined, Object(error), undefined, undefined);

/** The client reads an answer first, and throws if it is not an object. */
const asProtocolError = (error: unknown, problem: string): unknown =>
  error instanceof TypeError ? new ProtocolError(problem) : error;

/** @param problem names a value that is no answer of this API */
export const readWhole = async (call: APIPromise<unknown>, problem: string): Promise<unknown> => {
  try {
    return await call;
  } catch (error) {
    throw asProtocolError(error, problem);
  }
};

export interface StreamReader {
  /** Takes one event. */
  readonly take: (event: unknown) => void;
  /** Text or a call has come. */
  readonly hasBegun: () => boolean;
  /** The whole answer has come. */
  readonly isWhole: () => boolean;
  /** Names the problem of a value that is no answer of this API. */
  readonly problem: string;
}

const isEventStream = ({ headers }: Response): boolean =>
  /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');

/** The client would read it as a stream. Text that does not call itself JSON stays text. */
const readBody = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  const isJson = /\bjson\b/i.test(response.headers.get('content-type') ?? '');
  return isJson && text !== '' ? JSON.parse(text) : text;
};

const readEvents = async (events: AsyncIterable<unknown>, reader: StreamReader): Promise<void> => {
  try {
    for await (const event of events) reader.take(event);
  } catch (error) {
    // Read on after the last event, so that the connection can be used again; nothing depends on
    // it.
    if (reader.isWhole()) return;
    if (error instanceof APIError && error.error !== undefined && reader.hasBegun())
      throw new UnavailableError('The provider broke off its answer with an error.', { cause: error });
    throw asProtocolError(error, reader.problem);
  }
};

/** The line that ends all streams. Inside of an event it would follow no line feed. */
const END = /(?:^|\n)data: ?\[DONE\]/;
/** Longer than that line, so that it is found between two pieces too. */
const TAIL_CHARS = 16;

/** Passes the bytes on. @param noteEnd called when the end of the stream has come */
async function* watchEnd(body: AsyncIterable<Uint8Array>, noteEnd: () => void): AsyncGenerator<Uint8Array> {
  let tail = '\n';
  for await (const piece of body) {
    tail += Buffer.from(piece).toString('latin1');
    if (END.test(tail)) noteEnd();
    tail = tail.slice(-TAIL_CHARS);
    yield piece;
  }
}

/** The body, if the endpoint did not stream; else the reader has all events. */
type ReadBody = { readonly whole: unknown } | { readonly isEnded: boolean };

export const readStream = async (
  client: OpenAI,
  call: APIPromise<AsyncIterable<unknown>>,
  signal: AbortSignal,
  reader: StreamReader,
): Promise<ReadBody> => {
  const response = await call.asResponse();
  if (!isEventStream(response) || response.body === null) return { whole: await readBody(response) };
  let isEnded = false;
  const watched = watchEnd(response.body, () => {
    isEnded = true;
  });
  const body = new Response(ReadableStream.from(watched));
  await readEvents(Stream.fromSSEResponse(body, new AbortController(), client), reader);
  // The client ends an aborted stream without an error.
  if (!reader.isWhole()) signal.throwIfAborted();
  return { isEnded };
};
