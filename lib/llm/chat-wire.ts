/**
 * Chat completions, the form that every provider speaks: the request's body, the answer, and the
 * same answer from a stream. Every piece that brings text or a tool call is told to whoever
 * listens.
 */
import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import * as z from 'zod/mini';
import { ProtocolError, UnavailableError } from '../base/errors.ts';
import type { ChatMessage, Hear, ModelAnswer, ModelRequest, RawToolCall } from './chat.ts';
import { answerTokensOf } from './prices.ts';
import { type Provider, thinkingOf } from './providers.ts';
import { answerError, argumentsText, fittingRequest, modelName, type StreamCollector, type Wire } from './wire.ts';

const NOT_ONE = 'answered with something else than a chat completion';

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

/** Exported for tests of what goes over the wire. */
export const buildRequestBody = (provider: Provider, given: ModelRequest): ChatCompletionCreateParamsNonStreaming => {
  const request = fittingRequest(provider, given);
  const thinking = thinkingOf(provider);
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
    ...(thinking?.over === 'chat' ? thinking.fields : {}),
  };
};

const parseToolCall = (value: unknown): RawToolCall => {
  const call = ToolCall.safeParse(value);
  if (!call.success) return {};
  const { name, arguments: args } = call.data.function;
  return { id: call.data.id, name, argumentsText: argumentsText(args) };
};

/** @throws ProtocolError when a response is no chat completion. */
export const parseCompletion = (value: unknown, askedModel: string): ModelAnswer => {
  const completion = Completion.safeParse(value);
  const choice = completion.success ? completion.data.choices[0] : undefined;
  if (!completion.success || choice === undefined) throw new ProtocolError(NOT_ONE);
  return {
    content: choice.message.content,
    toolCalls: (choice.message.tool_calls ?? []).map(parseToolCall),
    model: modelName(completion.data.model, askedModel),
    ...(choice.finish_reason === 'content_filter' ? { isWithheld: true } : {}),
    ...(choice.finish_reason === 'length' ? { isCut: true } : {}),
    ...tokensOf(completion.data.usage),
  };
};

/** One call, as its pieces add up. */
interface CallParts {
  readonly id: unknown;
  readonly name: string;
  readonly args: string;
  readonly index: unknown;
}

const text = z.optional(z.unknown());

const CallDelta = z.object({
  index: text,
  id: text,
  function: z.optional(z.nullable(z.object({ name: text, arguments: text }))),
});

const Chunk = z.object({
  model: text,
  choices: z.optional(
    z.nullable(
      z.array(
        z.object({
          index: text,
          delta: z.optional(
            z.nullable(z.object({ content: text, tool_calls: z.optional(z.nullable(z.array(CallDelta))) })),
          ),
          finish_reason: text,
        }),
      ),
    ),
  ),
  usage: text,
  error: text,
});

const isSame = (call: CallParts, delta: z.infer<typeof CallDelta>): boolean => {
  const isOther =
    typeof delta.id === 'string' && delta.id !== '' && typeof call.id === 'string' && call.id !== delta.id;
  return !isOther && (delta.index === undefined || call.index === undefined || call.index === delta.index);
};

/** Arguments come as pieces of JSON text, or as an object, whole. */
const pieceText = (value: unknown): string => {
  const text = value === null ? undefined : argumentsText(value);
  return typeof text === 'string' ? text : '';
};

const addCall = (calls: CallParts[], delta: z.infer<typeof CallDelta>): void => {
  const at = calls.findLastIndex((call) => isSame(call, delta));
  const known = at < 0 ? undefined : calls[at];
  const { name, arguments: args } = delta.function ?? {};
  const call: CallParts = {
    id: known?.id ?? delta.id,
    name: `${known?.name ?? ''}${typeof name === 'string' && known?.name !== name ? name : ''}`,
    args: `${known?.args ?? ''}${pieceText(args)}`,
    index: known?.index ?? delta.index,
  };
  if (at < 0) calls.push(call);
  else calls[at] = call;
};

const collect = (hear: Hear): StreamCollector => {
  let content = '';
  const calls: CallParts[] = [];
  let seen = 0;
  let isDone = false;
  let model: unknown;
  let finish: unknown;
  let usage: unknown;

  const takeChunk = (value: unknown): void => {
    const chunk = Chunk.safeParse(value);
    if (!chunk.success) throw new ProtocolError(NOT_ONE);
    const { error } = chunk.data;
    if (error !== undefined && error !== null) throw answerError(error, content !== '' || calls.length > 0);
    model ??= chunk.data.model;
    usage = chunk.data.usage ?? usage;
    let isNews = false;
    for (const { index, delta, finish_reason: reason } of chunk.data.choices ?? []) {
      seen += 1;
      if (index !== undefined && index !== 0) continue;
      finish = reason ?? finish;
      if (typeof delta?.content === 'string' && delta.content !== '') {
        content += delta.content;
        isNews = true;
      }
      for (const call of delta?.tool_calls ?? []) addCall(calls, call);
      isNews ||= (delta?.tool_calls ?? []).length > 0;
    }
    if (isNews) hear({ text: content, hasCalls: calls.length > 0 });
  };

  return {
    take: (data: string): boolean => {
      isDone ||= data.trim() === '[DONE]';
      if (!isDone && data !== '') takeChunk(JSON.parse(data));
      return isDone;
    },
    whole: (): unknown => {
      if (seen === 0) throw new ProtocolError(NOT_ONE);
      if (!isDone && (finish === undefined || finish === null))
        throw new UnavailableError('The provider ended its answer in the middle.');
      return {
        model,
        choices: [
          {
            finish_reason: finish,
            message: {
              content,
              tool_calls: calls.map(({ id, name, args }) => ({ id, function: { name, arguments: args } })),
            },
          },
        ],
        usage,
      };
    },
  };
};

export const CHAT: Wire = {
  path: '/chat/completions',
  buildBody: buildRequestBody,
  streamed: { stream: true, stream_options: { include_usage: true } },
  parse: parseCompletion,
  collect,
};
