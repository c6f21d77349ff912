/**
 * The Telegram actuator against the Bot API server: what the person sees, and what Act is told,
 * failure by failure (I7).
 */
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Action } from '../../../lib/core/signal/action.ts';
import type { ActuatorContext } from '../../../lib/core/signal/actuator.ts';
import { TELEGRAM_TEXT_UNITS_MAX } from '../../../lib/features/chats/format.ts';
import { buildTelegramClient, type TelegramClient } from '../../../lib/features/telegram/client.ts';
import { buildTelegramActuator, deliverTelegram } from '../../../lib/features/telegram/deliver.ts';
import { type BotApiServer, startBotApiServer } from '../../support/bot-api-server.ts';
import { tappableIn } from '../../support/telegram-links.ts';

const TOKEN = '4242:AAtestTESTtestTESTtestTESTtestTEST';
const OWNER = 1001;
const APPROVAL = '0123456789abcdef0123456789abcdef';

let server: BotApiServer;
let client: TelegramClient;
let waits: number[];

const clientOf = (timeoutMs: number): TelegramClient =>
  buildTelegramClient({ token: TOKEN, apiRoot: server.root, timeoutMs });

beforeEach(async () => {
  server = await startBotApiServer({ token: TOKEN });
  server.openChat(OWNER);
  client = clientOf(60_000);
  waits = [];
});
afterEach(async () => await server.close());

const text = (value: string, more: Partial<Action> = {}): Action => ({
  target: 'telegram',
  text: value,
  to: String(OWNER),
  explanation: 'answering the question',
  author: 'model',
  ...more,
});
const deliver = async (action: Action) =>
  await deliverTelegram(client, action, async (ms) => {
    waits.push(ms);
  });
const shown = (): readonly (string | undefined)[] => server.sent(OWNER).map((message) => message.text);
const ids = (): string => JSON.stringify({ messageIds: server.sent(OWNER).map(({ message_id }) => message_id) });
const part = (letter: string): string => letter.repeat(TELEGRAM_TEXT_UNITS_MAX);
const THREE = part('a') + part('b') + part('c');

