/** Chat completions, which every provider has: builds the body, and reads the answer. */
import type { OpenAI } from 'openai';
import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import * as z from 'zod/mini';
import { defined } from '../base/defined.ts';
import { ProtocolError, UnavailableError } from '../base/errors.ts';
import { readJson } from '../base/json.ts';
import { KIB } from '../base/limits.ts';
import type { ChatMessage, ModelAnswer, ModelRequest, RawToolCall } from './chat.ts';
import { contentText } from './content-text.ts';
import type { Oddity } from './oddities.ts';
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
import { aloudSoFar, hasLoneEnd, withoutThoughts } from './thoughts.ts';
import { splitWritten } from './written-calls.ts';

const NO_COMPLETION = 'answered with something else than a chat completion';
/** `parseProposal` rejects a longer answer. */
const HEARD_CHARS_MAX = 64 * KIB;
const BROKEN_OFF = 'The provider broke off its answer with an error.';

const any = z.optional(z.unknown());
const count = z.int().check(z.nonnegative());

/** Only the fields we read, and no stricter than needed: providers differ in the rest. */
const Message = z.object({
  content: any,
  refusal: any,
  reasoning_content: any,
  tool_calls: z.optional(z.nullable(z.array(z.unknown()))),
  /** Of servers from before `tool_calls`. */
  function_call: any,
});
const Completion = z.object({
  model: any,
  choices: z.array(z.object({ finish_reason: any, message: Message, error: any })),
  usage: any,
});
const Failed = z.object({ error: z.union([z.string(), z.looseObject({})]) });

const ToolCall = z.object({ id: any, function: z.object({ name: any, arguments: any }) });

const Usage = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: z.catch(z.optional(z.object({ cached_tokens: count })), undefined),
});

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const tokensOf = (value: unknown): Pick<ModelAnswer, 'inputTokens' | 'cachedTokens' | 'outputTokens'> => {
  const { data: usage } = Usage.safeParse(value);
  return defined({
    inputTokens: usage?.prompt_tokens,
    cachedTokens: usage?.prompt_tokens_details?.cached_tokens,
    outputTokens: usage?.completion_tokens,
  });
};

const buildMessage = (
  message: ChatMessage,
  provider: Provider,
  data: ModelRequest['pictureData'],
): ChatCompletionMessageParam => {
  switch (message.role) {
    case 'user': {
      const pictures = picturesOf(message, provider, data).map(
        (url) => ({ type: 'image_url', image_url: { url } }) as const,
      );
      if (pictures.length === 0) return { role: 'user', content: message.content };
      return { role: 'user', content: [{ type: 'text', text: message.content }, ...pictures] };
    }
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.content };
    case 'assistant': {
      if (message.calls.length === 0) return { role: 'assistant', content: message.content };
      return {
        role: 'assistant',
        content: message.content === '' ? null : message.content,
        ...(message.thoughts?.by === provider.name ? { reasoning_content: message.thoughts.text } : {}),
        tool_calls: message.calls.map(({ id, name, argumentsText }) => ({
          ...provider.callExtra,
          id,
          type: 'function' as const,
          function: { name, arguments: argumentsText },
        })),
      };
    }
    default:
      return message satisfies never;
  }
};

