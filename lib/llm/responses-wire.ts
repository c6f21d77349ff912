/**
 * OpenAI's Responses API: the form in which its models think and take tools at once. Nothing is
 * stored there (`store: false`), so each request carries the whole conversation, as over chat
 * completions. Calls go back without the ids of their items: with an id the API demands the
 * thoughts that led to the call, which are nowhere kept.
 */
import type {
  FunctionTool,
  ResponseCreateParamsNonStreaming,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import * as z from 'zod/mini';
import { ProtocolError, UnavailableError } from '../base/errors.ts';
import type { ChatMessage, Hear, ModelAnswer, ModelRequest, RawToolCall, ToolEntry } from './chat.ts';
import { answerTokensOf } from './prices.ts';
import { type Provider, thinkingOf } from './providers.ts';
import { answerError, argumentsText, fittingRequest, modelName, type StreamCollector, type Wire } from './wire.ts';

const NOT_ONE = 'answered with something else than a response';

const inputItems = (message: ChatMessage): readonly ResponseInputItem[] => {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: message.content }];
    case 'tool':
      return [{ type: 'function_call_output', call_id: message.callId, output: message.content }];
    case 'assistant':
      return [
        ...(message.content === '' ? [] : [{ role: 'assistant', content: message.content } as const]),
        ...message.calls.map(
          (call) =>
            ({ type: 'function_call', call_id: call.id, name: call.name, arguments: call.argumentsText }) as const,
        ),
      ];
    default: {
      const never: never = message;
      return never;
    }
  }
};

/** Not strict: a strict schema has no optional fields, and ours have. */
const toolOf = ({ function: { name, description, parameters } }: ToolEntry): FunctionTool => ({
  type: 'function',
  name,
  description,
  parameters: { ...parameters },
  strict: false,
});

const buildBody = (provider: Provider, given: ModelRequest): ResponseCreateParamsNonStreaming => {
  const request = fittingRequest(provider, given);
  const thinking = thinkingOf(provider);
  return {
    model: provider.model,
    instructions: request.system,
    input: request.messages.flatMap(inputItems),
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(toolOf) }),
    max_output_tokens: answerTokensOf(provider),
    ...(thinking?.over === 'responses' ? { reasoning: { effort: thinking.effort } } : {}),
    store: false,
  };
};

const optional = z.optional(z.unknown());

/** Only what we read, and no more strictly than we must. */
const WholeResponse = z.object({
  model: optional,
  status: optional,
  error: optional,
  incomplete_details: z.optional(z.nullable(z.object({ reason: optional }))),
  output: z.array(z.unknown()),
  usage: optional,
});

const Message = z.object({ type: z.literal('message'), content: z.array(z.unknown()) });
const Part = z.union([
  z.object({ type: z.literal('output_text'), text: z.string() }),
  z.object({ type: z.literal('refusal'), refusal: z.string() }),
]);
const Call = z.object({ type: z.literal('function_call'), call_id: optional, name: optional, arguments: optional });
const Coded = z.object({ code: z.string() });

const count = z.int().check(z.nonnegative());
const Usage = z.object({ input_tokens: count, output_tokens: count, input_tokens_details: optional });
const Cached = z.object({ cached_tokens: count });

/** Thinking is part of the output tokens, and billed as they are. */
const tokensOf = (value: unknown): Pick<ModelAnswer, 'inputTokens' | 'cachedTokens' | 'outputTokens'> => {
  const usage = Usage.safeParse(value);
  if (!usage.success) return {};
  const cached = Cached.safeParse(usage.data.input_tokens_details);
  return {
    inputTokens: usage.data.input_tokens,
    ...(cached.success ? { cachedTokens: cached.data.cached_tokens } : {}),
    outputTokens: usage.data.output_tokens,
  };
};

/** Codes of a response that failed because of what it is about. */
const POLICY_CODES: readonly string[] = ['invalid_prompt', 'bio_policy', 'misalignment_policy_violation'];

