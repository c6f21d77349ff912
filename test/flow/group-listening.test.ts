/** What the agent hears in a group: what is meant for it, or all of it once an approver says so. */
import { afterAll, expect, it } from 'vitest';
import { botNameKey, botNameOf } from '../../lib/features/telegram/bot-name.ts';
import { say } from '../support/model-server.ts';
import { signalIdOf, startTestStack, until } from '../support/stack.ts';

const [OWNER, MEMBER, GROUP, STRANGE_GROUP] = [7401, 7402, -7403, -7404];
const world = await startTestStack({
  allowedChats: [OWNER, GROUP],
  script: () => say('Heard.'),
});
afterAll(world.stop);

const textsTo = (chat: number) => world.telegram.sent(chat).map(({ text = '' }) => text);
/** Nobody is named unless the words do it. */
const write = (text: string, extras: object = {}, person = MEMBER) =>
  world.telegram.sendText(GROUP, person, text, { entities: [], ...extras });
const answered = async (update: { readonly update_id: number }) =>
  (await world.settled(signalIdOf(update))).replies.join();
/** Updates are taken in order: once the later one is there, the earlier one left no signal. */
const isUnheard = async (update: { readonly update_id: number }) => {
  await answered(write('/help'));
  return (await world.api('GET', `/api/signals/${signalIdOf(update)}`)).status === 404;
};
const changeStatus = (chat: number, before: string, after: string) => {
  const member = (status: string) => ({ status, user: world.telegram.me });
  return world.telegram.sendUpdate({
    my_chat_member: {
      chat: { id: chat, type: 'group', title: 'G' },
      from: { id: OWNER, is_bot: false, first_name: 'O' },
      date: 1,
      old_chat_member: member(before),
      new_chat_member: member(after),
    } as never,
  });
};

it('greets a group that it is added to once, and says who may do what', async () => {
  for (const chat of [GROUP, STRANGE_GROUP]) world.telegram.openChat(chat);
  const [added] = [changeStatus(GROUP, 'left', 'member'), changeStatus(STRANGE_GROUP, 'left', 'member')];
  expect(await answered(added)).toMatch(/messages that name me[\s\S]*Only an approver may change anything/);
  await until('the other group is told how to pair', () =>
    textsTo(STRANGE_GROUP).some((text) => text.includes('npx passepartout pair')),
  );
  changeStatus(GROUP, 'member', 'administrator');
  await answered(write('/help'));
  expect(textsTo(GROUP).filter((text) => text.startsWith('This group is paired'))).toHaveLength(1);
  const [item] = await world.table.load([botNameKey('default')]);
  expect(botNameOf(item)).toBe(world.telegram.me.username);
});

it('hears what is meant for it, by the name that it learned', async () => {
  const me = world.telegram.me.username;
  expect(await isUnheard(write('lunch at noon?'))).toBe(true);
  expect(await isUnheard(write('@other_bot what is up?'))).toBe(true);
  expect(await isUnheard(write(`mail a@${me}x.example`))).toBe(true);
  expect(await isUnheard(write('/help@other_bot'))).toBe(true);
  expect(await isUnheard(write('you see?', { reply_to_message: { message_id: 1, from: { id: MEMBER } } }))).toBe(true);
  expect(await answered(write(`Hey @${me?.toUpperCase()}, hello`))).toContain('Heard');
  expect(await answered(write(`/help@${me}`))).toContain('/help – this list');
  const own = world.telegram.sent(GROUP).at(-1);
  expect(await answered(write('and then?', { reply_to_message: own }))).toContain('Heard');
});

it('hears each message if an approver says so, until he takes it back', async () => {
  expect(await answered(write('/chats listen all', {}, MEMBER))).toContain('Only an approver');
  expect(await answered(write('/chats listen all', {}, OWNER))).toContain('I answer each message in this group');
  expect(await answered(write('lunch at one?'))).toContain('Heard');
  expect(await answered(write('/chats listen mentions', {}, OWNER))).toContain('messages that name me');
  expect(await isUnheard(write('lunch at two?'))).toBe(true);
  const alone = world.telegram.sendText(OWNER, OWNER, '/chats listen all');
  expect(await answered(alone)).toContain('only a group has this');
});
