/** The commands `/chats list|remove`, for people only (I14): they decide which chats are served. */

import * as z from 'zod/mini';
import { utcMinute } from '../base/utc-minute.ts';
import type { PairedChat } from '../ledger/chat-powers.ts';
import { CHANNELS, ChatId, chatOfSession, chatRoute, isGroup } from '../signal/channels.ts';
import { defineTool, powerOf } from './tool.ts';

const describeChat = ({ id, name, lists = [], muted = '', pairedAt }: PairedChat): string =>
  `${id}${name === undefined ? '' : `, named ${name}`}${lists.length === 0 ? '' : `, one of ${lists.join(' and of ')}`}: ${isGroup(chatRoute(id)) ? 'a group' : 'a private chat'}, paired on ${utcMinute(pairedAt)}${muted === '' ? '' : `, muted ${muted}`}`;

const NONE = 'No chat is paired. In a terminal: npx passepartout pair';

export const listChats = defineTool({
  name: 'list-chats',
  sentence: () => 'List the paired chats',
  args: z.strictObject({}),
  tier: 'allow',
  isForPeople: true,
  kind: 'read',
  outputOrigin: 'clean',
  run: async (_args, { powers }) => {
    const lines = (await powerOf(powers, 'chats').list()).map(describeChat);
    const output =
      lines.length === 0
        ? NONE
        : [...lines, 'To change one: /chats name, /chats mute, /chats remove <id or name>'].join('\n');
    return { output, origin: 'owner' };
  },
});

export const removeChat = defineTool({
  name: 'remove-chat',
  sentence: ({ chat }) =>
    `Remove the paired ${CHANNELS[chatRoute(chat).target].name} chat ${chat}: nothing from it is taken any more`,
  args: z.strictObject({ chat: ChatId }),
  tier: 'ask',
  isForPeople: true,
  kind: 'idempotent',
  effects: { changesAuthority: true },
  outputOrigin: 'clean',
  run: async ({ chat }, { powers, effectId, now, session }) => ({
    output: await powerOf(powers, 'chats').remove(chat, effectId, now, chatOfSession(session ?? '') === chat),
    origin: 'owner',
  }),
});
