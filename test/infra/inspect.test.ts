import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect } from '../../infra/inspect.ts';
import { FEATURES } from '../../lib/features/features.ts';
import { setMenus } from '../../lib/features/telegram/menu.ts';
import { type BotApiServer, startBotApiServer } from '../support/bot-api-server.ts';
import { type StrangeServer, startStrangeServer } from '../support/mcp-server.ts';
import { say, startModelServer, WRONG_KEY } from '../support/model-server.ts';
import { until } from '../support/stack.ts';

const TOKEN = '4242:AAtestTESTtestTESTtestTESTtestTEST';
const OWNER = 7;

let telegram: BotApiServer;
let tools: StrangeServer;
beforeAll(async () => {
  telegram = await startBotApiServer({ token: TOKEN });
  tools = await startStrangeServer((_request, response) => {
    const isKnown = tools.headers.at(-1)?.authorization === 'Bearer right';
    return isKnown ? undefined : response.writeHead(401).end();
  });
});
afterAll(async () => {
  await telegram?.close();
  await tools?.close();
});

const look = (variables: Readonly<Record<string, string>>, isRunning = false) =>
  inspect(variables, (setting) => `${setting} in .env`, { isRunning });

describe('inspect', () => {
  it('asks each MCP server that has a token whether it takes it', async () => {
    const servers = {
      good: { url: tools.url, token: 'right' },
      refused: { url: tools.url, token: 'a-secret-of-mine' },
      away: { url: 'http://127.0.0.1:9/mcp', token: 'x' },
    };
    const { mcp } = await look({ MCP_SERVERS: JSON.stringify(servers) });
    expect(mcp.map(({ name, isReachable, detail }) => [name, isReachable, detail])).toStrictEqual([
      ['good', true, 'reachable'],
      ['refused', false, 'refuses the token: change MCP_SERVERS in .env and start again'],
      ['away', false, 'not reachable'],
    ]);
    expect(JSON.stringify(mcp)).not.toContain('a-secret-of-mine');
  });

  it('connects to each webhook, and sends nothing', async () => {
    let connections = 0;
    let bytes = 0;
    const receiver = createServer((socket) => {
      connections += 1;
      socket.on('data', ({ length }) => {
        bytes += length;
      });
      socket.on('error', () => undefined);
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const { port } = receiver.address() as AddressInfo;
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const targets = {
      Good: { url: `http://127.0.0.1:${port}/hooks/a-secret-path`, secret },
      away: { url: 'http://127.0.0.1:9/hook', secret },
      nowhere: { url: 'https://no-such-host.invalid/hook', secret },
    };
    const { webhooks } = await look({ WEBHOOK_TARGETS: JSON.stringify(targets) });
    expect(webhooks.map(({ name, isReachable }) => [name, isReachable])).toStrictEqual([
      ['good', true],
      ['away', false],
      ['nowhere', false],
    ]);
    expect(webhooks.map(({ detail }) => detail)).toStrictEqual([
      'takes a connection',
      'takes no connection (ECONNREFUSED)',
      expect.stringMatching(/^takes no connection \(E\w+\)$/),
    ]);
    expect(JSON.stringify(webhooks)).not.toContain('a-secret-path');
    await until('it was connected to', () => connections === 1);
    expect(bytes).toBe(0);
    receiver.close();
  });

  it.each([
    ['all is left', { 'x-ratelimit-limit-requests': '500', 'x-ratelimit-remaining-requests': '499' }, 'reachable'],
    [
      'few requests are left',
      { 'x-ratelimit-limit-requests': '500', 'x-ratelimit-remaining-requests': '3' },
      'reachable; 3 of 500 requests left',
    ],
    [
      'few tokens are left, as Anthropic says it',
      { 'anthropic-ratelimit-tokens-limit': '80000', 'anthropic-ratelimit-tokens-remaining': '0' },
      'reachable; 0 of 80000 tokens left',
    ],
    ['nothing is said', {}, 'reachable'],
    ['nonsense is said', { 'x-ratelimit-remaining-requests': 'x' }, 'reachable'],
    // Another address of this machine, of which no price is known.
    [
      'nothing is said, and no price is known',
      {},
      'reachable; no price of m is known, so it counts as the most expensive (“prices” in PROVIDERS says it)',
      '127.0.0.2',
    ],
  ])('says of a key if it is near its limit: %s', async (_name, headers, detail, host = '127.0.0.1') => {
    const provider = createHttpServer((_request, response) =>
      response.writeHead(200, headers).end(JSON.stringify({ data: [{ id: 'm' }] })),
    );
    provider.listen(0, host);
    await once(provider, 'listening');
    const url = `http://${host}:${(provider.address() as AddressInfo).port}/v1`;
    const { providers } = await look({ OPENAI_BASE_URL: url, OPENAI_MODEL: 'm', OPENAI_API_KEY: 'k' });
    expect(providers[0]).toMatchObject({ isReachable: true, detail });
    expect(providers[0]?.isNearLimit).toBe(/ left$/.test(detail) ? true : undefined);
    provider.close();
  });

  it.each([
    ['transcription', 'TRANSCRIPTION_MODEL', 'recordings'],
    ['speech', 'SPEECH_MODEL', 'voice answers'],
  ] as const)('asks the endpoint for %s whether it takes the key and has the model', async (what, setting, name) => {
    const model = await startModelServer(() => say('ok'));
    const audio = { [setting]: 'scripted', TRANSCRIPTION_BASE_URL: model.baseUrl, TRANSCRIPTION_API_KEY: 'a-key' };
    expect((await look(audio))[what]).toMatchObject({ name, isReachable: true });
    const unknown = (await look({ ...audio, [setting]: 'nobody-1' }))[what];
    expect(unknown).toMatchObject({ isUnlisted: true, detail: expect.stringContaining(`set ${setting}`) });
    expect((await look({ ...audio, TRANSCRIPTION_API_KEY: WRONG_KEY }))[what]).toMatchObject({ isRefused: true });
    expect((await look({}))[what]).toBeUndefined();
    await model.close();
    expect((await look(audio))[what]).toMatchObject({ isReachable: false });
  });

  it("says of a running stack if Telegram's last message could not be handed over", async () => {
    const bot = { TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_API_ROOT: telegram.root };
    const url = 'https://127.0.0.1:9/telegram';
    await fetch(`${telegram.root}/bot${TOKEN}/setWebhook?url=${encodeURIComponent(url)}`);
    telegram.sendText(OWNER, OWNER, 'hello');
    await until('it fails', async () => (await look(bot, true)).channels.telegram?.isReachable === false);
    expect((await look(bot, true)).channels.telegram?.detail).toMatch(
      /^could not hand a message over.*: does TELEGRAM_WEBHOOK_URL lead here\?$/,
    );
    await fetch(`${telegram.root}/bot${TOKEN}/deleteWebhook?drop_pending_updates=true`);
    const unset = { isReachable: true, detail: expect.stringContaining('it offers no commands after "/" yet') };
    expect((await look(bot, true)).channels.telegram).toMatchObject(unset);
    expect(await setMenus({ token: TOKEN, apiRoot: telegram.root }, FEATURES)).toBe('');
    expect((await look(bot, true)).channels.telegram?.detail).not.toContain('commands');
  });

  it('says of a running stack if nobody takes the messages of the bot', async () => {
    const bot = { TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_API_ROOT: telegram.root };
    expect((await look(bot)).channels.telegram).toMatchObject({
      isReachable: true,
      detail: expect.stringMatching(/^reachable(; in groups it is shown commands and replies only|$)/),
    });
    for (let n = 0; n < 21; n += 1) telegram.sendText(OWNER, OWNER, `message ${n}`);
    expect((await look(bot)).channels.telegram).toMatchObject({ isReachable: true });
    expect((await look(bot, true)).channels.telegram).toMatchObject({
      isReachable: false,
      detail: 'keeps 21 messages that nobody takes: is another program connected to this bot?',
    });
  });
});
