import { afterEach, describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../lib/core/llm/chat.ts';
import { buildChatBody, parseCompletion } from '../../../lib/core/llm/chat-completions.ts';
import { buildToolEntry } from '../../../lib/core/llm/describe-tools.ts';
import { buildOpenAiAsk } from '../../../lib/core/llm/openai-client.ts';
import { parseProposal } from '../../../lib/core/llm/parse-proposal.ts';
import { buildCascade, type Provider, withTier } from '../../../lib/core/llm/providers.ts';
import { type ModelServer, type ScriptedAnswer, startModelServer } from '../../support/model-server.ts';

const servers: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
const serve: typeof startModelServer = async (script) => {
  const server = await startModelServer(script);
  servers.push(server);
  return server;
};

const providerOf = (name: string, baseUrl: string): Provider => {
  const keys = ['OPENAI_API_KEY', 'GEMINI_API_KEY', 'ANTHROPIC_API_KEY', 'GROQ_API_KEY', 'OPENROUTER_API_KEY'].map(
    (key) => [key, 'key-1'] as const,
  );
  const [provider] = buildCascade({ PROVIDER_CASCADE: name }, new Map(keys));
  if (provider === undefined) throw new Error('no provider');
  return { ...provider, baseUrl };
};

const request: ModelRequest = {
  system: 'S',
  messages: [
    { role: 'user', content: 'what time?' },
    { role: 'assistant', content: '', calls: [{ id: 'c1', name: 'current-time', argumentsText: '{}' }] },
    { role: 'tool', callId: 'c1', content: 'noon' },
  ],
  tools: [buildToolEntry({ name: 'current-time', description: 'Tells the time.', parameters: {} })],
  tokens: 100,
};

const openaiBody = {
  model: 'gpt-6-luna',
  messages: [
    { role: 'system', content: 'S' },
    { role: 'user', content: 'what time?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'current-time', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'noon' },
  ],
  tools: request.tools,
  max_completion_tokens: 4_096,
  reasoning_effort: 'none',
};

describe('buildOpenAiAsk', () => {
  it('sends the conversation and the key, and reads text, calls and usage', async () => {
    const server = await serve(() => ({
      kind: 'answer',
      text: 'It is noon.',
      calls: [{ tool: 'recall', args: { query: 'x' }, id: 'c2' }],
    }));
    const answer = await buildOpenAiAsk()(providerOf('openai', server.baseUrl), request, 60_000);
    expect(answer).toStrictEqual({
      content: 'It is noon.',
      toolCalls: [{ id: 'c2', name: 'recall', argumentsText: '{"query":"x"}' }],
      model: 'gpt-6-luna',
      inputTokens: 10,
      outputTokens: 5,
    });
    expect(server.requests[0]?.body).toStrictEqual(openaiBody);
    expect(server.requests[0]?.headers.authorization).toBe('Bearer key-1');
    expect(server.requests[0]?.path).toBe('/v1/chat/completions');
  });

  it('asks openai to think over the Responses API, where it stores nothing, and reads the same', async () => {
    const server = await serve(() => ({
      kind: 'answer',
      text: 'It is noon.',
      calls: [{ tool: 'recall', args: { query: 'x' }, id: 'c2' }],
    }));
    const answer = await buildOpenAiAsk()(withTier(providerOf('openai', server.baseUrl), 'reasoning'), request, 60_000);
    expect(answer).toStrictEqual({
      content: 'It is noon.',
      toolCalls: [{ id: 'c2', name: 'recall', argumentsText: '{"query":"x"}' }],
      model: 'gpt-6-sol',
      inputTokens: 10,
      cachedTokens: 0,
      outputTokens: 5,
    });
    const [tool] = request.tools;
    expect(server.requests[0]?.body).toStrictEqual({
      model: 'gpt-6-sol',
      instructions: 'S',
      input: [
        { role: 'user', content: 'what time?' },
        { type: 'function_call', call_id: 'c1', name: 'current-time', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: 'noon' },
      ],
      tools: [{ type: 'function', ...tool?.function, strict: false }],
      max_output_tokens: 16_384,
      reasoning: { effort: 'medium' },
      store: false,
    });
    expect(server.requests[0]?.headers.authorization).toBe('Bearer key-1');
    expect(server.requests[0]?.path).toBe('/v1/responses');
  });

  it.each([
    ['openrouter', { max_tokens: 16_384, reasoning: { effort: 'medium', exclude: true } }],
    ['anthropic', { max_tokens: 16_384, thinking: { type: 'adaptive' } }],
    ['groq', { max_completion_tokens: 16_384, reasoning_effort: 'medium' }],
    ['gemini', { max_tokens: 16_384, reasoning_effort: 'medium' }],
  ])('asks %s to think in the words it has for it', async (name, fields) => {
    const server = await serve(() => ({ kind: 'answer', text: 'ok' }));
    await buildOpenAiAsk()(withTier(providerOf(name, server.baseUrl), 'reasoning'), request, 60_000);
    expect(server.requests[0]?.body).toMatchObject(fields);
    expect(server.requests[0]?.path).toBe('/v1/chat/completions');
  });

  it.each(['openai', 'anthropic'])('asks %s again without thinking where it refuses that', async (name) => {
    const isThinking = ({ body }: { readonly body: Readonly<Record<string, unknown>> }) =>
      'reasoning' in body || JSON.stringify(body.thinking) === '{"type":"adaptive"}';
    const server = await serve((asked) =>
      isThinking(asked) ? { kind: 'status', status: 400 } : { kind: 'answer', text: 'ok' },
    );
    const provider = withTier(providerOf(name, server.baseUrl), 'reasoning');
    expect((await buildOpenAiAsk()(provider, request, 60_000)).content).toBe('ok');
    expect(server.requests.map(isThinking)).toStrictEqual([true, false]);
    expect(server.requests[1]?.path).toBe('/v1/chat/completions');
  });

  it('keeps the whole prompt the beginning of the next one, so that it is read from the cache', async () => {
    const server = await serve(() => ({ kind: 'answer', text: 'ok' }));
    const provider = withTier(providerOf('openai', server.baseUrl), 'reasoning');
    const more = { ...request, messages: [...request.messages, { role: 'user', content: 'and now?' } as const] };
    for (const asked of [request, more]) await buildOpenAiAsk()(provider, asked, 60_000);
    const [before, after] = server.requests.map(({ body: { tools, instructions, input } }) =>
      JSON.stringify([tools, instructions, input]).slice(0, -2),
    );
    expect(after?.startsWith(`${before}`)).toBe(true);
  });

  it("adds what gemini and anthropic need for the table's models", async () => {
    const server = await serve(() => ({ kind: 'answer', text: 'ok' }));
    const ask = buildOpenAiAsk();
    await ask(providerOf('gemini', server.baseUrl), request, 60_000);
    await ask(providerOf('anthropic', server.baseUrl), request, 60_000);
    expect(server.requests[0]?.messages[2]?.tool_calls?.[0]).toStrictEqual({
      extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } },
      ...openaiBody.messages[2]?.tool_calls?.[0],
    });
    expect(server.requests[1]?.body).toMatchObject({ max_tokens: 4_096, thinking: { type: 'disabled' } });
  });

  it('uses one client again for many requests, each with its own answer', async () => {
    const server = await serve((asked) => ({ kind: 'answer', text: `${asked.messages.at(-1)?.content}!` }));
    const ask = buildOpenAiAsk();
    const provider = providerOf('openai', server.baseUrl);
    const texts = await Promise.all(
      ['a', 'b', 'c'].map(async (content) => {
        const asked: ModelRequest = { ...request, messages: [{ role: 'user', content }], tools: [] };
        return (await ask(provider, asked, 60_000)).content;
      }),
    );
    expect(texts).toStrictEqual(['a!', 'b!', 'c!']);
    expect(server.requests.map(({ body }) => 'tools' in body)).toStrictEqual([false, false, false]);
  });
});