export const buildChatBody = (provider: Provider, given: ModelRequest): ChatCompletionCreateParamsNonStreaming => {
  const request = fittingRequest(provider, given);
  const thinking = thinkingOf(provider);
  const tools = request.tools.map((tool) => ({
    ...tool,
    function: { ...tool.function, parameters: { ...tool.function.parameters } },
  }));
  return {
    model: provider.model,
    messages: [
      { role: 'system', content: request.system },
      ...request.messages.map((message) => buildMessage(message, provider, request.pictureData)),
    ],
    ...(tools.length === 0 ? {} : { tools }),
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

const endOf = (reason: unknown): Pick<ModelAnswer, 'isWithheld' | 'isCut'> => {
  if (reason === 'content_filter') return { isWithheld: true };
  return reason === 'length' ? { isCut: true } : {};
};

const callsOf = ({ tool_calls: calls, function_call: call }: z.infer<typeof Message>): readonly RawToolCall[] =>
  (calls?.length ? calls : call ? [{ function: call }] : []).map(parseToolCall);

/** A model that declines says so in its own words, which are its answer. */
const aloudIn = ({ content, refusal }: z.infer<typeof Message>): unknown =>
  withoutThoughts(contentText(content)) || textOf(refusal) || (content === null ? null : '');

/** A look that fails no answer: `parseProposal` says what is wrong with a longer or deeper one. */
const isCallIn = (aloud: string): boolean => {
  if (aloud.length > HEARD_CHARS_MAX) return false;
  try {
    const { calls, problem } = splitWritten(aloud);
    return calls.length > 0 || problem !== undefined;
  } catch {
    return false;
  }
};

/** Of the message alone. */
const odditiesOf = (
  { content }: z.infer<typeof Message>,
  { toolCalls, inputTokens }: ModelAnswer,
  reason: unknown,
): readonly Oddity[] => {
  const text = contentText(content);
  const aloud = withoutThoughts(text);
  return [
    ...(reason ? [] : (['no-reason'] as const)),
    ...(inputTokens === undefined ? (['no-usage'] as const) : []),
    ...(aloud === text ? [] : (['thoughts'] as const)),
    ...(toolCalls.length === 0 && isCallIn(aloud) ? (['written-calls'] as const) : []),
  ];
};

/**
 * @param seen in the pieces of a stream
 * @throws ProtocolError if the value is no chat completion, APIError for an error in its place
 */
export const parseCompletion = (value: unknown, askedModel: string, seen: readonly Oddity[] = []): ModelAnswer => {
  const completion = Completion.safeParse(value);
  const choice = completion.success ? completion.data.choices[0] : undefined;
  const failed = Failed.safeParse(choice?.error === undefined ? value : choice);
  if (failed.success) throw apiErrorOf(failed.data.error);
  if (!completion.success || choice === undefined) throw new ProtocolError(NO_COMPLETION);
  const { message, finish_reason: reason } = choice;
  if (reason === 'error') throw new UnavailableError(BROKEN_OFF);
  const thoughts = message.reasoning_content;
  const answer: ModelAnswer = {
    content: aloudIn(message),
    toolCalls: callsOf(message),
    model: modelName(completion.data.model, askedModel),
    ...(typeof thoughts === 'string' && thoughts !== '' ? { thoughts } : {}),
    ...endOf(reason),
    ...tokensOf(completion.data.usage),
  };
  const oddities = [...seen, ...odditiesOf(message, answer, reason)];
  return oddities.length === 0 ? answer : { ...answer, oddities };
};

/** A streamed answer, put together from its pieces. */
interface Collected {
  content: string;
  refusal: string;
  thoughts: string;
  readonly calls: CallParts[];
  choiceCount: number;
  isUnnumbered?: boolean;
  model?: unknown;
  finish?: unknown;
  usage?: unknown;
}

interface CallParts {
  readonly id: unknown;
  readonly name: string;
  readonly args: string;
  readonly index: unknown;
}

const CallDelta = z.object({
  index: any,
  id: any,
  function: z.optional(z.nullable(z.object({ name: any, arguments: any }))),
});
type CallDelta = z.infer<typeof CallDelta>;

const Delta = z.object({
  content: any,
  refusal: any,
  reasoning_content: any,
  tool_calls: z.optional(z.nullable(z.array(CallDelta))),
});
const Choice = z.object({ index: any, delta: z.optional(z.nullable(Delta)), finish_reason: any });
const Chunk = z.object({ model: any, choices: z.optional(z.nullable(z.array(Choice))), usage: any });

/**
 * Some servers number no call, or give each the index 0: then its id tells, or that the last one is
 * whole.
 */
const isSameCall = (call: CallParts, { id, index, function: named }: CallDelta): boolean => {
  const isOther = typeof id === 'string' && id !== '' && typeof call.id === 'string' && call.id !== id;
  const isNext = typeof named?.name === 'string' && !id && readJson(call.args) !== undefined && named.name !== '';
  return !isOther && !isNext && (index == null || call.index == null || call.index === index);
};

/** Arguments come as pieces of JSON text, or as one whole object. */
const pieceText = (value: unknown): string => textOf(value === null ? undefined : argumentsText(value));

const addCall = (calls: CallParts[], delta: CallDelta): void => {
  const at = calls.findLastIndex((call) => isSameCall(call, delta));
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

/** @returns whether it brought text or a call */
const addChunk = (collected: Collected, value: unknown): boolean => {
  const chunk = Chunk.safeParse(value);
  if (!chunk.success) throw new ProtocolError(NO_COMPLETION);
  collected.model ??= chunk.data.model;
  collected.usage = chunk.data.usage ?? collected.usage;
  let hasNews = false;
  for (const { index, delta, finish_reason: reason } of chunk.data.choices ?? []) {
    collected.choiceCount += 1;
    if (Number(index ?? 0) !== 0) continue;
    // Some send an empty reason until the end.
    collected.finish = reason || collected.finish;
    const calls = delta?.tool_calls ?? [];
    for (const call of calls) {
      const known = collected.calls.length;
      addCall(collected.calls, call);
      const isNew = collected.calls.length > known;
      const isTaken = isNew && collected.calls.slice(0, known).some((one) => one.index === call.index);
      if (call.index == null || isTaken) collected.isUnnumbered = true;
    }
    const text = contentText(delta?.content);
    collected.content += text;
    collected.refusal += textOf(delta?.refusal);
    collected.thoughts += textOf(delta?.reasoning_content);
    hasNews ||= text !== '' || calls.length > 0;
  }
  return hasNews;
};

/** The completion that would have come whole. @param isEnded the server said that this is all */
const buildCompletion = (
  { content, refusal, thoughts, calls, choiceCount, model, finish, usage }: Collected,
  isEnded: boolean,
): unknown => {
  if (choiceCount === 0) throw new ProtocolError(NO_COMPLETION);
  if (finish === undefined && !isEnded) throw new UnavailableError('The provider ended its answer in the middle.');
  const toolCalls = calls.map(({ id, name, args }) => ({ id, function: { name, arguments: args } }));
  const message = { content, refusal, reasoning_content: thoughts, tool_calls: toolCalls };
  return { model, choices: [{ finish_reason: finish, message }], usage };
};

/** Remembers who ends thoughts alone: its next answer is not shown before that end. */
const noteHabit = ({ lone }: Sending, { baseUrl, model }: Provider, content: string): boolean => {
  const name = `${baseUrl}\n${model}`;
  if (hasLoneEnd(content)) lone?.add(name);
  return lone?.has(name) === true;
};

export const askChatCompletions = async (
  client: OpenAI,
  provider: Provider,
  request: ModelRequest,
  sending: Sending,
): Promise<ModelAnswer> => {
  const { signal, hear } = sending;
  const body = buildChatBody(provider, request);
  const { completions } = client.chat;
  if (hear === undefined)
    return parseCompletion(await readWhole(completions.create(body, { signal }), NO_COMPLETION), provider.model);
  const collected: Collected = { content: '', refusal: '', thoughts: '', calls: [], choiceCount: 0 };
  const call = completions.create({ ...body, stream: true, stream_options: { include_usage: true } }, { signal });
  const read = await readStream(client, call, signal, {
    take: (chunk) => {
      if (!addChunk(collected, chunk)) return;
      // A larger answer is rejected, so nothing more of it is shown.
      const content = collected.content.length > HEARD_CHARS_MAX ? '' : collected.content;
      const text = aloudSoFar(content, noteHabit(sending, provider, content));
      hear({ text, hasCalls: collected.calls.length > 0 });
    },
    hasBegun: () => collected.content !== '' || collected.calls.length > 0,
    isWhole: () => collected.finish !== undefined && collected.usage !== undefined,
    problem: NO_COMPLETION,
  });
  if ('whole' in read) return parseCompletion(read.whole, provider.model, ['no-stream']);
  const seen = collected.isUnnumbered === true ? (['unnumbered'] as const) : [];
  return parseCompletion(buildCompletion(collected, read.isEnded), provider.model, seen);
};