const isPolicy = (error: unknown): boolean => {
  const coded = Coded.safeParse(error);
  return coded.success && POLICY_CODES.includes(coded.data.code);
};

/** What a model declines to do it says in words of its own: they are its answer. */
const partText = (value: unknown): string => {
  const part = Part.safeParse(value);
  if (!part.success) return '';
  return part.data.type === 'refusal' ? part.data.refusal : part.data.text;
};

const BETWEEN_MESSAGES = '\n\n';

const textOf = (output: readonly unknown[]): string =>
  output
    .flatMap((item) => {
      const message = Message.safeParse(item);
      return message.success ? [message.data.content.map(partText).join('')] : [];
    })
    .filter((text) => text !== '')
    .join(BETWEEN_MESSAGES);

const callsOf = (output: readonly unknown[]): readonly RawToolCall[] =>
  output.flatMap((item) => {
    const call = Call.safeParse(item);
    if (!call.success) return [];
    return [{ id: call.data.call_id, name: call.data.name, argumentsText: argumentsText(call.data.arguments) }];
  });

const parse = (value: unknown, askedModel: string): ModelAnswer => {
  const response = WholeResponse.safeParse(value);
  if (!response.success) throw new ProtocolError(NOT_ONE);
  const { status, error, incomplete_details: incomplete, output, usage, model } = response.data;
  if (status === 'failed' && !isPolicy(error)) throw answerError(error, false);
  const reason = status === 'incomplete' ? incomplete?.reason : undefined;
  return {
    content: textOf(output),
    toolCalls: callsOf(output),
    model: modelName(model, askedModel),
    ...(status === 'failed' || reason === 'content_filter' ? { isWithheld: true } : {}),
    ...(reason === 'max_output_tokens' ? { isCut: true } : {}),
    ...tokensOf(usage),
  };
};

const Event = z.object({
  type: optional,
  delta: optional,
  output_index: optional,
  item: optional,
  response: optional,
  error: optional,
});
type Event = z.infer<typeof Event>;

/** The last event of a stream holds the response whole; what comes before is only heard. */
const collect = (hear: Hear): StreamCollector => {
  let text = '';
  let textAt: unknown;
  let hasCalls = false;
  let isResponse = false;
  let whole: unknown;

  const takeText = ({ delta, output_index: index }: Event): void => {
    if (typeof delta !== 'string' || delta === '') return;
    text += text !== '' && index !== textAt ? `${BETWEEN_MESSAGES}${delta}` : delta;
    textAt = index;
    hear({ text, hasCalls });
  };

  const takeItem = (item: unknown): void => {
    if (!Call.safeParse(item).success) return;
    hasCalls = true;
    hear({ text, hasCalls });
  };

  const failure = (error: unknown): Error => answerError(error, text !== '' || hasCalls);

  const takeEvent = (value: unknown): void => {
    const event = Event.safeParse(value);
    if (!event.success) throw new ProtocolError(NOT_ONE);
    const { type, response } = event.data;
    isResponse ||= typeof type === 'string' && type.startsWith('response.');
    switch (type) {
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        takeText(event.data);
        break;
      case 'response.output_item.added':
        takeItem(event.data.item);
        break;
      case 'response.failed': {
        const failed = z.object({ error: z.unknown() }).safeParse(response);
        if (!failed.success || !isPolicy(failed.data.error)) throw failure(failed.data?.error);
        whole = response;
        break;
      }
      case 'response.completed':
      case 'response.incomplete':
        whole = response;
        break;
      case 'error':
        throw failure(event.data.error ?? value);
      default:
    }
  };

  return {
    take: (data) => {
      if (data !== '' && data.trim() !== '[DONE]') takeEvent(JSON.parse(data));
      return whole !== undefined;
    },
    whole: () => {
      if (whole !== undefined) return whole;
      throw isResponse
        ? new UnavailableError('The provider ended its answer in the middle.')
        : new ProtocolError(NOT_ONE);
    },
  };
};

export const RESPONSES: Wire = { path: '/responses', buildBody, streamed: { stream: true }, parse, collect };
