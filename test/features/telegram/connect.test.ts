import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { connectTelegram } from '../../../infra/features/telegram/connect.ts';
import { startBotApiServer } from '../../support/bot-api-server.ts';

const TOKEN = '4242:test-token';
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Stands where the stack's HTTP front does; answers what the function would. */
const startFront = async (answer: (body: string) => { status: number; body: unknown }) => {
  const seen: { secret: unknown; body: string }[] = [];
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      seen.push({ secret: request.headers['x-telegram-bot-api-secret-token'], body });
      const { status, body: json } = answer(body);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  const address = server.address();
  return { seen, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` };
};

const until = async (holds: () => boolean) => {
  for (let look = 0; look < 6_000 && !holds(); look += 1) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(holds()).toBe(true);
};

describe('connectTelegram', () => {
  it('registers the webhook under its public address, with one connection and the secret', async () => {
    const telegram = await startBotApiServer({ token: TOKEN });
    closers.push(() => telegram.close());
    const lines: string[] = [];
    const connection = await connectTelegram({
      telegram: { mode: 'webhook', token: TOKEN, apiRoot: telegram.root, publicUrl: 'https://agent.example/base' },
      stackUrl: 'http://127.0.0.1:9',
      webhookSecret: 'a-long-enough-secret',
      isPollingWished: false,
      log: (line) => lines.push(line),
    });
    expect(connection.description).toBe('webhook at https://agent.example/base/telegram');
    const call = telegram.calls.find(({ method }) => method === 'setWebhook');
    expect(call?.params).toMatchObject({
      url: 'https://agent.example/base/telegram',
      max_connections: 1,
      secret_token: 'a-long-enough-secret',
      allowed_updates: ['message', 'edited_message', 'callback_query', 'my_chat_member', 'message_reaction'],
    });
    expect(lines.join()).not.toContain('test-token');
    const menus = () => telegram.calls.filter(({ method, outcome }) => method === 'setMyCommands' && outcome === 'ok');
    await until(() => menus().length === 4);
    const [mine, others, german] = menus().map(({ params }) => ({
      scope: params.scope,
      names: (params.commands as { command: string }[]).map(({ command }) => command),
    }));
    expect(german).toStrictEqual(mine);
    expect(menus()[3]?.params).toStrictEqual({
      scope: { type: 'all_group_chats' },
      language_code: 'de',
      commands: [
        { command: 'help', description: 'was ich kann, und alle Befehle' },
        { command: 'stop', description: 'sofort anhalten' },
        { command: 'remember', description: 'etwas merken' },
      ],
    });
    expect(mine).toMatchObject({ scope: { type: 'all_private_chats' } });
    expect(mine?.names).toStrictEqual(expect.arrayContaining(['help', 'stop', 'resume', 'jobs', 'forget']));
    expect(others).toStrictEqual({ scope: { type: 'all_group_chats' }, names: ['help', 'stop', 'remember'] });
  });

  it('says in words why a webhook could not be registered, without the token', async () => {
    const telegram = await startBotApiServer({ token: TOKEN });
    closers.push(() => telegram.close());
    const connection = await connectTelegram({
      telegram: { mode: 'webhook', token: '1:wrong', apiRoot: telegram.root, publicUrl: 'https://agent.example' },
      stackUrl: 'http://127.0.0.1:9',
      webhookSecret: 'a-long-enough-secret',
      isPollingWished: false,
      log: () => undefined,
    });
    expect(connection.description).toMatch(/could not be registered: \S+/);
    expect(connection.description).not.toContain('1:wrong');
  });

  it('hands polled updates to the stack in order, past one it will never take', async () => {
    const telegram = await startBotApiServer({ token: TOKEN });
    closers.push(() => telegram.close());
    const front = await startFront((body) =>
      body.includes('malformed') ? { status: 400, body: { error: {} } } : { status: 200, body: { ok: true } },
    );
    const connection = await connectTelegram({
      telegram: { mode: 'polling', token: TOKEN, apiRoot: telegram.root },
      stackUrl: front.url,
      webhookSecret: 'a-long-enough-secret',
      isPollingWished: false,
      log: () => undefined,
    });
    closers.push(() => connection.stop());
    expect(connection.description).toBe('long polling');
    for (const text of ['one', 'malformed', 'three']) telegram.sendText(7, 7, text);
    await until(() => front.seen.length >= 3 && telegram.pending().length === 0);
    expect(front.seen.map(({ secret }) => secret)).toStrictEqual(Array(3).fill('a-long-enough-secret'));
    expect(front.seen.map(({ body }) => JSON.parse(body).message.text)).toStrictEqual(['one', 'malformed', 'three']);
  });
});
