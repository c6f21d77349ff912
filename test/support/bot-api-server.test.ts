/**
 * The Bot API server judged by a client nobody here wrote: grammY's own Bot, polling and by
 * webhook.
 */
import { createServer } from 'node:http';
import { Api, Bot, type GrammyError, InlineKeyboard, webhookCallback } from 'grammy';
import { afterEach, describe, expect, it } from 'vitest';
import { type BotApiServer, startBotApiServer } from './bot-api-server.ts';

const TOKEN = '4242:AAtestTESTtestTESTtestTESTtestTEST';
const OWNER = 1001;
const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const start = async (): Promise<BotApiServer> => {
  const server = await startBotApiServer({ token: TOKEN, backoffUnitMs: 5 });
  closers.push(server.close);
  return server;
};
const apiOf = (server: BotApiServer): Api => new Api(TOKEN, { apiRoot: server.root });

const until = async (isTrue: () => boolean): Promise<void> => {
  const end = Date.now() + 60_000;
  while (!isTrue()) {
    if (Date.now() > end) throw new Error('it did not happen within a minute');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

/** A bot that answers text, shows a button with `/ask`, and says which button was tapped. */
const buildBot = (server: BotApiServer): Bot => {
  const bot = new Bot(TOKEN, { client: { apiRoot: server.root } });
  bot.command('ask', (context) => context.reply('sure?', { reply_markup: new InlineKeyboard().text('Yes', 'yes') }));
  bot.on('message:text', (context) => context.reply(`you said ${context.message.text}`));
  bot.on('callback_query:data', async (context) => {
    await context.answerCallbackQuery();
    await context.editMessageText(`tapped ${context.callbackQuery.data}`);
  });
  bot.catch(() => undefined);
  return bot;
};

const texts = (server: BotApiServer, chat?: number): readonly (string | undefined)[] =>
  server.sent(chat).map(({ text }) => text);

/** An HTTP server for webhooks; `answer` gives the status and body for each update. */
const startWebhook = async (
  answer: (update: Record<string, unknown>, secret: unknown) => readonly [number, string],
): Promise<string> => {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      const [status, text] = answer(JSON.parse(body), request.headers['x-telegram-bot-api-secret-token']);
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
};

describe('startBotApiServer', () => {
  it('serves a polling grammY bot: commands, texts, taps and edits', async () => {
    const server = await start();
    const bot = buildBot(server);
    const running = bot.start();
    closers.push(async () => {
      await bot.stop();
      await running;
    });
    server.sendText(OWNER, OWNER, 'hello');
    server.sendText(OWNER, OWNER, '/ask');
    await until(() => server.sent().length === 2);
    expect(texts(server, OWNER)).toStrictEqual(['you said hello', 'sure?']);
    server.tap(server.sent()[1]?.message_id ?? 0, 'yes', OWNER);
    await until(() => texts(server)[1] === 'tapped yes');
    expect(server.sent()[1]?.reply_markup).toBeUndefined();
    expect(server.calls.map(({ method }) => method)).toContain('answerCallbackQuery');
  });

  it('serves a grammY bot by webhook, with the secret header and retries', async () => {
    const server = await start();
    const bot = buildBot(server);
    await bot.init();
    const callback = webhookCallback(bot, 'http', { secretToken: 'se-cret_1' });
    let refusals = 2;
    const http = createServer((request, response) => {
      if (refusals > 0) {
        refusals -= 1;
        response.writeHead(503).end();
      } else void callback(request, response);
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    closers.push(async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    });
    const address = http.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/telegram`;
    await bot.api.setWebhook(url, { secret_token: 'se-cret_1', max_connections: 1 });
    for (const text of ['one', 'two', 'three']) server.sendText(OWNER, OWNER, text);
    await until(() => server.sent().length === 3);
    expect(texts(server)).toStrictEqual(['you said one', 'you said two', 'you said three']);
    await until(() => server.pending().length === 0);
    expect(await bot.api.getWebhookInfo()).toMatchObject({ url, max_connections: 1, pending_update_count: 0 });
  });

  it('sends nothing past a refused update of the same chat, and lets other chats go on', async () => {
    const server = await start();
    const seen: string[] = [];
    let refusals = 3;
    const url = await startWebhook((update, secret) => {
      const { text } = update.message as { text: string };
      if (text === 'first' && refusals > 0) {
        refusals -= 1;
        return [500, ''];
      }
      seen.push(`${text} ${String(secret)}`);
      return [200, ''];
    });
    server.sendText(1, 1, 'first');
    server.sendText(1, 1, 'second');
    server.sendText(2, 2, 'other');
    await apiOf(server).setWebhook(url, { secret_token: 'abc', max_connections: 1 });
    await until(() => seen.length === 3);
    expect(seen).toStrictEqual(['other abc', 'first abc', 'second abc']);
    expect(await apiOf(server).getWebhookInfo()).toMatchObject({
      last_error_message: 'Wrong response from the webhook: 500 Internal Server Error',
    });
  });

  it('performs the method a webhook answers with, but none that reads or changes settings', async () => {
    const server = await start();
    const url = await startWebhook((update) => {
      const { text } = update.message as { text: string };
      return [200, text];
    });
    await apiOf(server).setWebhook(url, { max_connections: 1 });
    server.sendText(OWNER, OWNER, '{"method":"sendChatAction","chat_id":1001,"action":"typing"}');
    server.sendText(OWNER, OWNER, '{"method":"deleteWebhook"}');
    server.sendText(OWNER, OWNER, 'no JSON');
    await until(() => server.pending().length === 0);
    expect(server.calls.map(({ method, via, outcome }) => [method, via, outcome])).toStrictEqual([
      ['setWebhook', 'http', 'ok'],
      ['sendChatAction', 'webhook-answer', 'ok'],
    ]);
  });

  it('keeps updates until an offset confirms them', async () => {
    const server = await start();
    const api = apiOf(server);
    const ids = ['a', 'b', 'c', 'd'].map((text) => server.sendText(OWNER, OWNER, text).update_id);
    const poll = async (offset: number, limit = 100): Promise<readonly number[]> =>
      (await api.getUpdates({ offset, limit })).map(({ update_id }) => update_id);
    expect(await poll(0, 2)).toStrictEqual(ids.slice(0, 2));
    expect(await poll(0)).toStrictEqual(ids);
    expect(await poll((ids[1] ?? 0) + 1)).toStrictEqual(ids.slice(2));
    expect(await poll(0)).toStrictEqual(ids.slice(2));
    expect(await poll(-1)).toStrictEqual(ids.slice(3));
    expect(server.pending()).toStrictEqual(ids.slice(3));
    expect(await poll((ids[3] ?? 0) + 1)).toStrictEqual([]);
    server.redeliver(ids[0] ?? 0);
    expect(await poll((ids[3] ?? 0) + 1)).toStrictEqual(ids.slice(0, 1));
    expect(await poll((ids[3] ?? 0) + 1)).toStrictEqual([]);
  });

  it('holds a long poll until an update comes or the time is over', async () => {
    const server = await start();
    const api = apiOf(server);
    const began = performance.now();
    expect(await api.getUpdates({ timeout: 1 })).toStrictEqual([]);
    expect(performance.now() - began).toBeGreaterThan(900);
    const poll = api.getUpdates({ timeout: 20 });
    await until(() => server.calls.length === 2);
    const { update_id } = server.sendText(OWNER, OWNER, 'hello');
    expect((await poll).map((update) => update.update_id)).toStrictEqual([update_id]);
  });

  it('ends a poll with 409 when another begins or a webhook is set, and refuses polls beside a webhook', async () => {
    const server = await start();
    const api = apiOf(server);
    const codeOf = (call: Promise<unknown>): Promise<unknown> =>
      call.then(
        () => 'ok',
        (error: GrammyError) => [error.error_code, error.description.slice(0, 40)],
      );
    const first = codeOf(api.getUpdates({ timeout: 20 }));
    await until(() => server.calls.length === 1);
    const second = codeOf(api.getUpdates({ timeout: 20 }));
    expect(await first).toStrictEqual([409, 'Conflict: terminated by other getUpdates']);
    await until(() => server.calls.length === 2);
    await api.setWebhook('http://127.0.0.1:9/none');
    expect(await second).toStrictEqual([409, 'Conflict: terminated by setWebhook reque']);
    expect(await codeOf(api.getUpdates())).toStrictEqual([409, "Conflict: can't use getUpdates method wh"]);
    await api.deleteWebhook();
    expect(await codeOf(api.getUpdates())).toBe('ok');
  });

  it('keeps only the allowed kinds of updates', async () => {
    const server = await start();
    await apiOf(server).getUpdates({ allowed_updates: ['message'] });
    server.sendUpdate({ callback_query: { id: '1', from: server.me, chat_instance: '1', data: 'x' } });
    const { update_id } = server.sendText(OWNER, OWNER, 'hello');
    expect(server.pending()).toStrictEqual([update_id]);
  });

  const post = async (server: BotApiServer, path: string, body: unknown): Promise<readonly [number, unknown]> => {
    const response = await fetch(`${server.root}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { description } = (await response.json()) as { description?: unknown };
    return [response.status, description];
  };
  const keyboard = (data: string) => ({ inline_keyboard: [[{ text: 'x', callback_data: data }]] });
  const send = `/bot${TOKEN}/sendMessage`;

  const refusals: readonly (readonly [string, string, Record<string, unknown>, number, string])[] = [
    ['a wrong token', '/bot1:x/getMe', {}, 401, 'Unauthorized'],
    ['a path without token', '/getMe', {}, 404, 'Not Found'],
    ['an unknown method', `/bot${TOKEN}/sendTune`, {}, 404, 'Not Found: method not found'],
    ['no chat', send, { text: 'x' }, 400, 'Bad Request: chat_id is empty'],
    ['an unknown chat', send, { chat_id: 5, text: 'x' }, 400, 'Bad Request: chat not found'],
    ['no text', send, { chat_id: OWNER, text: ' \n' }, 400, 'Bad Request: message text is empty'],
    ['4,097 units', send, { chat_id: OWNER, text: 'x'.repeat(4097) }, 400, 'Bad Request: message is too long'],
    [
      '4,098 units in pairs',
      send,
      { chat_id: OWNER, text: '😀'.repeat(2049) },
      400,
      'Bad Request: message is too long',
    ],
    ['33 KiB', send, { chat_id: OWNER, text: 'x'.repeat(33 * 1024) }, 400, 'Bad Request: Text is too long'],
    [
      'a parse mode nobody knows',
      send,
      { chat_id: OWNER, text: 'x', parse_mode: 'rtf' },
      400,
      'Bad Request: Unsupported parse_mode',
    ],
    [
      'an open tag',
      send,
      { chat_id: OWNER, text: '<b>x', parse_mode: 'HTML' },
      400,
      'Bad Request: can\'t parse entities: Can\'t find end tag corresponding to start tag "b"',
    ],
    [
      'tags that cross',
      send,
      { chat_id: OWNER, text: 'ä<b><i>x</b></i>', parse_mode: 'HTML' },
      400,
      'Bad Request: can\'t parse entities: Unmatched end tag at byte offset 9, expected "</i>", found "</b>"',
    ],
    [
      'an unknown tag',
      send,
      { chat_id: OWNER, text: '<h1>x</h1>', parse_mode: 'HTML' },
      400,
      'Bad Request: can\'t parse entities: Unsupported start tag "h1" at byte offset 0',
    ],
    [
      'an unescaped dot',
      send,
      { chat_id: OWNER, text: 'x.', parse_mode: 'MarkdownV2' },
      400,
      "Bad Request: can't parse entities: Character '.' is reserved and must be escaped with the preceding '\\'",
    ],
    [
      'an open star',
      send,
      { chat_id: OWNER, text: 'a *b', parse_mode: 'Markdown' },
      400,
      "Bad Request: can't parse entities: Can't find end of the entity starting at byte offset 2",
    ],
    [
      '65 bytes of callback data',
      send,
      { chat_id: OWNER, text: 'x', reply_markup: keyboard('ä'.repeat(33)) },
      400,
      'Bad Request: BUTTON_DATA_INVALID',
    ],
    [
      'a forgotten callback query',
      `/bot${TOKEN}/answerCallbackQuery`,
      { callback_query_id: '9' },
      400,
      'Bad Request: query is too old and response timeout expired or query ID is invalid',
    ],
    [
      'a chat action nobody knows',
      `/bot${TOKEN}/sendChatAction`,
      { chat_id: OWNER, action: 'sleeping' },
      400,
      'Bad Request: wrong parameter action in request',
    ],
    [
      'an edit of nothing',
      `/bot${TOKEN}/editMessageText`,
      { chat_id: OWNER, message_id: 99, text: 'x' },
      400,
      'Bad Request: message to edit not found',
    ],
    [
      'a public webhook without TLS',
      `/bot${TOKEN}/setWebhook`,
      { url: 'http://example.org' },
      400,
      'Bad Request: bad webhook: An HTTPS URL must be provided for webhook',
    ],
  ];
  it.each(refusals)('refuses %s', async (_name, path, body, code, description) => {
    const server = await start();
    server.openChat(OWNER);
    expect(await post(server, path, body)).toStrictEqual([code, description]);
    expect(server.sent()).toStrictEqual([]);
  });

  it('takes exactly 4,096 units, counted after parsing', async () => {
    const server = await start();
    server.openChat(OWNER);
    const text = `<b>${'x'.repeat(4094)}</b>&amp;&lt;`;
    expect(await post(server, send, { chat_id: String(OWNER), text, parse_mode: 'HTML' })).toStrictEqual([
      200,
      undefined,
    ]);
    expect(server.sent()[0]?.text).toBe(`${'x'.repeat(4094)}&<`);
    expect(server.sent()[0]?.entities).toStrictEqual([{ type: 'bold', offset: 0, length: 4094 }]);
  });

  it('answers 403 where the bot was blocked, until it is let in again', async () => {
    const server = await start();
    server.openChat(OWNER);
    server.openChat(-5);
    server.blockChat(OWNER);
    server.blockChat(-5);
    expect(await post(server, send, { chat_id: OWNER, text: 'x' })).toStrictEqual([
      403,
      'Forbidden: bot was blocked by the user',
    ]);
    expect(await post(server, send, { chat_id: -5, text: 'x' })).toStrictEqual([
      403,
      'Forbidden: bot was kicked from the group chat',
    ]);
    server.unblockChat(OWNER);
    expect(await post(server, send, { chat_id: OWNER, text: 'x' })).toStrictEqual([200, undefined]);
  });

  it('fails on demand, each failure once, and says which ones had an effect', async () => {
    const server = await start();
    server.openChat(OWNER);
    const sendText = (text: string): Promise<unknown> =>
      post(server, send, { chat_id: OWNER, text }).catch(() => 'failed');
    server.failNext('sendMessage', { code: 429, retryAfterS: 3 });
    server.failNext('sendMessage', 'lost-request');
    server.failNext('sendMessage', 'lost-answer');
    server.failNext('sendMessage', 'garbage');
    expect(await sendText('1')).toStrictEqual([429, 'Too Many Requests: retry after 3']);
    expect(await sendText('2')).toBe('failed');
    expect(await sendText('3')).toBe('failed');
    expect(await sendText('4')).toBe('failed');
    expect(await sendText('5')).toStrictEqual([200, undefined]);
    expect(texts(server)).toStrictEqual(['3', '4', '5']);
    await server.refuseConnections();
    expect(await sendText('6')).toBe('failed');
    await server.acceptConnections();
    expect(await sendText('7')).toStrictEqual([200, undefined]);
    expect(texts(server)).toStrictEqual(['3', '4', '5', '7']);
  });
});

describe('sendMessageDraft', () => {
  it('shows a text in a private chat and leaves no message; refuses what the documentation refuses', async () => {
    const server = await start();
    const api = apiOf(server);
    server.sendText(OWNER, OWNER, 'hi');
    server.openChat(-77);
    expect(await api.sendMessageDraft(OWNER, 5, 'The bike is')).toBe(true);
    await api.sendMessage(OWNER, 'The bike is blue.');
    expect([server.drafts(), texts(server)]).toStrictEqual([
      [{ chatId: OWNER, draftId: 5, text: 'The bike is', sentBefore: 0 }],
      ['The bike is blue.'],
    ]);
    await expect(api.sendMessageDraft(OWNER, 0, 'x')).rejects.toMatchObject({ error_code: 400 });
    await expect(api.sendMessageDraft(OWNER, 5, 'x'.repeat(4097))).rejects.toMatchObject({ error_code: 400 });
    await expect(api.sendMessageDraft(-77, 5, 'x')).rejects.toMatchObject({ error_code: 400 });
  });
});
