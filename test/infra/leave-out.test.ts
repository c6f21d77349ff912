import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { OpenAI } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEPLOYED } from '../../infra/build-function.ts';
import { ROOT } from '../../infra/bundling.ts';
import { leaveOut } from '../../infra/leave-out.ts';
import type * as Classify from '../../lib/llm/provider-failure.ts';
import type * as Client from '../../lib/llm/openai-client.ts';
import { buildCascade } from '../../lib/llm/providers.ts';
import { startModelServer } from '../support/model-server.ts';

type Bundle = typeof Client & typeof Classify & { readonly OpenAI: typeof OpenAI };

const CONTENTS = [
  "export * from './lib/llm/openai-client.ts';",
  "export * from './lib/llm/provider-failure.ts';",
  "export { OpenAI } from 'openai';",
].join('\n');

let folder = '';
let bundle: Bundle;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leave-out-'));
  const stdin = { contents: CONTENTS, resolveDir: ROOT };
  await build({ ...DEPLOYED, splitting: false, stdin, entryNames: 'client', outdir: folder, plugins: [leaveOut] });
  bundle = await import(/* @vite-ignore */ pathToFileURL(join(folder, 'client.mjs')).href);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CONFIG = { apiKey: 'k', adminAPIKey: 'a', webhookSecret: 'w', baseURL: 'http://127.0.0.1:9/v1' };
const request = { system: 'S', messages: [{ role: 'user', content: 'hello' }], tools: [], tokens: 10 } as const;

const partsOf = (client: OpenAI): readonly (readonly [string, object])[] =>
  Object.entries(client).filter(
    (entry): entry is [string, object] =>
      typeof entry[1] === 'object' && entry[1] !== null && '_client' in Object(entry[1]),
  );

describe('leaveOut', () => {
  it('leaves the client a third of its size', () => {
    expect(statSync(join(folder, 'client.mjs')).size).toBeLessThan(170 * 1024);
  });

  it('knows every part the package has, and keeps none', () => {
    const real = partsOf(new OpenAI(CONFIG)).map(([name]) => name);
    expect(real.length).toBeGreaterThan(20);
    const client = new bundle.OpenAI(CONFIG);
    const kept = real.filter((name) => {
      try {
        return Reflect.get(Reflect.get(client, name), '_client') === client;
      } catch (error) {
        expect(String(error)).toMatch(/^Error: openai: \w+ is left out of this bundle/);
        return false;
      }
    });
    expect(kept).toStrictEqual([]);
  });

  it.each<[string, (client: OpenAI) => unknown]>([
    ['Embeddings', (client) => client.embeddings.create({ model: 'm', input: 'x' })],
    ['Models', (client) => client.models.list()],
    ['Responses', (client) => client.responses.create({ model: 'm', input: 'x' })],
    ['Beta', (client) => client.beta.threads],
    ['Chat', (client) => client.chat.completions.create({ model: 'm', messages: [] })],
  ])('names %s to whoever asks it for something', (name, ask) => {
    expect(() => ask(new bundle.OpenAI(CONFIG))).toThrow(`openai: ${name} is left out of this bundle`);
  });

  it('keeps what the client asks, hears and says went wrong as it is', async () => {
    const server = await startModelServer(({ body }) =>
      body.model === 'gone' ? { kind: 'status', status: 404, body: {} } : { kind: 'answer', text: 'It is noon.' },
    );
    try {
      const [provider] = buildCascade({ PROVIDER_CASCADE: 'openai' }, new Map([['OPENAI_API_KEY', 'key-1']]));
      if (provider === undefined) throw new Error('no provider');
      const at = { ...provider, baseUrl: server.baseUrl };
      const ask = bundle.buildOpenAiAsk();
      const heard: string[] = [];
      expect((await ask(at, request, 60_000)).content).toBe('It is noon.');
      expect((await ask(at, request, 60_000, ({ text }) => heard.push(text))).content).toBe('It is noon.');
      expect(heard.at(-1)).toBe('It is noon.');
      const error = await ask({ ...at, model: 'gone' }, request, 60_000).catch((thrown: unknown) => thrown);
      expect(bundle.classifyProviderError(error)).toStrictEqual({
        fault: 'model',
        reason: 'knows no such model or path (404)',
        isTransient: false,
        mayBeBilled: false,
      });
    } finally {
      await server.close();
    }
  });

  it('leaves out nothing that our code asks for', () => {
    const sources = readdirSync(join(ROOT, 'lib'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    const users = sources.filter((file) => / from 'openai'/.test(readFileSync(join(ROOT, 'lib', file), 'utf8')));
    expect(users.sort()).toStrictEqual(['llm/provider-failure.ts', 'llm/openai-client.ts', 'llm/wire.ts']);
    const asked = users.flatMap((file) => [
      ...readFileSync(join(ROOT, 'lib', file), 'utf8').matchAll(/clientOf\([^)]*\)\s*\.(\w+(?:\.\w+)*)/g),
    ]);
    expect([...new Set(asked.map(([, path]) => path))]).toStrictEqual(['post']);
  });
});
