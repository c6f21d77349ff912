import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { inspect } from '../../infra/inspect.ts';
import { runCli } from '../cli/cli-world.ts';

const KEY = 'sk-test-key-that-must-not-show';
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/**
 * A provider that answers GET /v1/models so, and remembers who asked; one without a body never
 * answers, and is told when it is given up.
 */
const serve = async (
  status: number,
  body: string | undefined,
  givenUp: () => void = () => undefined,
  headers: Readonly<Record<string, string>> = {},
) => {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    if (body === undefined) {
      response.once('close', givenUp);
      return;
    }
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, seen };
};

const list = (...ids: readonly string[]): string => JSON.stringify({ data: ids.map((id) => ({ id })) });

const at = (setting: string): string => `${setting} in the environment`;

const look = async (providers: object) => {
  const keys = Object.fromEntries(Object.keys(providers).map((name) => [name, KEY]));
  const variables = { PROVIDERS: JSON.stringify(providers), PROVIDER_KEYS: JSON.stringify(keys) };
  return (await inspect(variables, at)).providers;
};

describe('inspect of models', () => {
  it('asks one that answers for its models, with its key', async () => {
    const fine = await serve(200, list('small-1', 'large-1'));
    const near = { baseUrl: fine.baseUrl, model: 'small-1', reasoningModel: 'large-1' };
    expect(await look({ near })).toStrictEqual([
      { name: 'near', address: fine.baseUrl, isReachable: true, detail: 'reachable' },
    ]);
    expect(fine.seen).toStrictEqual([`Bearer ${KEY}`]);
  });

  it('says of each why it is not usable, all looked at together, and shows no key', async () => {
    const [denied, other, page, none] = await Promise.all([
      serve(401, JSON.stringify({ error: { message: `Wrong key ${KEY}, or ${KEY.slice(0, 4)}****.` } })),
      serve(200, list('another')),
      serve(200, '<html>'),
      serve(404, '{}'),
    ]);
    const givenUp = Promise.withResolvers<number>();
    const mute = await serve(200, undefined, () =>
      givenUp.resolve([denied, other, page, none].filter(({ seen }) => seen.length > 0).length),
    );
    const modelAt = ({ baseUrl }: { baseUrl: string }) => ({ baseUrl, model: 'm' });
    const providers = await look({
      mute: modelAt(mute),
      denied: modelAt(denied),
      other: modelAt(other),
      page: modelAt(page),
      none: modelAt(none),
      gone: modelAt({ baseUrl: 'http://127.0.0.1:1/v1' }),
    });
    expect(await givenUp.promise).toBe(4);
    expect(providers.map(({ name, isReachable, detail }) => [name, isReachable, detail])).toStrictEqual([
      ['mute', false, 'timed out'],
      [
        'denied',
        false,
        'refuses the key (“Wrong key …, or …”): change PROVIDER_KEYS in the environment and start again',
      ],
      ['other', true, 'does not list m: set PROVIDER_CASCADE, for example to other:another'],
      ['page', false, 'answers with something else than a list of models'],
      ['none', true, 'is there, and lists no models'],
      ['gone', false, 'not reachable'],
    ]);
    expect(JSON.stringify(providers)).not.toContain(KEY);
  });

  it('says how far the clock of this machine is off', async () => {
    const date = new Date(Date.now() + 10 * 60_000).toUTCString();
    const ahead = await serve(200, list('m'), undefined, { date });
    const [found] = await look({ ahead: { baseUrl: ahead.baseUrl, model: 'm' } });
    const seconds = found?.clockAheadS ?? 0;
    expect(Math.abs(seconds + 600)).toBeLessThan(60);
    const folder = mkdtempSync(join(tmpdir(), 'passepartout-clock-'));
    const env = { OPENAI_BASE_URL: ahead.baseUrl, OPENAI_MODEL: 'm', OPENAI_API_KEY: KEY };
    const setup = await runCli(['setup', '--only', 'model', '--non-interactive'], folder, { env });
    rmSync(folder, { recursive: true });
    expect(setup.out).toMatch(/Mind that this machine's clock is 10 minutes behind that of custom: set the clock/);
  });

  it('looks at the endpoint of vectors too, with the key it gets, and says which setting to change', async () => {
    const [fine, denied] = await Promise.all([serve(200, list('m', 'vectors')), serve(403, '{}')]);
    const own = { OPENAI_BASE_URL: fine.baseUrl, OPENAI_MODEL: 'm', OPENAI_API_KEY: KEY, EMBEDDING_MODEL: 'vectors' };
    const embeddings = async (env: Readonly<Record<string, string>>) =>
      (await inspect({ ...own, ...env }, at)).embeddings;
    expect(await embeddings({})).toStrictEqual({
      name: 'embeddings',
      address: fine.baseUrl,
      isReachable: true,
      detail: 'reachable',
    });
    expect(new Set(fine.seen)).toStrictEqual(new Set([`Bearer ${KEY}`]));
    const other = await embeddings({ EMBEDDING_BASE_URL: denied.baseUrl, EMBEDDING_API_KEY: 'sk-of-vectors' });
    expect([other?.isReachable, other?.detail]).toStrictEqual([
      false,
      'refuses the key: change EMBEDDING_API_KEY in the environment and start again',
    ]);
    expect(denied.seen).toStrictEqual(['Bearer sk-of-vectors']);
  });
});