describe('deliverTelegram', () => {
  it('sends to the General of a group whose topic is closed or gone', async () => {
    expect(await deliver(text(part('a') + part('b'), { topic: 7 }))).toMatchObject({ state: 'done', output: ids() });
    expect(shown()).toStrictEqual([part('a'), part('b')]);
    server.failNext('sendMessage', { code: 400, description: 'Bad Request: TOPIC_CLOSED' });
    expect(await deliver(text('c', { topic: 7 }))).toMatchObject({ state: 'done' });
  });

  it('sends plain text as it is, without link preview', async () => {
    expect(await deliver(text('hi <you> https://a.example'))).toStrictEqual({
      state: 'done',
      output: ids(),
      origin: 'agent',
    });
    expect(server.calls.map(({ method, params }) => [method, params])).toStrictEqual([
      [
        'sendMessage',
        { chat_id: '1001', text: 'hi <you> https://a.example', link_preview_options: { is_disabled: true } },
      ],
    ]);
  });

  it('shows the model’s markup; as one block without links where Telegram refuses it; fails where that is refused', async () => {
    const refusal = { code: 400, description: "Bad Request: can't parse entities: no" };
    await deliver(text('a **b**'));
    server.failNext('sendMessage', refusal);
    expect(await deliver(text('c `evil.example` **d**'))).toMatchObject({ state: 'done' });
    expect(server.sent().map(({ text, entities }) => [text, entities])).toStrictEqual([
      ['a b', [{ type: 'bold', offset: 2, length: 1 }]],
      ['c evil.example d', [{ type: 'pre', offset: 0, length: 16 }]],
    ]);
    server.failNext('sendMessage', refusal);
    server.failNext('sendMessage', refusal);
    expect(await deliver(text('**e**'))).toMatchObject({ state: 'failed' });
  });

  it('shows links as code but those the action names, and all links in what code wrote', async () => {
    const words = 'See https://a.example/x and b.example, /stop';
    await deliver(text(words, { links: ['https://a.example/x'] }));
    await deliver(text(words, { author: 'code', template: 'broken' }));
    await deliver(text(words));
    expect(server.sent().map(tappableIn)).toStrictEqual([
      ['https://a.example/x'],
      ['/stop'],
      ['https://a.example/x', 'b.example', '/stop'],
    ]);
  });

  it('shows what code wrote character by character, with the buttons of a card under its last part', async () => {
    const action = text(`${part('a')}**b**`, { author: 'code', template: 'approval-card', card: APPROVAL });
    expect(await deliver(action)).toStrictEqual({ state: 'done', output: ids(), origin: 'agent' });
    expect(server.sent().map(({ text: body, reply_markup }) => [body?.slice(-5), reply_markup])).toStrictEqual([
      ['aaaaa', undefined],
      [
        '**b**',
        {
          inline_keyboard: [
            [
              { text: 'Approve', callback_data: `a:${APPROVAL}` },
              { text: 'Deny', callback_data: `d:${APPROVAL}` },
            ],
            [{ text: 'Allow similar…', callback_data: `g:${APPROVAL}` }],
          ],
        },
      ],
    ]);
  });

  it('sends the beginning of a very long text, and all of it as a file, each once', async () => {
    const long = `# Report\n\n${'A line of the report.\n'.repeat(3_000)}`;
    expect(await deliver(text(long))).toStrictEqual({ state: 'done', output: ids(), origin: 'agent' });
    const [beginning, file] = server.sent(OWNER);
    expect(beginning?.text).toMatch(
      /^Report\n\nA line[\s\S]* report\.\n\n\[This is its beginning\. All of it is in the file below\.\]$/,
    );
    expect(file?.document).toMatchObject({ file_name: 'answer.md', mime_type: 'text/markdown' });
    expect(server.calls.at(-1)).toMatchObject({ method: 'sendDocument', params: { document: { text: long } } });
    const told = { signalId: 'con-1', sentIds: [7] };
    await deliverTelegram(client, text(long, { author: 'code' }), undefined, told);
    expect(server.sent(OWNER).slice(2)).toMatchObject([{ document: { file_name: 'answer.txt' } }]);
  });

  it('sends the parts of a long text in order', async () => {
    expect(await deliver(text(THREE))).toStrictEqual({ state: 'done', output: ids(), origin: 'agent' });
    expect(shown()).toStrictEqual([part('a'), part('b'), part('c')]);
  });

  it('refuses what has no recipient or no text, without a call', async () => {
    const reason = 'the recipient is not a Telegram chat id';
    const { to: _, ...nowhere } = text('x');
    expect(await deliver(nowhere)).toStrictEqual({ state: 'failed', reason });
    expect(await deliver(text('x', { to: '@channel' }))).toStrictEqual({ state: 'failed', reason });
    expect(await deliver(text(' \n'))).toStrictEqual({ state: 'failed', reason: 'there is no text to send' });
    expect(server.calls).toStrictEqual([]);
  });

  it('obeys a short retry_after at once, and gives a long one back', async () => {
    server.failNext('sendMessage', { code: 429, retryAfterS: 2 });
    server.failNext('sendMessage', { code: 429, retryAfterS: 3 });
    expect(await deliver(text('short'))).toStrictEqual({ state: 'done', output: ids(), origin: 'agent' });
    expect(waits).toStrictEqual([2000, 3000]);
    server.failNext('sendMessage', { code: 429, retryAfterS: 60 });
    expect(await deliver(text('long'))).toStrictEqual({
      state: 'retry',
      reason: 'Telegram asks to wait',
      afterMs: 60_000,
    });
    expect(shown()).toStrictEqual(['short']);
  });

  it('ends waiting in bounded time where Telegram asks again and again', async () => {
    for (let n = 0; n < 20; n += 1) server.failNext('sendMessage', { code: 429, retryAfterS: 0 });
    expect(await deliver(text('x'))).toStrictEqual({ state: 'retry', reason: 'Telegram asks to wait', afterMs: 0 });
    expect(waits).toStrictEqual([1000, 1000, 1000, 1000, 1000]);
  });

  it('says failed where the bot was blocked, and where Telegram refuses', async () => {
    server.blockChat(OWNER);
    expect(await deliver(text('x'))).toStrictEqual({
      state: 'failed',
      reason: 'the person blocked the bot or left',
      because: { code: 'bot-blocked' },
    });
    expect(await deliver(text('x', { to: '77' }))).toStrictEqual({
      state: 'failed',
      reason: 'Telegram refused the text (400): Bad Request: chat not found',
    });
  });

  it('says retry only where certainly nothing was sent', async () => {
    await server.refuseConnections();
    expect(await deliver(text('x'))).toStrictEqual({
      state: 'retry',
      reason: 'Telegram could not be reached (ECONNREFUSED)',
    });
    await server.acceptConnections();
    expect(shown()).toStrictEqual([]);
  });

  it.each(['lost-answer', 'lost-request', 'no-answer', 'garbage', { code: 500 }] as const)(
    'says unknown after %j, and does not send again',
    async (failure) => {
      if (failure === 'no-answer') client = clientOf(1_000);
      server.failNext('sendMessage', failure);
      expect(await deliver(text('x'))).toStrictEqual({ state: 'unknown', reason: expect.any(String) });
      expect(server.calls.length).toBe(1);
    },
  );

  it('does not try plain text where the outcome of the formatted one is unknown', async () => {
    server.failNext('sendMessage', 'lost-answer');
    expect(await deliver(text('a **b**'))).toStrictEqual({ state: 'unknown', reason: expect.any(String) });
    expect(shown()).toStrictEqual(['a b']);
  });

  describe('after a part was sent', () => {
    /** Lets the first part through, then fails the second one. */
    const deliverFailing = async (fail: () => unknown) => {
      let calls = 0;
      const failing: TelegramClient = {
        call: async (...args) => {
          calls += 1;
          if (calls === 2) await fail();
          return await client.call(...args);
        },
      };
      return await deliverTelegram(failing, text(THREE), async (ms) => {
        waits.push(ms);
        await server.acceptConnections().catch(() => undefined);
      });
    };

    it('is failed by a refusal, with the count', async () => {
      expect(await deliverFailing(() => server.blockChat(OWNER))).toStrictEqual({
        state: 'failed',
        reason: 'the person blocked the bot or left; 1 of 3 messages were sent before',
        because: { code: 'bot-blocked' },
      });
      expect(shown()).toStrictEqual([part('a')]);
    });

    it('names what was sent where the wait is too long, and the next try goes on behind it', async () => {
      const first = await deliverFailing(() => server.failNext('sendMessage', { code: 429, retryAfterS: 21 }));
      const [sent] = server.sent(OWNER);
      expect(first).toStrictEqual({
        state: 'retry',
        reason: 'Telegram asks to wait; 1 of 3 messages were sent before',
        afterMs: 21_000,
        sentIds: [sent?.message_id],
      });
      const sentIds = 'sentIds' in first ? first.sentIds : [];
      const second = await deliverTelegram(client, text(THREE), async () => undefined, { signalId: 'tg-1-1', sentIds });
      expect(second).toStrictEqual({ state: 'done', output: ids(), origin: 'agent' });
      expect(shown()).toStrictEqual([part('a'), part('b'), part('c')]);
    });

    it('stops at an unknown part', async () => {
      client = clientOf(1_000);
      expect(await deliverFailing(() => server.failNext('sendMessage', 'no-answer'))).toStrictEqual({
        state: 'unknown',
        reason: 'Telegram did not answer in time; 1 of 3 messages were sent before',
      });
      expect(shown()).toStrictEqual([part('a'), part('b')]);
    });

    it('waits longer, and connects again, rather than leaving the text in half', async () => {
      expect(await deliverFailing(() => server.failNext('sendMessage', { code: 429, retryAfterS: 15 }))).toStrictEqual({
        state: 'done',
        output: ids(),
        origin: 'agent',
      });
      expect(waits).toStrictEqual([15_000]);
      expect(shown()).toStrictEqual([part('a'), part('b'), part('c')]);
    });

    it('sends each part once across a lost connection', async () => {
      expect(await deliverFailing(() => server.refuseConnections())).toStrictEqual({
        state: 'done',
        output: ids(),
        origin: 'agent',
      });
      expect(waits).toStrictEqual([1000]);
      expect(shown()).toStrictEqual([part('a'), part('b'), part('c')]);
    });
  });
});

