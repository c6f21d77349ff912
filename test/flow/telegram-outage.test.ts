/**
 * Telegram is away for a while, on the real stack: no reply is lost, none is sent twice, and a
 * person is told.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from '../cli/cli-world.ts';
import { findUnaccounted } from '../support/evidence.ts';
import { say, userTextOf } from '../support/model-server.ts';
import { APPROVER_TOKEN, signalIdOf, startTestStack, until } from '../support/stack.ts';

const CHATS = [7101, 7102, 7103, 7104];
const DOUBTFUL = [7201, 7202];
const GROUP = -7300;
const [OWNER, STRANGER] = [7301, 7302];
const MESSAGES = ['one', 'two', 'three', 'four', 'five'];
/** Longer than a text waits before anybody is told, and than the queue's deliveries last. */
const AWAY_MS = 13_000;

let beforeAnswer: Promise<unknown> = Promise.resolve();
const world = await startTestStack({
  allowedChats: [...CHATS, ...DOUBTFUL, GROUP],
  environment: { PROVIDER_NAMES: 'scripted' },
  script: async (request) => {
    await beforeAnswer;
    return say(`re ${userTextOf(request)}`);
  },
});
afterAll(world.stop);

const textsTo = (chat: number) => world.telegram.sent(chat).map((message) => message.text ?? '');
const isAboutChannel = (text: string) => text.startsWith('Telegram took no messages');
interface HealthAnswer {
  readonly status: string;
  readonly reasons: readonly string[];
}
const health = async () => (await world.api<HealthAnswer>('GET', '/health')).body;
const cli = (...words: readonly string[]) => runCli(words, world.dataDir, { env: { APPROVER_TOKEN } });
const verifiesAnExport = async () => {
  const file = join(world.dataDir, 'evidence.jsonl');
  expect(await cli('evidence', 'export', '--out', file)).toMatchObject({ code: 0, err: '' });
  const key = (await cli('evidence', 'key')).out.trim();
  expect((await cli('verify', file, '--key', key)).out).toContain('verified');
};
/** Ticks as the schedule would, until a signal and all it caused have ended. */
const settledByTicks = (id: string) =>
  until(`${id} settles`, async () => {
    await world.tick();
    await sleep(500);
    return (await world.signal(id)).isTurnClosed;
  });

