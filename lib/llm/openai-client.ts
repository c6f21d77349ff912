/**
 * The one adapter to language models: OpenAI-compatible chat completions over the `openai` client. One request, no
 * retries of its own (the cascade decides), bounded in time and bytes; as a stream where somebody listens. Clients are made when first asked, because the
 * constructor throws without a key. Gives the answer unjudged; throws whatever happened, for `classifyProviderError`.
 */
import { OpenAI } from 'openai';
import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import * as z from 'zod/mini';
import { ProtocolError } from '../errors.ts';
import { PROVIDER_TIMEOUT_MS } from '../limits.ts';
import { buildBoundedFetch, type FetchBounds } from './bounded-fetch.ts';
import type { Ask, ChatMessage, Hear, ModelAnswer, ModelRequest, RawToolCall } from './chat.ts';
import { classifyProviderError } from './classify-provider-error.ts';
import { answerTokensOf } from './prices.ts';
import type { Provider } from './providers.ts';
import { readStreamedAnswer } from './streamed-answer.ts';

/** Only what we read, and no more strictly than we must: providers differ in the rest. */
const Completion = z.object({
  model: z.optional(z.unknown()),
  choices: z.array(
    z.object({
      finish_reason: z.optional(z.unknown()),
      message: z.object({ content: z.optional(z.unknown()), tool_calls: z.optional(z.nullable(z.array(z.unknown()))) }),
    }),
  ),
  usage: z.optional(z.unknown()),
});

const ToolCall = z.object({
  id: z.optional(z.unknown()),
  function: z.object({ name: z.optional(z.unknown()), arguments: z.optional(z.unknown()) }),
});

const Usage = z.object({
  prompt_tokens: z.int().check(z.nonnegative()),
  completion_tokens: z.int().check(z.nonnegative()),
  prompt_tokens_details: z.optional(z.unknown()),
});

const Cached = z.object({ cached_tokens: z.int().check(z.nonnegative()) });

const tokensOf = (value: unknown): Pick<ModelAnswer, 'inputTokens' | 'cachedTokens' | 'outputTokens'> => {
  const usage = Usage.safeParse(value);
  if (!usage.success) return {};
  const cached = Cached.safeParse(usage.data.prompt_tokens_details);
  return {
    inputTokens: usage.data.prompt_tokens,
    ...(cached.success ? { cachedTokens: cached.data.cached_tokens } : {}),
    outputTokens: usage.data.completion_tokens,
  };
};

const MODEL_NAME = /^[A-Za-z0-9][\w.:/@-]{0,127}$/;

const buildMessage = (message: ChatMessage, provider: Provider): ChatCompletionMessageParam => {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.content };
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.content };
    case 'assistant': {
      if (message.calls.length === 0) return { role: 'assistant', content: message.content };
      return {
        role: 'assistant',
        content: message.content === '' ? null : message.content,
        tool_calls: message.calls.map(({ id, name, argumentsText }) => ({
          ...provider.callExtra,
          id,
          type: 'function' as const,
          function: { name, arguments: argumentsText },
        })),
      };
    }
    default: {
      const never: never = message;
      return never;
    }
  }
};

