/**
 * The poller against the Bot API server: in order, nothing skipped, nothing said about the token.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  startTelegramPoller,
  type TelegramPoller,
  type TelegramPollerOptions,
} from '../../../infra/features/telegram/poller.ts';
import { type BotApiServer, startBotApiServer } from '../../support/bot-api-server.ts';

const SECRET = 'AAtestTESTtestTESTtestTESTtestTEST';
const TOKEN = `4242:${SECRET}`;
const OWNER = 1001;

let server: BotApiServer;
let pollers: TelegramPoller[];
let lines: string[];
let delivered: string[];

beforeEach(async () => {
  server = await startBotApiServer({ token: TOKEN });
  pollers = [];
  lines = [];
  delivered = [];
});
afterEach(async () => {
  await Promise.all(pollers.map((poller) => poller.stop()));
  await server.close();
  expect(lines.join('\n')).not.toContain(SECRET);
});

const until = async (isTrue: () => boolean): Promise<void> => {
  const end = Date.now() + 60_000;
  while (!isTrue()) {
    if (Date.now() > end) throw new Error(`it did not happen within a minute; log: ${lines.join(' | ')}`);
    await sleep(5);
  }
};

const textOf = (update: unknown): string => (update as { message?: { text?: string } }).message?.text ?? '';
const start = (options: Partial<TelegramPollerOptions> = {}): TelegramPoller => {
  const poller = startTelegramPoller({
    token: TOKEN,
    apiRoot: server.root,
    deliver: async (update) => {
      delivered.push(textOf(update));
      return { ok: true };
    },
    log: (line) => void lines.push(line),
    backoffMs: [5, 10],
    ...options,
  });
  pollers.push(poller);
  return poller;
};
const polls = () => server.calls.filter(({ method }) => method === 'getUpdates');

describe('startTelegramPoller', () => {
  it('delivers in order, one by one, and confirms what was delivered', async () => {
    let running = 0;
    for (let n = 1; n <= 25; n += 1) server.sendText(OWNER, OWNER, String(n));
    const poller = start({
      deliver: async (update) => {
        running += 1;
        expect(running).toBe(1);
        await sleep(1);
        delivered.push(textOf(update));
        running -= 1;
        return { ok: true };
      },
    });
    await until(() => delivered.length === 25 && server.pending().length === 0);
    expect(delivered).toStrictEqual(Array.from({ length: 25 }, (_, index) => String(index + 1)));
    expect(poller.problem()).toBe('');
    expect(polls()[0]?.params).toStrictEqual({
      timeout: 25,
      limit: 10,
      allowed_updates: ['message', 'edited_message', 'callback_query', 'my_chat_member', 'message_reaction'],
    });
    server.sendText(OWNER, OWNER, 'later');
    await until(() => delivered.includes('later'));
    expect(lines).toStrictEqual([]);
  });

  it('tries a refused delivery again, skips nothing and confirms nothing before', async () => {
    const tries: string[] = [];
    let refusals = 3;
    const first = server.sendText(OWNER, OWNER, 'first').update_id;
    const second = server.sendText(OWNER, OWNER, 'second').update_id;
    const poller = start({
      deliver: async (update) => {
        tries.push(textOf(update));
        expect(server.pending()).toContain(second);
        refusals -= 1;
        if (refusals === 1) throw new Error('the store is down');
        return { ok: refusals < 0 };
      },
    });
    await until(() => poller.problem().includes('could not be handed over'));
    expect(poller.problem()).toBe(`update ${first} could not be handed over; trying again`);
    await until(() => server.pending().length === 0);
    expect(tries).toStrictEqual(['first', 'first', 'first', 'first', 'second']);
    expect(lines).toStrictEqual([
      `Telegram: update ${first} could not be handed over; trying again`,
      'Telegram: polling works',
    ]);
  });

  it('gets again after a restart what was not confirmed', async () => {
    server.sendText(OWNER, OWNER, 'first');
    const poller = start({ deliver: async () => ({ ok: false }) });
    await until(() => poller.problem().includes('could not be handed over'));
    await poller.stop();
    start();
    await until(() => delivered.length === 1);
    expect(delivered).toStrictEqual(['first']);
  });

  it('performs the answer of a delivery, but only the two harmless methods', async () => {
    const answers: unknown[] = [
      { method: 'sendChatAction', chat_id: String(OWNER), action: 'typing' },
      { method: 'answerCallbackQuery', callback_query_id: 'forgotten' },
      { method: 'sendMessage', chat_id: OWNER, text: 'obey' },
      { method: 'deleteWebhook' },
      'nonsense',
      null,
    ];
    for (const _ of answers) server.sendText(OWNER, OWNER, 'x');
    let next = 0;
    start({ deliver: async () => ({ ok: true, answer: answers[next++] }) });
    await until(() => next === answers.length && server.pending().length === 0 && server.calls.length >= 4);
    const others = server.calls
      .filter(({ method }) => method !== 'getUpdates')
      .map(({ method, outcome }) => [method, outcome]);
    expect(others.sort()).toStrictEqual([
      ['answerCallbackQuery', 400],
      ['sendChatAction', 'ok'],
    ]);
  });

  it('leaves a webhook alone, says so once, and goes on when it is gone', async () => {
    const setWebhook = async (url: string): Promise<unknown> =>
      await fetch(`${server.root}/bot${TOKEN}/setWebhook?url=${encodeURIComponent(url)}`);
    await setWebhook('http://127.0.0.1:9/none');
    const poller = start();
    await until(() => polls().length > 5);
    expect(poller.problem()).toContain('a webhook is set for this bot');
    expect(lines).toStrictEqual([
      'Telegram: a webhook is set for this bot, so polling gets nothing; delete the webhook, or set TELEGRAM_MODE=webhook',
    ]);
    expect(server.calls.filter(({ method }) => method === 'deleteWebhook')).toStrictEqual([]);
    await setWebhook('');
    server.sendText(OWNER, OWNER, 'hello');
    await until(() => delivered.length === 1);
    expect(lines.slice(1)).toStrictEqual(['Telegram: polling works']);
  });

  it('takes over from a webhook when told to, losing nothing', async () => {
    await fetch(`${server.root}/bot${TOKEN}/setWebhook?url=http%3A%2F%2F127.0.0.1%3A9%2Fnone`);
    server.sendText(OWNER, OWNER, 'waiting');
    start({ isTakingOver: true });
    await until(() => delivered.length === 1);
    expect(delivered).toStrictEqual(['waiting']);
  });

  it('names another poller as the reason when its polls are ended', async () => {
    const poller = start({ backoffMs: [60_000] });
    await until(() => polls().length === 1);
    const other = new AbortController();
    const poll = fetch(`${server.root}/bot${TOKEN}/getUpdates?timeout=20`, { signal: other.signal }).catch(
      () => undefined,
    );
    await until(() => poller.problem() !== '');
    expect(poller.problem()).toBe('another program polls for the same bot; stop it, or use another bot');
    other.abort();
    await poll;
  });

  it('waits out a flood limit and a lost connection', async () => {
    server.failNext('getUpdates', { code: 429, retryAfterS: 0 });
    server.failNext('getUpdates', 'lost-answer');
    server.failNext('getUpdates', 'garbage');
    server.failNext('getUpdates', { code: 502 });
    server.sendText(OWNER, OWNER, 'hello');
    start();
    await until(() => delivered.length === 1);
    await server.refuseConnections();
    await until(() => lines.some((line) => line.includes('ECONNREFUSED')));
    await server.acceptConnections();
    server.sendText(OWNER, OWNER, 'again');
    await until(() => delivered.length === 2);
    expect(delivered).toStrictEqual(['hello', 'again']);
  });

  it('says that a token is not accepted, without naming it', async () => {
    const poller = start({ token: `4242:${SECRET}x` });
    await until(() => poller.problem() !== '');
    expect(poller.problem()).toBe('the token in TELEGRAM_BOT_TOKEN is refused');
  });

  it('stops promptly: in a long poll, in a wait and in a delivery that is refused', async () => {
    const inPoll = start();
    await until(() => polls().length === 1);
    // The poll is given up, not awaited: nothing that comes after it is handed over. Each of the
    // other two waits longer than a test may.
    const stopped = inPoll.stop();
    server.sendText(OWNER, OWNER, 'x');
    await stopped;
    expect(delivered).toStrictEqual([]);
    const inDelivery = start({ deliver: async () => ({ ok: false }), backoffMs: [3_600_000] });
    await until(() => inDelivery.problem().includes('could not be handed over'));
    await inDelivery.stop();
    await server.refuseConnections();
    const inWait = start({ backoffMs: [3_600_000] });
    await until(() => inWait.problem().includes('no updates'));
    await inWait.stop();
    await server.acceptConnections();
  });
});