describe('refused connections', () => {
  it('lose none of twenty replies: each arrives once and in order, health says so meanwhile, and one notice afterwards', async () => {
    await world.tick();
    const gate = Promise.withResolvers<void>();
    beforeAnswer = gate.promise;
    const updates = MESSAGES.flatMap((text) => CHATS.map((chat) => world.telegram.sendText(chat, chat, text)));
    await until('all are accepted', () => world.telegram.pending().length === 0);
    await world.telegram.refuseConnections();
    const away = Date.now();
    gate.resolve();
    const waiting = await until('health says it', async () => {
      const found = await health();
      return found.reasons.some((reason) => reason.includes(`${CHATS.length} texts wait`)) && found;
    });
    expect(waiting).toMatchObject({
      status: 'degraded',
      reasons: [
        expect.stringMatching(
          /^Telegram takes no messages since \d{4}-\d\d-\d\d \d\d:\d\d UTC: 4 texts wait and will be sent \(infra\/troubleshooting\.md#telegram\)$/,
        ),
      ],
    });
    await verifiesAnExport();
    await sleep(Math.max(0, AWAY_MS - (Date.now() - away)));
    await world.telegram.acceptConnections();
    for (const update of updates) await settledByTicks(signalIdOf(update));
    await until('one is told', () => world.telegram.sent().some(({ text = '' }) => isAboutChannel(text)));
    for (const chat of CHATS)
      expect(textsTo(chat).filter((text) => !isAboutChannel(text))).toStrictEqual(MESSAGES.map((text) => `re ${text}`));
    expect(world.telegram.sent().filter(({ text = '' }) => isAboutChannel(text))).toHaveLength(1);
    expect(await health()).toMatchObject({ status: 'healthy', reasons: [] });
    await verifiesAnExport();
    expect(await findUnaccounted(world)).toStrictEqual([]);
  });
});

describe('a wrong token', () => {
  it.each([401, 404])('answered %i, lets a reply wait, says why, and is mended by a right one', async (code) => {
    const [chat = 0] = CHATS;
    const text = `token ${code}`;
    const gate = Promise.withResolvers<void>();
    beforeAnswer = gate.promise;
    const id = signalIdOf(world.telegram.sendText(chat, chat, text));
    await until('it is accepted', () => world.telegram.pending().length === 0);
    world.telegram.failAll(code);
    gate.resolve();
    const why = 'Telegram refuses the token in TELEGRAM_BOT_TOKEN';
    const waits = new RegExp(
      `^${why} since \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC: 1 text waits for a valid one \\(npx passepartout setup --only telegram\\)$`,
    );
    await until('health says it', async () => (await health()).reasons.some((reason) => waits.test(reason)));
    expect((await cli('send', '/status')).out).toContain(`Attention: ${why} since`);
    expect((await cli('why', id)).out).toContain(`My reply could not be sent yet and is tried again: ${why}.`);
    expect(textsTo(chat)).not.toContain(`re ${text}`);
    world.telegram.failAll();
    await settledByTicks(id);
    expect(textsTo(chat).filter((said) => said === `re ${text}`)).toHaveLength(1);
    expect(textsTo(chat).filter((said) => said.includes('may not have arrived'))).toStrictEqual([]);
    expect(await health()).toMatchObject({ status: 'healthy', reasons: [] });
    expect(await findUnaccounted(world)).toStrictEqual([]);
  });
});

describe('a gateway that answers 502', () => {
  const isDoubt = (text: string) => text.includes('may not have arrived');
  const doubtIn = (chat: number) =>
    until(`the doubt is told in ${chat}`, () => world.telegram.sent(chat).find(({ text = '' }) => isDoubt(text)));
  const buttonOf = (chat: number) => {
    const message = world.telegram.sent(chat).find(({ text = '' }) => isDoubt(text));
    const [button] = message?.reply_markup?.inline_keyboard.flat() ?? [];
    if (message === undefined || button === undefined || !('callback_data' in button)) throw new Error('no button');
    return { id: message.message_id, data: button.callback_data };
  };

  it('leaves each reply in doubt told once when it is back, and the button sends it again once', async () => {
    const gate = Promise.withResolvers<void>();
    beforeAnswer = gate.promise;
    const updates = DOUBTFUL.map((chat) => world.telegram.sendText(chat, chat, 'see https://evil.example/x now'));
    await until('all are accepted', () => world.telegram.pending().length === 0);
    world.telegram.failAll(502);
    gate.resolve();
    for (const update of updates)
      await until('its outcome is unknown', async () => {
        const [effect] = (await world.signal(signalIdOf(update))).effects;
        return effect?.state === 'unknown';
      });
    await until('the notices wait', async () =>
      (await health()).reasons.some((reason) => reason.includes('2 texts wait')),
    );
    world.telegram.failAll();
    for (const chat of DOUBTFUL) {
      const { text } = await doubtIn(chat);
      expect(text).toMatch(/^My answer to “see hxxps:\/\/evil\[\.\]example\/x now” may not have arrived\. /);
      expect(Buffer.byteLength(buttonOf(chat).data)).toBeLessThanOrEqual(64);
    }
    const [first = 0, second = 0] = DOUBTFUL;
    const { id, data } = buttonOf(first);
    const taps = [world.telegram.tap(id, data, first), world.telegram.tap(id, data, first)];
    for (const tap of taps) await world.settled(signalIdOf(tap));
    await until('it is sent', () => textsTo(first).includes('re see https://evil.example/x now'));
    await until('the second tap is answered', () =>
      textsTo(first).some((text) => text.startsWith('That text was sent again already')),
    );
    expect(textsTo(first)).toStrictEqual(
      expect.arrayContaining(['I am sending it again.', 're see https://evil.example/x now']),
    );
    expect(textsTo(first).filter((text) => text.startsWith('re '))).toHaveLength(1);
    expect(textsTo(second)).toHaveLength(1);
    expect(await findUnaccounted(world)).toStrictEqual([]);
  });

  it('has a reply sent again only for whoever asked, or an approver', async () => {
    beforeAnswer = Promise.resolve();
    world.telegram.failNext('sendMessage', 'lost-request');
    const update = world.telegram.sendText(GROUP, OWNER, 'hello');
    await doubtIn(GROUP);
    const { id, data } = buttonOf(GROUP);
    await world.settled(signalIdOf(world.telegram.tap(id, data, STRANGER)));
    expect(textsTo(GROUP).at(-1)).toMatch(/^Only whoever asked, or an approver/);
    await world.settled(signalIdOf(world.telegram.tap(id, data, OWNER)));
    await until('it is sent', () => textsTo(GROUP).some((text) => text.startsWith('re ')));
    expect((await world.settled(signalIdOf(update))).effects).toMatchObject([{ state: 'done', tries: 2 }]);
  });
});
