/** A picture in a request, over both APIs, and to a provider that takes none. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../lib/core/llm/chat.ts';
import { buildOpenAiAsk } from '../../../lib/core/llm/openai-client.ts';
import { PROVIDER_TABLE } from '../../../lib/core/llm/provider-table.ts';
import type { Provider } from '../../../lib/core/llm/providers.ts';
import { type ModelServer, say, startModelServer } from '../../support/model-server.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer(() => say('a cat'));
});
afterAll(() => server.close());

const hash = 'ab'.repeat(32);
const url = `data:image/png;base64,${Buffer.from('a cat').toString('base64')}`;
const REQUEST: ModelRequest = {
  system: 's',
  messages: [{ role: 'user', content: 'what is it?', pictures: [{ type: 'png', hash }] }],
  tools: [],
  tokens: 10,
  pictureData: new Map([[hash, url]]),
};
const providerOf = (name: string, fields: Partial<Provider> = {}): Provider => {
  const row = PROVIDER_TABLE.find((one) => one.name === name);
  if (row === undefined) throw new Error(`there is no provider ${name}`);
  return { ...row, baseUrl: server.baseUrl, key: 'k', ...fields };
};
const shownTo = async (provider: Provider, request = REQUEST) => {
  await buildOpenAiAsk()(provider, request, 10_000);
  const { path, pictures, messages } = server.requests.at(-1) ?? {};
  return [path?.split('/').at(-1), pictures, messages?.at(-1)?.content];
};

describe('a request with a picture', () => {
  it('shows it over chat completions and over the Responses API', async () => {
    expect(await shownTo(providerOf('openai'))).toStrictEqual(['completions', [url], 'what is it?']);
    const large = providerOf('openai', { tier: 'reasoning' });
    expect(await shownTo(large)).toStrictEqual(['responses', [url], 'what is it?']);
  });

  it('shows no provider a picture that takes none, and none that is gone', async () => {
    expect(await shownTo(providerOf('groq'))).toStrictEqual(['completions', [], 'what is it?']);
    const gone = { ...REQUEST, pictureData: new Map() };
    expect(await shownTo(providerOf('openai'), gone)).toStrictEqual(['completions', [], 'what is it?']);
  });

  it('keeps it where tools are described in the prompt', async () => {
    const tools = [
      { type: 'function', function: { name: 't', description: 'd', parameters: { type: 'object' } } },
    ] as const;
    const features = {
      hasTools: false,
      hasJsonSchema: false,
      hasStreaming: false,
      hasEmbeddings: false,
      hasImages: true,
    };
    expect((await shownTo(providerOf('openai', { features }), { ...REQUEST, tools }))[1]).toStrictEqual([url]);
  });
});