describe('parseCompletion', () => {
  it('reads what providers get wrong without losing the answer', () => {
    const value = {
      model: 'evil\nname',
      choices: [
        {
          message: {
            content: null,
            tool_calls: [{ function: { name: 'recall', arguments: { query: 'x' } } }, 'garbage', { id: 1 }],
          },
        },
      ],
      usage: { prompt_tokens: -1 },
    };
    expect(parseCompletion(value, 'asked')).toStrictEqual({
      content: null,
      toolCalls: [{ id: undefined, name: 'recall', argumentsText: '{"query":"x"}' }, {}, {}],
      model: 'asked',
      oddities: ['no-reason', 'no-usage'],
    });
  });

  it.each([undefined, null, 'text', {}, { choices: [] }, { choices: [{}] }])('refuses %j', (value) => {
    expect(() => parseCompletion(value, 'asked')).toThrow('something else than a chat completion');
  });
});

describe('buildChatBody', () => {
  const toolless: Provider = {
    ...providerOf('openai', 'https://a.example/v1'),
    extraBody: {},
    features: { hasTools: false, hasJsonSchema: false, hasStreaming: false, hasEmbeddings: false, hasImages: false },
  };

  it('describes the tools in the prompt of a model that cannot call any, and shows calls as it is to write them', () => {
    const body = buildChatBody(toolless, request);
    expect(body.tools).toBeUndefined();
    const [system, ...rest] = body.messages;
    expect(system?.content).toMatch(
      /^S\n\nYou cannot call tools directly\. [\s\S]*\ncurrent-time: Tells the time\. \{/,
    );
    expect(rest).toStrictEqual([
      { role: 'user', content: 'what time?' },
      { role: 'assistant', content: '{"calls": [{"tool": "current-time", "args": {}}]}' },
      { role: 'user', content: 'Result of c1:\nnoon' },
    ]);
  });

  it('shows a call in a form that is read as one', () => {
    const [, , assistant] = buildChatBody(toolless, {
      ...request,
      messages: [
        { role: 'user', content: 'keep tea' },
        {
          role: 'assistant',
          content: 'So "be" it.',
          calls: [{ id: 'c1', name: 'remember', argumentsText: '{"text":"tea","explanation":"as it was asked for"}' }],
        },
      ],
    }).messages;
    expect(parseProposal({ content: assistant?.content })).toStrictEqual({
      proposal: {
        text: 'So "be" it.',
        calls: [{ callId: 'call-1', tool: 'remember', args: { text: 'tea' }, explanation: 'as it was asked for' }],
      },
    });
  });
});

describe('a request that fails', () => {
  it.each<readonly [string, ScriptedAnswer]>([
    ['408', { kind: 'status', status: 408 }],
    ['409', { kind: 'status', status: 409 }],
    ['429', { kind: 'status', status: 429, retryAfterS: 0 }],
    ['500', { kind: 'status', status: 500 }],
    ['503', { kind: 'status', status: 503, retryAfterS: 0 }],
    ['a body that is no answer', { kind: 'raw', body: '{' }],
  ])('is sent once, because what it cost was reserved once: %s', async (_, answer) => {
    const server = await serve(() => answer);
    const provider = providerOf('openai', server.baseUrl);
    for (const asked of [provider, withTier(provider, 'reasoning')])
      await expect(buildOpenAiAsk()(asked, request, 60_000)).rejects.toThrow();
    expect(server.requests.slice(0, 2).map(({ path }) => path)).toStrictEqual([
      '/v1/chat/completions',
      '/v1/responses',
    ]);
    // A 409 refuses the request itself. It may be sent in another form, as another request.
    const sent = server.requests.map(({ path, body }) => `${path} ${JSON.stringify(body)}`);
    expect(new Set(sent).size).toBe(sent.length);
  });
});
