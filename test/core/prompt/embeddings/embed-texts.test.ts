import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KeyRefusedError, ProtocolError, UnavailableError } from '../../../../lib/core/base/errors.ts';
import {
  buildEmbedTexts,
  buildEndpoint,
  embeddingCost,
  keyOfProvider,
} from '../../../../lib/core/prompt/embeddings/embed-texts.ts';

let server: Server;
let baseUrl = '';
let answer: { readonly status: number; readonly body: string } = { status: 200, body: '' };
const asked: { url: string | undefined; key: string | undefined; body: unknown }[] = [];
beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push({ url: request.url, key: request.headers.authorization, body: JSON.parse(body) });
    response.writeHead(answer.status).end(answer.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const embed = buildEmbedTexts();
const ask = (status: number, body: unknown, texts: readonly string[] = ['a', 'b']) => {
  answer = { status, body: typeof body === 'string' ? body : JSON.stringify(body) };
  return embed({ baseUrl: `${baseUrl}/`, key: 'sk-hidden', model: 'small' }, texts, 60_000);
};

describe('embedTexts', () => {
  it('gives one vector for each text, in their order, and says what was used', async () => {
    const data = [
      { index: 1, embedding: [3, 4] },
      { index: 0, embedding: [1, 2] },
    ];
    expect(await ask(200, { data, usage: { prompt_tokens: 7 } })).toStrictEqual({
      vectors: [
        [1, 2],
        [3, 4],
      ],
      tokens: 7,
    });
    expect(asked.at(-1)).toStrictEqual({
      url: '/v1/embeddings',
      key: 'Bearer sk-hidden',
      body: { model: 'small', input: ['a', 'b'], encoding_format: 'float' },
    });
  });

  it.each<[string, number, unknown, typeof ProtocolError | typeof UnavailableError]>([
    ['a key it does not know', 401, {}, KeyRefusedError],
    ['a key that may not', 403, {}, KeyRefusedError],
    ['too few vectors', 200, { data: [{ embedding: [1] }] }, ProtocolError],
    ['several lengths', 200, { data: [{ embedding: [1] }, { embedding: [1, 2] }] }, ProtocolError],
    ['no numbers', 200, { data: [{ embedding: ['x'] }, { embedding: [1] }] }, ProtocolError],
    ['empty vectors', 200, { data: [{ embedding: [] }, { embedding: [] }] }, ProtocolError],
    ['no JSON', 200, '<html>', ProtocolError],
    ['a refused key', 401, {}, ProtocolError],
    ['too much asked', 429, {}, UnavailableError],
    ['a broken server', 503, {}, UnavailableError],
  ])('refuses %s, naming neither texts nor the key', async (_, status, body, kind) => {
    const error: unknown = await ask(status, body, ['sk-text', 'b']).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(kind);
    expect(String(error)).not.toMatch(/sk-|127\.0/);
  });

  it('cannot be made to wait, and says so', async () => {
    const nobody = { baseUrl: 'http://127.0.0.1:9/v1', key: '', model: 'small' };
    await expect(embed(nobody, ['a'], 500)).rejects.toBeInstanceOf(UnavailableError);
  });
});

describe('buildEndpoint', () => {
  const keyFor = keyOfProvider([{ baseUrl: 'https://a.example/v1/', key: 'k' }]);

  it.each([
    [{}, undefined],
    [{ EMBEDDING_MODEL: ' ' }, undefined],
    [{ EMBEDDING_MODEL: 'm' }, { baseUrl: 'https://api.openai.com/v1', model: 'm', key: '' }],
    [
      { EMBEDDING_MODEL: 'm', OPENAI_BASE_URL: 'https://a.example/v1' },
      { baseUrl: 'https://a.example/v1', model: 'm', key: 'k' },
    ],
    [
      {
        EMBEDDING_MODEL: 'm',
        EMBEDDING_BASE_URL: 'http://127.0.0.1:1/v1/',
        OPENAI_BASE_URL: 'https://a.example/v1',
        EMBEDDING_PRICE: '0.02',
      },
      { baseUrl: 'http://127.0.0.1:1/v1', model: 'm', key: '', price: 20_000 },
    ],
  ])('reads %j', (env, endpoint) => {
    expect(buildEndpoint(env, keyFor)).toStrictEqual(endpoint);
  });
});

describe('embeddingCost', () => {
  it.each([
    ['what the owner says', { baseUrl: 'https://a.example', model: 'm', price: 50_000 }, 50],
    ['the list of the maker', { baseUrl: 'https://api.openai.com/v1', model: 'text-embedding-3-small' }, 20],
    ['nothing on this machine', { baseUrl: 'http://127.0.0.1:11434/v1', model: 'm' }, 0],
    ['the worst for what nobody knows', { baseUrl: 'https://a.example/v1', model: 'text-embedding-3-small' }, 20_000],
  ])('is %s', (_, endpoint, micros) => {
    expect(embeddingCost(endpoint, 1_000)).toBe(micros * 1);
  });
});
