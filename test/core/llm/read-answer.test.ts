/**
 * A long streamed answer takes work in step with its length, however it is cut. Nothing is sent:
 * the client is given the pieces as its response.
 */
import { OpenAI } from 'openai';
import { describe, expect, it } from 'vitest';
import type { Hear, ModelAnswer } from '../../../lib/core/llm/chat.ts';
import { askChatCompletions } from '../../../lib/core/llm/chat-completions.ts';
import type { Provider } from '../../../lib/core/llm/providers.ts';
import { askResponses } from '../../../lib/core/llm/responses.ts';
import { GROWTH_MAX, growthOf } from '../../support/growth.ts';
import { WIRE_FORMS, type WireForm } from '../../support/wire-forms.ts';

const REQUEST = { system: 's', messages: [], tools: [], tokens: 1 };

const readPieces = (form: WireForm, pieces: Iterable<Uint8Array>, hear: Hear): Promise<ModelAnswer> => {
  const provider: Provider = {
    ...form.asked,
    name: 'p',
    baseUrl: 'http://127.0.0.1/v1',
    model: 'm',
    contextTokens: 100_000,
    answerTokensField: 'max_tokens',
    extraBody: {},
    callExtra: {},
    key: 'k',
    prices: {},
  };
  const client = new OpenAI({
    baseURL: provider.baseUrl,
    apiKey: provider.key,
    fetch: async () => new Response(ReadableStream.from(pieces), { headers: { 'content-type': 'text/event-stream' } }),
  });
  const ask = form.asked.thinking === undefined ? askChatCompletions : askResponses;
  return ask(client, provider, REQUEST, { signal: AbortSignal.timeout(300_000), hear });
};

/** Large enough that copying all bytes so far costs more than taking one piece does. */
const PIECE_BYTES = 1_024;

function* cut(text: string): Generator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield new Uint8Array(bytes.subarray(at, at + PIECE_BYTES));
}

describe.each(WIRE_FORMS)('a long answer over $name', (form) => {
  const text = 'x'.repeat(PIECE_BYTES);
  const calls = [{ id: 'c', name: 'remember', args: text }];
  const shapes: readonly (readonly [what: string, build: (size: number) => string])[] = [
    ['many events with text', (size) => form.piece(text).repeat(size)],
    ['many events of one call', (size) => form.calling(calls).repeat(size)],
    ['many pieces of one event', (size) => form.piece(text.repeat(size))],
  ];

  it.each(shapes)('takes no longer than its length asks for, as %s', async (_, build) => {
    const read = async (count: number): Promise<void> => {
      let heard = 0;
      const answer = await readPieces(form, cut(`${build(count)}${form.end({ text: 'end' })}`), () => {
        heard += 1;
      });
      expect([answer.model, heard > 0]).toStrictEqual(['m', true]);
    };
    expect(await growthOf(4_096, read)).toBeLessThan(GROWTH_MAX);
  });
});
