/**
 * `/config` of who may write and approve on Telegram: an approver says yes on a card, the change
 * holds for the very next message, and somebody who may approve always remains.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { storedDataVersion } from '../../lib/core/store/data-version.ts';
import { say } from '../support/model-server.ts';
import { signalIdOf, startTestStack, until } from '../support/stack.ts';

const [ANN, BOB, GROUP] = [7101, 7102, -7103];

const world = await startTestStack({ script: () => say('ok'), allowedChats: [ANN, GROUP], isPolling: true });
for (const chat of [ANN, BOB, GROUP]) world.telegram.openChat(chat);
afterAll(world.stop);

const textsTo = (chat: number) => world.telegram.sent(chat).map(({ text = '' }) => text);
const write = (chat: number, text: string, from = chat) => world.telegram.sendText(chat, from, text);
const taken = (update: { readonly update_id: number }) =>
  world.settled(signalIdOf(update as Parameters<typeof signalIdOf>[0]));
const newText = async (chat: number, doIt: () => unknown): Promise<string> => {
  const before = textsTo(chat).length;
  doIt();
  return until('an answer', () => textsTo(chat)[before]);
};

/** Changes it in Ann's chat, and says yes. */
const change = async (text: string): Promise<string> => {
  await newText(ANN, () => write(ANN, text));
  const card = world.telegram.sent(ANN).at(-1);
  const yes = card?.reply_markup?.inline_keyboard
    .flat()
    .map((button) => ('callback_data' in button ? String(button.callback_data) : ''))
    .find((data) => data.startsWith('a:'));
  expect(card?.text, text).toContain('Set TELEGRAM_');
  const before = textsTo(ANN).length;
  world.telegram.tap(card?.message_id ?? 0, yes ?? '', ANN);
  return until('the end of it', () =>
    textsTo(ANN)
      .slice(before)
      .find((one) => !one.startsWith('Approved')),
  );
};

describe('/config of rights on Telegram', () => {
  it('serves a chat from the next message on, and no more from the next one on', async () => {
    expect(await newText(BOB, () => write(BOB, 'hello'))).toContain('This bot serves only chats that are paired');
    expect(await change(`/config set TELEGRAM_ALLOWED_CHATS ${ANN}, ${BOB}, ${GROUP}`)).toContain(
      `TELEGRAM_ALLOWED_CHATS is ${ANN},${BOB},${GROUP} now, in version 1 of the settings. It holds for the next message.`,
    );
    expect(await newText(BOB, () => write(BOB, 'hello again'))).toBe('ok');
    expect(await change(`/config set TELEGRAM_ALLOWED_CHATS ${ANN},${GROUP}`)).toContain('in version 2');
    const asked = world.model.requests.length;
    write(BOB, 'and now?');
    await until('it is taken', () => world.telegram.pending().length === 0);
    expect([textsTo(BOB).length, world.model.requests.length]).toStrictEqual([2, asked]);
    expect(await storedDataVersion(world.table, 'default')).toBe(6);
  });

  it('takes the right to approve in a group from the next message on', async () => {
    const mayResume = async (from: number) => {
      await taken(write(GROUP, '/resume', from));
      return !(textsTo(GROUP).at(-1) ?? '').startsWith('Only an approver');
    };
    expect(await mayResume(BOB)).toBe(false);
    expect(await change(`/config set TELEGRAM_APPROVERS ${BOB}`)).toContain('TELEGRAM_APPROVERS is');
    expect(await mayResume(BOB)).toBe(true);
    expect(await change(`/config set TELEGRAM_APPROVERS ${ANN}`)).toContain('TELEGRAM_APPROVERS is');
    expect(await mayResume(BOB)).toBe(false);
  });

  it('never takes the last approver away', async () => {
    expect(await change('/config reset TELEGRAM_APPROVERS')).toContain('TELEGRAM_APPROVERS is nobody now');
    expect(await change(`/config set TELEGRAM_ALLOWED_CHATS ${GROUP}`)).toContain('then nobody could approve');
    expect(await newText(ANN, () => write(ANN, 'still here?'))).toBe('ok');
  });

  it('asks nobody who may not', async () => {
    const { replies } = await taken(write(GROUP, `/config set TELEGRAM_APPROVERS ${BOB}`, BOB));
    expect(replies.join()).not.toContain('Set TELEGRAM_');
    const get = () => write(ANN, '/config get TELEGRAM_ALLOWED_CHATS');
    expect(await newText(ANN, get)).toContain(`${ANN},${GROUP} (set by telegram:${ANN} on`);
  });
});
