/**
 * A streamed chat completion, put together into the same answer as one that comes whole. Every piece that brings text or a tool
 * call is told to whoever listens. Fails like an unstreamed answer does: broken JSON throws a SyntaxError, what is no completion
 * or broke off without saying that it was done a ProtocolError, an error inside the stream as one of its status.
 */
import { APIError } from 'openai';
import * as z from 'zod/mini';
import { ProtocolError, UnavailableError } from '../errors.ts';
import type { Hear } from './chat.ts';
import { buildReadEvents } from './event-stream.ts';

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

const StreamError = z.object({ code: text, message: text });

const NOT_ONE = 'answered with something else than a chat completion';

const isSame = (call: CallParts, delta: z.infer<typeof CallDelta>): boolean => {
  const isOther =
    typeof delta.id === 'string' && delta.id !== '' && typeof call.id === 'string' && call.id !== delta.id;
  return !isOther && (delta.index === undefined || call.index === undefined || call.index === delta.index);
};

/** Arguments come as pieces of JSON text; some servers send them as an object, whole. */
const argumentsText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
};

const addCall = (calls: CallParts[], delta: z.infer<typeof CallDelta>): void => {
  const at = calls.findLastIndex((call) => isSame(call, delta));
  const known = at < 0 ? undefined : calls[at];
  const { name, arguments: args } = delta.function ?? {};
  const call: CallParts = {
    id: known?.id ?? delta.id,
    name: `${known?.name ?? ''}${typeof name === 'string' && known?.name !== name ? name : ''}`,
    args: `${known?.args ?? ''}${argumentsText(args)}`,
    index: known?.index ?? delta.index,
  };
  if (at < 0) calls.push(call);
  else calls[at] = call;
};

/** An error that came where the answer should: before any of it, it is what its status says. */
const streamError = (error: unknown, hasBegun: boolean): Error => {
  const parsed = StreamError.safeParse(error);
  const status = Number(parsed.success ? parsed.data.code : undefined);
  const isStatus = Number.isInteger(status) && status >= 400 && status <= 599;
  if (hasBegun || !parsed.success) return new UnavailableError('the provider (it broke off its answer with an error)');
  const details = typeof error === 'object' && error !== null ? error : {};
  return APIError.generate(isStatus ? status : 500, { error: details }, undefined, new Headers());
};

/** Takes the stream's events in; `whole` gives the completion in the form of one that came at once. */
const buildCompletion = (hear: Hear) => {
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
    if (error !== undefined && error !== null) throw streamError(error, content !== '' || calls.length > 0);
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
    /** @returns whether the stream says that nothing more comes. */
    take: (data: string): boolean => {
      isDone ||= data.trim() === '[DONE]';
      if (!isDone && data !== '') takeChunk(JSON.parse(data));
      return isDone;
    },
    whole: (): unknown => {
      if (seen === 0) throw new ProtocolError(NOT_ONE);
      if (!isDone && (finish === undefined || finish === null))
        throw new UnavailableError('the provider (it ended its answer in the middle)');
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

/** @param body of a 200 answer whose bytes and time its giver bounds; @returns a chat completion, unparsed. */
export const readStreamedAnswer = async (body: ReadableStream<Uint8Array>, hear: Hear): Promise<unknown> => {
  const readEvents = buildReadEvents();
  const completion = buildCompletion(hear);
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    for (const data of readEvents(decoder.decode(bytes, { stream: true }))) {
      if (completion.take(data)) return completion.whole();
    }
  }
  return completion.whole();
};