/** A conversation with tools in plain text, for models that know of none; what they write is read as a proposal. */
const withoutTools = ({ system, messages, tools, tokens }: ModelRequest): ModelRequest => {
  if (tools.length === 0) return { system, messages, tools, tokens };
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

const WRITTEN_CALLS =
  '\nYou cannot call tools directly. To use some, answer with nothing but one JSON object: {"text": "…", "calls": [{"tool": "…", "args": {…}, "explanation": "why, in a sentence"}]}. Otherwise answer in plain words. The tools:';

/** What a request for a stream says besides. */
const STREAMED = { stream: true, stream_options: { include_usage: true } } as const;

/** The request body for one provider. Exported for tests of what goes over the wire. */
export const buildRequestBody = (provider: Provider, given: ModelRequest): ChatCompletionCreateParamsNonStreaming => {
  const request = provider.features?.hasTools === false ? withoutTools(given) : given;
  return {
    model: provider.model,
    messages: [
      { role: 'system', content: request.system },
      ...request.messages.map((message) => buildMessage(message, provider)),
    ],
    ...(request.tools.length === 0
      ? {}
      : {
          tools: request.tools.map((tool) => ({
            ...tool,
            function: { ...tool.function, parameters: { ...tool.function.parameters } },
          })),
        }),
    [provider.answerTokensField]: answerTokensOf(provider),
    ...provider.extraBody,
  };
};

const parseToolCall = (value: unknown): RawToolCall => {
  const call = ToolCall.safeParse(value);
  if (!call.success) return {};
  const { name, arguments: args } = call.data.function;
  // Some servers send the arguments as an object; text is what the wire format says and what is judged later.
  return { id: call.data.id, name, argumentsText: typeof args === 'object' ? JSON.stringify(args ?? {}) : args };
};

/** @throws ProtocolError when a response is no chat completion. */
export const parseCompletion = (value: unknown, askedModel: string): ModelAnswer => {
  const completion = Completion.safeParse(value);
  const choice = completion.success ? completion.data.choices[0] : undefined;
  if (!completion.success || choice === undefined)
    throw new ProtocolError('answered with something else than a chat completion');
  const { model } = completion.data;
  return {
    content: choice.message.content,
    toolCalls: (choice.message.tool_calls ?? []).map(parseToolCall),
    model: typeof model === 'string' && MODEL_NAME.test(model) ? model : askedModel,
    ...(choice.finish_reason === 'content_filter' ? { isWithheld: true } : {}),
    ...(choice.finish_reason === 'length' ? { isCut: true } : {}),
    ...tokensOf(completion.data.usage),
  };
};

/** An `Ask` over HTTP. Keeps one client per endpoint and key, so that connections are used again. */
export const buildOpenAiAsk = (bounds?: Partial<FetchBounds>): Ask => {
  const clients = new Map<string, OpenAI>();
  const fetch = buildBoundedFetch(bounds);
  const clientOf = (provider: Provider): OpenAI => {
    const id = `${provider.baseUrl}\n${provider.key}`;
    const known = clients.get(id);
    if (known !== undefined) return known;
    const client = new OpenAI({
      baseURL: provider.baseUrl,
      apiKey: provider.key,
      // Otherwise read from the environment, and OpenAI's ids would go to other providers.
      organization: null,
      project: null,
      adminAPIKey: null,
      webhookSecret: null,
      maxRetries: 0,
      // Each call has a bound of its own, on all it takes.
      timeout: PROVIDER_TIMEOUT_MS.reasoning,
      logLevel: 'off',
      fetch,
    });
    clients.set(id, client);
    return client;
  };
  /** Models that refused a request for a stream, and nothing else about it. */
  const unstreamed = new Set<string>();
  const nameOf = ({ baseUrl, model }: Provider): string => `${baseUrl}\n${model}`;

  const askWhole = async (provider: Provider, request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> => {
    const completion: unknown = await clientOf(provider).chat.completions.create(buildRequestBody(provider, request), {
      signal,
    });
    return parseCompletion(completion, provider.model);
  };

  const askStream = async (provider: Provider, request: ModelRequest, signal: AbortSignal, hear: Hear) => {
    const body = { ...buildRequestBody(provider, request), ...STREAMED };
    const response = await clientOf(provider).chat.completions.create(body, { signal }).asResponse();
    const type = response.headers.get('content-type') ?? '';
    if (/^text\/event-stream\b/i.test(type) && response.body !== null)
      return parseCompletion(await readStreamedAnswer(response.body, hear), provider.model);
    // Who does not stream what was asked for as a stream sends it whole; what does not call itself JSON is no answer.
    const text = await response.text();
    const completion: unknown = /\bjson\b/i.test(type) && text !== '' ? JSON.parse(text) : text;
    return parseCompletion(completion, provider.model);
  };

  return async (provider, request, timeoutMs, hear) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const isStreamed = provider.features?.hasStreaming !== false && !unstreamed.has(nameOf(provider));
    if (hear === undefined || !isStreamed) return askWhole(provider, request, signal);
    try {
      return await askStream(provider, request, signal, hear);
    } catch (error) {
      // It may be the stream that it does not take; refusals cost nothing.
      if (classifyProviderError(error).fault !== 'request') throw error;
      const answer = await askWhole(provider, request, signal);
      unstreamed.add(nameOf(provider));
      return answer;
    }
  };
};
