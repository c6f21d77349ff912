import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect } from '../../infra/inspect.ts';
import { type BotApiServer, startBotApiServer } from '../support/bot-api-server.ts';
import { type StrangeServer, startStrangeServer } from '../support/mcp-server.ts';
import { say, startModelServer } from '../support/model-server.ts';
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
  inspect(variables, (setting) => `${setting} in .env`, isRunning);

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

  it('asks the endpoint for recordings whether it takes the key', async () => {
    const model = await startModelServer(() => say('ok'));
    const recordings = { TRANSCRIPTION_MODEL: 'whisper-1', TRANSCRIPTION_BASE_URL: model.baseUrl };
    expect((await look({ ...recordings, TRANSCRIPTION_API_KEY: 'a-key' })).transcription).toMatchObject({
      name: 'recordings',
      isReachable: true,
    });
    expect((await look({})).transcription).toBeUndefined();
    await model.close();
    expect((await look(recordings)).transcription).toMatchObject({ isReachable: false });
  });

  it("says of a running stack if Telegram's last message could not be handed over", async () => {
    const bot = { TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_API_ROOT: telegram.root };
    const url = 'https://127.0.0.1:9/telegram';
    await fetch(`${telegram.root}/bot${TOKEN}/setWebhook?url=${encodeURIComponent(url)}`);
    telegram.sendText(OWNER, OWNER, 'hello');
    await until('it fails', async () => (await look(bot, true)).telegram?.isReachable === false);
    expect((await look(bot, true)).telegram?.detail).toMatch(
      /^could not hand a message over.*: does TELEGRAM_WEBHOOK_URL lead here\?$/,
    );
    await fetch(`${telegram.root}/bot${TOKEN}/deleteWebhook?drop_pending_updates=true`);
    expect((await look(bot, true)).telegram).toMatchObject({ isReachable: true });
  });

  it('says of a running stack if nobody takes the messages of the bot', async () => {
    const bot = { TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_API_ROOT: telegram.root };
    expect((await look(bot)).telegram).toMatchObject({
      isReachable: true,
      detail: expect.stringMatching(/^reachable(; in groups it is shown commands and replies only|$)/),
    });
    for (let n = 0; n < 21; n += 1) telegram.sendText(OWNER, OWNER, `message ${n}`);
    expect((await look(bot)).telegram).toMatchObject({ isReachable: true });
    expect((await look(bot, true)).telegram).toMatchObject({
      isReachable: false,
      detail: 'keeps 21 messages that nobody takes: is another program connected to this bot?',
    });
  });
});
