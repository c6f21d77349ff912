/**
 * What the two forms share in which an endpoint is asked and answers: chat completions, and
 * OpenAI's Responses API, over which its models think and take tools at once. A form is data and
 * pure functions; `openai-client.ts` sends. `parse` and the collected stream fail alike: a
 * SyntaxError for broken JSON, a ProtocolError for what is no answer, an APIError for an error
 * inside it.
 */
import { APIError } from 'openai';
import * as z from 'zod/mini';
import { UnavailableError } from '../base/errors.ts';
import type { ChatMessage, Hear, ModelAnswer, ModelRequest } from './chat.ts';
import type { Provider } from './providers.ts';

/** Takes a stream's events in, and gives at its end the value that would have come at once. */
export interface StreamCollector {
  /** @returns whether the stream says that nothing more comes. */
  readonly take: (data: string) => boolean;
  readonly whole: () => unknown;
}

export interface Wire {
  readonly path: string;
  readonly buildBody: (provider: Provider, request: ModelRequest) => object;
  /** What a request for a stream says besides. */
  readonly streamed: object;
  /** @throws ProtocolError when a value is no answer of this form. */
  readonly parse: (value: unknown, askedModel: string) => ModelAnswer;
  readonly collect: (hear: Hear) => StreamCollector;
}

const MODEL_NAME = /^[A-Za-z0-9][\w.:/@-]{0,127}$/;

/** The name of the model that answered, unless it is none. */
export const modelName = (value: unknown, askedModel: string): string =>
  typeof value === 'string' && MODEL_NAME.test(value) ? value : askedModel;

/** Arguments are JSON text; some servers send them as an object, whole. */
export const argumentsText = (value: unknown): unknown =>
  typeof value === 'object' ? JSON.stringify(value ?? {}) : value;

const AnswerError = z.object({ code: z.optional(z.unknown()), message: z.optional(z.unknown()) });

const statusOf = (code: unknown): number => {
  if (code === 'rate_limit_exceeded') return 429;
  const status = Number(code);
  return Number.isInteger(status) && status >= 400 && status <= 599 ? status : 500;
};

/** An error that came where the answer should: before any of it, it is what its code says. */
export const answerError = (error: unknown, hasBegun: boolean): Error => {
  const parsed = AnswerError.safeParse(error);
  if (hasBegun || !parsed.success) return new UnavailableError('The provider broke off its answer with an error.');
  return APIError.generate(statusOf(parsed.data.code), { error: parsed.data }, undefined, new Headers());
};

const WRITTEN_CALLS =
  '\nYou cannot call tools directly. To use some, answer with nothing but one JSON object: {"text": "…", "calls": [{"tool": "…", "args": {…}, "explanation": "why, in a sentence"}]}. Otherwise answer in plain words. The tools:';

/**
 * A conversation with tools in plain text, for models that know of none; what they write is read as
 * a proposal.
 */
const withoutTools = ({ system, messages, tools, tokens }: ModelRequest): ModelRequest => {
  const described = tools.map(
    ({ function: { name, description, parameters } }) => `${name}: ${description} ${JSON.stringify(parameters)}`,
  );
  const plain = messages.map((message): ChatMessage => {
    if (message.role === 'user') return message;
    if (message.role === 'tool') return { role: 'user', content: `Result of ${message.callId}:\n${message.content}` };
    if (message.calls.length === 0) return message;
    // In the form it is asked to write itself; the arguments hold the explanation.
    const calls = message.calls.map((call) => `{"tool": ${JSON.stringify(call.name)}, "args": ${call.argumentsText}}`);
    const text = message.content === '' ? '' : `"text": ${JSON.stringify(message.content)}, `;
    return { role: 'assistant', content: `{${text}"calls": [${calls.join(', ')}]}`, calls: [] };
  });
  return { system: [system, WRITTEN_CALLS, ...described].join('\n'), messages: plain, tools: [], tokens };
};

/** The request as this provider can take it. */
export const fittingRequest = ({ features }: Provider, request: ModelRequest): ModelRequest =>
  features?.hasTools === false && request.tools.length > 0 ? withoutTools(request) : request;
