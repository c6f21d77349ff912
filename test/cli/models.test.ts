import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from './cli-world.ts';

const KEY = 'sk-test-key-that-must-not-show';
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

const ANSWER = JSON.stringify({ choices: [{ message: { content: 'ready' } }] });

/**
 * A provider that answers GET /v1/models so, and a question as `asked` says; it remembers who
 * asked. One without a body never answers, and is told when it is given up.
 */
const serve = async (
  status: number,
  body: string | undefined,
  givenUp: () => void = () => undefined,
  headers: Readonly<Record<string, string>> = {},
  asked = ANSWER,
) => {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    if (body === undefined) {
      response.once('close', givenUp);
      return;
    }
    const isQuestion = request.method === 'POST' && status !== 401;
    response.writeHead(isQuestion ? 200 : status, { 'content-type': 'application/json', ...headers });
    response.end(isQuestion ? asked : body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, seen };
};

const list = (...ids: readonly string[]): string => JSON.stringify({ data: ids.map((id) => ({ id })) });

const run = (providers: object, words: readonly string[] = []) =>
  runCli(['models', ...words], tmpdir(), {
    env: {
      PROVIDERS: JSON.stringify(providers),
      PROVIDER_KEYS: JSON.stringify(Object.fromEntries(Object.keys(providers).map((name) => [name, KEY]))),
    },
  });

describe('passepartout models', () => {
  it('shows both models, window, price and features of one that answers, and sends it its key', async () => {
    const fine = await serve(200, list('small-1', 'large-1'));
    const { code, out } = await run({
      near: {
        baseUrl: fine.baseUrl,
        model: 'small-1',
        reasoningModel: 'large-1',
        contextTokens: 64_000,
        thinking: 'responses',
        prices: { prompt: 0.25, cached: 0.02, completion: 1.2 },
      },
    });
    expect(code).toBe(0);
    expect(out.split('\n')).toStrictEqual([
      `ok     near  ${fine.baseUrl}  reachable`,
      '       cognition  small-1  64000 tokens  $0.25 in, $0.02 cached, $1.2 out for a million',
      '       reasoning  large-1  64000 tokens  $0 in, $0 cached, $0 out for a million',
      '       tools, streaming, thinking',
      '       it lists 2 models: npx passepartout models --all',
      '',
    ]);
    expect(fine.seen).toStrictEqual([`Bearer ${KEY}`, `Bearer ${KEY}`]);
  });

  it('says of each why it is not usable, all looked at together, and shows no key', async () => {
    const [denied, other, page, none] = await Promise.all([
      serve(401, JSON.stringify({ error: { message: `Wrong key ${KEY}, or ${KEY.slice(0, 4)}****.` } })),
      serve(200, list('another')),
      serve(200, '<html>', undefined, {}, '<html>'),
      serve(404, '{}'),
    ]);
    const givenUp = Promise.withResolvers<number>();
    const mute = await serve(200, undefined, () =>
      givenUp.resolve([denied, other, page, none].filter(({ seen }) => seen.length > 0).length),
    );
    const at = ({ baseUrl }: { baseUrl: string }) => ({ baseUrl, model: 'm' });
    const { code, out, err } = await run(
      {
        mute: at(mute),
        denied: at(denied),
        other: at(other),
        page: at(page),
        none: at(none),
        gone: at({ baseUrl: 'http://127.0.0.1:1/v1' }),
      },
      ['--json'],
    );
    expect(await givenUp.promise).toBe(4);
    expect(code).toBe(1);
    const { providers } = JSON.parse(out) as { providers: { name: string; isReachable: boolean; detail: string }[] };
    expect(providers.map(({ name, isReachable, detail }) => [name, isReachable, detail])).toStrictEqual([
      ['mute', false, expect.stringMatching(/^did not answer in time: it is tried again by itself/)],
      [
        'denied',
        false,
        'refuses the key (“Wrong key …, or …”): put a valid one in PROVIDER_KEYS in the environment (infra/operating.md#rotate-a-secret)',
      ],
      ['other', true, 'does not list m: set PROVIDER_CASCADE, for example to other:another'],
      [
        'page',
        false,
        'answered with broken JSON: mend the address, which often ends in /v1 (PROVIDERS in infra/README.md#settings)',
      ],
      ['none', true, 'is there, and lists no models'],
      ['gone', false, expect.stringMatching(/^is not reachable: it is tried again by itself/)],
    ]);
    expect(out + err).not.toContain(KEY);
  });

  it('says how far the clock of this machine is off', async () => {
    const date = new Date(Date.now() + 10 * 60_000).toUTCString();
    const ahead = await serve(200, list('m'), undefined, { date });
    const { out } = await run({ ahead: { baseUrl: ahead.baseUrl, model: 'm' } }, ['--json']);
    const seconds = (JSON.parse(out) as { providers: { clockAheadS: number }[] }).providers[0]?.clockAheadS ?? 0;
    expect(Math.abs(seconds + 600)).toBeLessThan(60);
    const folder = mkdtempSync(join(tmpdir(), 'passepartout-clock-'));
    const env = { OPENAI_BASE_URL: ahead.baseUrl, OPENAI_MODEL: 'm', OPENAI_API_KEY: KEY };
    const setup = await runCli(['setup', '--only', 'model', '--non-interactive'], folder, { env });
    rmSync(folder, { recursive: true });
    expect(setup.out).toMatch(/Mind that this machine's clock is 10 minutes behind that of custom: set the clock/);
  });

  it('looks at the endpoint of vectors too, with the key it gets, and says which setting to change', async () => {
    const [fine, denied] = await Promise.all([serve(200, list('m', 'vectors')), serve(401, '{}')]);
    const look = (env: Readonly<Record<string, string>>) =>
      runCli(['models'], tmpdir(), {
        env: {
          OPENAI_BASE_URL: fine.baseUrl,
          OPENAI_MODEL: 'm',
          OPENAI_API_KEY: KEY,
          EMBEDDING_MODEL: 'vectors',
          ...env,
        },
      });
    const same = await look({});
    expect([same.code, same.out.split('\n').slice(-3)]).toStrictEqual([
      0,
      [`ok     embeddings  ${fine.baseUrl}  reachable`, '       vectors', ''],
    ]);
    expect(new Set(fine.seen)).toStrictEqual(new Set([`Bearer ${KEY}`]));
    const other = await look({ EMBEDDING_BASE_URL: denied.baseUrl, EMBEDDING_API_KEY: 'sk-of-vectors' });
    expect([other.code, other.out.split('\n').at(-3)]).toStrictEqual([
      1,
      `wrong  embeddings  ${denied.baseUrl}  refuses the key: change EMBEDDING_API_KEY in the environment and start again`,
    ]);
    expect(denied.seen).toStrictEqual(['Bearer sk-of-vectors']);
  });

  it('exits 1 where none is configured, and 2 where the configuration is wrong', async () => {
    const none = await runCli(['models'], tmpdir());
    expect([none.code, none.err.split('\n')[1]]).toStrictEqual([
      1,
      expect.stringContaining('no provider is configured'),
    ]);
    const wrong = await runCli(['models'], tmpdir(), { env: { PROVIDER_CASCADE: 'nobody' } });
    expect([wrong.code, wrong.err]).toStrictEqual([2, expect.stringContaining('PROVIDER_CASCADE names "nobody"')]);
  });
});
