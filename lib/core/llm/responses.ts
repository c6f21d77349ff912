/**
 * OpenAI's Responses API, over which its models think and call tools at once. Nothing is stored
 * there (`store: false`), so each request carries the whole conversation. Calls go back without the
 * ids of their items: with an id the API demands the thoughts before the call, which nobody keeps.
 */
import type { APIError, OpenAI } from 'openai';
import type {
  FunctionTool,
  ResponseCreateParamsNonStreaming,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import * as z from 'zod/mini';
import { defined } from '../base/defined.ts';
import { ProtocolError, UnavailableError } from '../base/errors.ts';
import type { ChatMessage, ModelAnswer, ModelRequest, RawToolCall, ToolEntry } from './chat.ts';
import { answerTokensOf } from './prices.ts';
import { type Provider, thinkingOf } from './providers.ts';
import {
  apiErrorOf,
  argumentsText,
  fittingRequest,
  modelName,
  picturesOf,
  readStream,
  readWhole,
  type Sending,
} from './read-answer.ts';

const NO_RESPONSE = 'answered with something else than a response';

const inputItems = (
  message: ChatMessage,
  provider: Provider,
  data: ModelRequest['pictureData'],
): readonly ResponseInputItem[] => {
  switch (message.role) {
    case 'user': {
      const pictures = picturesOf(message, provider, data).map(
        (image_url) => ({ type: 'input_image', image_url, detail: 'auto' }) as const,
      );
      if (pictures.length === 0) return [{ role: 'user', content: message.content }];
      return [{ role: 'user', content: [{ type: 'input_text', text: message.content }, ...pictures] }];
    }
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
    default:
      return message satisfies never;
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

const buildResponsesBody = (provider: Provider, given: ModelRequest): ResponseCreateParamsNonStreaming => {
  const request = fittingRequest(provider, given);
  const thinking = thinkingOf(provider);
  return {
    model: provider.model,
    instructions: request.system,
    input: request.messages.flatMap((message) => inputItems(message, provider, request.pictureData)),
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
const Usage = z.object({
  input_tokens: count,
  output_tokens: count,
  input_tokens_details: z.catch(z.optional(z.object({ cached_tokens: count })), undefined),
});
/** Thinking is part of the output tokens, and billed as they are. */
const tokensOf = (value: unknown): Pick<ModelAnswer, 'inputTokens' | 'cachedTokens' | 'outputTokens'> => {
  const { data: usage } = Usage.safeParse(value);
  return defined({
    inputTokens: usage?.input_tokens,
    cachedTokens: usage?.input_tokens_details?.cached_tokens,
    outputTokens: usage?.output_tokens,
  });
};

/** Codes of a response that failed because of its content. */
const POLICY_CODES: readonly string[] = ['invalid_prompt', 'bio_policy', 'misalignment_policy_violation'];

/** As the client throws an error that comes in the place of an answer. */
const asApiError = (error: unknown): APIError => {
  const parsed = z.object({ code: optional, message: optional }).safeParse(error);
  return apiErrorOf(parsed.success ? parsed.data : {});
};

const isPolicy = (error: unknown): boolean => {
  const coded = Coded.safeParse(error);
  return coded.success && POLICY_CODES.includes(coded.data.code);
};

/** A model that declines says so in its own words, which are its answer. */
const partText = (value: unknown): string => {
  const part = Part.safeParse(value);
  if (!part.success) return '';
  return part.data.type === 'refusal' ? part.data.refusal : part.data.text;
};

const BETWEEN_MESSAGES = '\n\n';

const outputText = (output: readonly unknown[]): string =>
  output
    .flatMap((item) => {
      const message = Message.safeParse(item);
      return message.success ? [message.data.content.map(partText).join('')] : [];
    })
    .filter((text) => text !== '')
    .join(BETWEEN_MESSAGES);

const outputCalls = (output: readonly unknown[]): readonly RawToolCall[] =>
  output.flatMap((item) => {
    const call = Call.safeParse(item);
    if (!call.success) return [];
    return [{ id: call.data.call_id, name: call.data.name, argumentsText: argumentsText(call.data.arguments) }];
  });

const parseResponse = (value: unknown, askedModel: string): ModelAnswer => {
  const response = WholeResponse.safeParse(value);
  if (!response.success) throw new ProtocolError(NO_RESPONSE);
  const { status, error, incomplete_details: incomplete, output, usage, model } = response.data;
  if (status === 'failed' && !isPolicy(error)) throw asApiError(error);
  const reason = status === 'incomplete' ? incomplete?.reason : undefined;
  return {
    content: outputText(output),
    toolCalls: outputCalls(output),
    model: modelName(model, askedModel),
    ...(status === 'failed' || reason === 'content_filter' ? { isWithheld: true } : {}),
    ...(reason === 'max_output_tokens' ? { isCut: true } : {}),
    ...tokensOf(usage),
  };
};

const Event = z.object({ type: optional, delta: optional, output_index: optional, item: optional, response: optional });
type Event = z.infer<typeof Event>;

/** A streamed answer so far. Its last event holds the whole response. */
interface Collected {
  text: string;
  textAt?: unknown;
  hasCalls: boolean;
  isResponse: boolean;
  whole?: unknown;
}

const addText = (collected: Collected, { delta, output_index: index }: Event): boolean => {
  if (typeof delta !== 'string' || delta === '') return false;
  const isNext = collected.text !== '' && index !== collected.textAt;
  collected.text += isNext ? `${BETWEEN_MESSAGES}${delta}` : delta;
  collected.textAt = index;
  return true;
};

const addItem = (collected: Collected, item: unknown): boolean => {
  const isCall = Call.safeParse(item).success;
  collected.hasCalls ||= isCall;
  return isCall;
};

const failureOf = (response: unknown): unknown => {
  const failed = z.object({ error: z.unknown() }).safeParse(response);
  return failed.success ? failed.data.error : undefined;
};

/** @returns whether it brought text or a call */
const addEvent = (collected: Collected, value: unknown): boolean => {
  const event = Event.safeParse(value);
  if (!event.success) throw new ProtocolError(NO_RESPONSE);
  const { type, response, item } = event.data;
  collected.isResponse ||= typeof type === 'string' && type.startsWith('response.');
  switch (type) {
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      return addText(collected, event.data);
    case 'response.output_item.added':
      return addItem(collected, item);
    case 'response.failed':
      if (!isPolicy(failureOf(response))) throw asApiError(failureOf(response));
      collected.whole = response;
      return false;
    case 'response.completed':
    case 'response.incomplete':
      collected.whole = response;
      return false;
    case 'error':
      throw asApiError(value);
    default:
      return false;
  }
};

const wholeOf = ({ whole, isResponse }: Collected): unknown => {
  if (whole !== undefined) return whole;
  if (!isResponse) throw new ProtocolError(NO_RESPONSE);
  throw new UnavailableError('The provider ended its answer in the middle.');
};

export const askResponses = async (
  client: OpenAI,
  provider: Provider,
  request: ModelRequest,
  { signal, hear }: Sending,
): Promise<ModelAnswer> => {
  const { responses } = client;
  const body = buildResponsesBody(provider, request);
  if (hear === undefined)
    return parseResponse(await readWhole(responses.create(body, { signal }), NO_RESPONSE), provider.model);
  const collected: Collected = { text: '', hasCalls: false, isResponse: false };
  const read = await readStream(client, responses.create({ ...body, stream: true }, { signal }), signal, {
    take: (event) => {
      if (addEvent(collected, event)) hear({ text: collected.text, hasCalls: collected.hasCalls });
    },
    hasBegun: () => collected.text !== '' || collected.hasCalls,
    isWhole: () => collected.whole !== undefined,
    problem: NO_RESPONSE,
  });
  return parseResponse('whole' in read ? read.whole : wholeOf(collected), provider.model);
};