describe('buildTelegramActuator', () => {
  const context: ActuatorContext = {
    effectId: 'tg-4242-1#0',
    actor: 'agent',
    signalId: 'tg-4242-1',
    now: 1_790_000_000_000,
    addresses: [],
    origin: 'owner',
  };

  it('links a card to the page, if its address is known, by a part of the id that permits nothing', async () => {
    const page = 'https://page.example/';
    const actuator = buildTelegramActuator(client, undefined, undefined, { page });
    const card = text('a card', { author: 'code', template: 'approval-card', card: APPROVAL });
    const lastButtons = () => server.sent(OWNER).map((sent) => sent.reply_markup?.inline_keyboard.at(-1));
    await actuator.deliver(card, context);
    const message = server.sent(OWNER)[0]?.message_id ?? 0;
    const link = { text: 'Open on the page', url: 'https://page.example/#/approvals/012345' };
    expect(lastButtons()).toStrictEqual([[link]]);
    // Back from the choices, and decided.
    await actuator.deliver({ ...card, text: 'again', edits: { message } }, context);
    expect(lastButtons()).toStrictEqual([[link]]);
    await actuator.deliver(text('DENIED', { author: 'code', template: 'card-update', edits: { message } }), context);
    expect(lastButtons()).toStrictEqual([undefined]);
    await buildTelegramActuator(client).deliver(card, context);
    expect(lastButtons().at(-1)).toStrictEqual([{ text: 'Allow similar…', callback_data: `g:${APPROVAL}` }]);
  });

  it('shows a digest whole by a button, also when it was edited', async () => {
    const actuator = buildTelegramActuator(client);
    const digest = text('ci: 2 more this hour:\n– one\n– two', { author: 'code', template: 'news-digest' });
    const of = (signalId: string) => ({ ...context, signalId });
    const lastButtons = () => server.sent(OWNER).map((sent) => sent.reply_markup?.inline_keyboard);
    await actuator.deliver(digest, of('news-498753-0123456789ab.ci-1'));
    const message = server.sent(OWNER)[0]?.message_id ?? 0;
    expect(lastButtons()).toStrictEqual([[[{ text: 'Show', callback_data: 'n:ci' }]]]);
    await actuator.deliver({ ...digest, text: 'more', edits: { message } }, of('news-498753-0123456789ab.ci-2'));
    expect(lastButtons()).toStrictEqual([[[{ text: 'Show', callback_data: 'n:ci' }]]]);
    await actuator.deliver({ ...digest, language: 'de' }, of('news-498753-0123456789ab.ci-3'));
    expect(
      server
        .sent(OWNER)
        .at(-1)
        ?.reply_markup?.inline_keyboard.flat()
        .map(({ text: label }) => label),
    ).toStrictEqual(['Zeigen']);
    // A conversation without a source, and a notice about a digest.
    await actuator.deliver(digest, of('news-498753-0123456789ab-1'));
    await actuator.deliver(digest, of('news-498753-0123456789ab.ci-1/again-0-1'));
    expect(lastButtons().slice(-2)).toStrictEqual([undefined, undefined]);
  });

  it('sends a card that is too long with its file first, and only the file that its text names', async () => {
    const file = 'All of the card';
    const sha256 = createHash('sha256').update(file).digest('hex');
    const words = `Run it\nDetails:\nAll of it is in the file card-012345.txt, SHA-256 ${sha256}`;
    const card = text(words, { author: 'code', template: 'approval-card-question', card: APPROVAL });
    const loadCard = async (id: string) => (id === APPROVAL ? file : undefined);
    const page = 'https://page.example/';
    expect(
      await buildTelegramActuator(client, undefined, undefined, { loadCard, page }).deliver(card, context),
    ).toMatchObject({ state: 'done' });
    expect(server.calls.map(({ method }) => method)).toStrictEqual(['sendDocument', 'sendMessage']);
    expect(server.calls[0]?.params.document).toStrictEqual({
      file_name: 'card-012345.txt',
      mime_type: 'text/plain',
      text: file,
    });
    const buttons = server
      .sent(OWNER)
      .at(-1)
      ?.reply_markup?.inline_keyboard.flat()
      .map((button) => button.text);
    expect(buttons).toStrictEqual(['Yes', 'No', 'Open on the page']);
    const other = buildTelegramActuator(client, undefined, undefined, { loadCard: async () => 'another' });
    expect(await other.deliver(card, context)).toMatchObject({ state: 'failed' });
    expect(server.calls).toHaveLength(2);
  });

  it('is performed once, and delivers', async () => {
    const actuator = buildTelegramActuator(client);
    expect(actuator.kind).toBe('once');
    expect(await actuator.deliver(text('x'), context)).toStrictEqual({ state: 'done', output: ids(), origin: 'agent' });
  });
});

describe('an edit', () => {
  const edit = (message: number, value = 'DENIED') =>
    text(value, { author: 'code', template: 'card-update', edits: { message } });
  const sendCard = async (): Promise<number> => {
    await deliver(text('a card', { author: 'code', template: 'approval-card', card: APPROVAL }));
    return server.sent(OWNER)[0]?.message_id ?? 0;
  };

  it('replaces the text and takes the buttons away, and a repeat is done as well', async () => {
    const message = await sendCard();
    for (const _ of [1, 2])
      expect(await deliver(edit(message))).toStrictEqual({ state: 'done', output: ids(), origin: 'agent' });
    expect(server.sent(OWNER).map((sent) => [sent.text, sent.reply_markup])).toStrictEqual([['DENIED', undefined]]);
  });

  it('is tried again where nobody knows whether it arrived, and failed where its message is gone', async () => {
    const message = await sendCard();
    server.failNext('editMessageText', { code: 500 });
    expect(await deliver(edit(message))).toMatchObject({ state: 'retry' });
    expect(await deliver(edit(message + 1))).toMatchObject({ state: 'failed' });
    expect(shown()).toStrictEqual(['a card']);
  });
});
