/**
 * The model server's Responses API, read by the `openai` client as its makers mean it: what it
 * makes of the events is the answer.
 */
import { OpenAI } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from './model-server.ts';

let server: ModelServer;
let client: OpenAI;
beforeAll(async () => {
  server = await startModelServer(({ model }) => ({
    kind: 'answer',
    text: 'It is noon, and the bike is blue.',
    calls: [{ tool: 'recall', args: { query: 'bike' }, id: 'c1' }],
    isCut: model === 'cut',
  }));
  client = new OpenAI({ apiKey: 'k', baseURL: server.baseUrl, maxRetries: 0 });
});
afterAll(() => server?.close());

describe('a response of the model server', () => {
  it.each(['m', 'cut'])('is the same whole and as a stream: %s', async (model) => {
    const input = [{ role: 'user', content: 'what time?' } as const];
    const whole = await client.responses.create({ model, input });
    const streamed = await client.responses.stream({ model, input }).finalResponse();
    for (const { output, status, incomplete_details: incomplete, output_text: text, usage } of [whole, streamed]) {
      expect([text, status, incomplete]).toStrictEqual([
        'It is noon, and the bike is blue.',
        model === 'cut' ? 'incomplete' : 'completed',
        model === 'cut' ? { reason: 'max_output_tokens' } : null,
      ]);
      expect(output.map(({ type }) => type)).toStrictEqual(['reasoning', 'message', 'function_call']);
      expect(output[2]).toMatchObject({ call_id: 'c1', name: 'recall', arguments: '{"query":"bike"}' });
      expect(usage?.output_tokens_details.reasoning_tokens).toBe(3);
    }
  });

  it('is refused to a result whose call it was not shown', async () => {
    const input = [{ type: 'function_call_output', call_id: 'c9', output: 'noon' } as const];
    const error = await client.responses.create({ model: 'm', input }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 400 });
  });
});
