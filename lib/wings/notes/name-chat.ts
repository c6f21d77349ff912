/**
 * Says in which groups memory is read, and whether an answer made from it asks first. Only an
 * approver changes it (I14).
 */

import { ProtocolError } from '../../base/errors.ts';
import { commandNotices } from '../../judge/command-notices.ts';
import { changeOwnerSetting } from '../../ledger/change-owner-setting.ts';
import { loadOwnerSettings, memoryField, namedChats } from '../../ledger/owner-settings.ts';
import { type CodeAnswer, type CodeContext, say } from '../../operations/code-context.ts';
import { change, type Handler, look } from '../../operations/operation.ts';
import { isGroup } from '../../signal/channels.ts';
import { shownTime } from './memory-lines.ts';
import { memoryAsk, memoryChats, memoryClose, memoryOpen } from './operations.ts';

/** Groups that may be named for memory: each is a field of a record that every turn reads. */
const MEMORY_CHATS_MAX = 50;

const GROUP_CHAT = /^-\d{1,19}$/;

/** @param named another group than that of the chat. @throws ProtocolError */
const groupOf = ({ signal: { reply } }: CodeContext, named?: string): string => {
  const chat = named ?? (isGroup(reply) ? reply.to : '');
  if (GROUP_CHAT.test(chat)) return chat;
  throw new ProtocolError('/memory open and /memory ask are said in a group; /memory close takes the id of one too');
};

const nameGroup = async (context: CodeContext, as: 'open' | 'ask'): Promise<CodeAnswer> => {
  const { table, signal } = context;
  const chat = groupOf(context);
  const { fields } = await loadOwnerSettings(table, signal.space);
  const before = Object.keys(fields).filter((field) => field.startsWith(memoryField('')));
  if (!before.includes(memoryField(chat)) && before.length >= MEMORY_CHATS_MAX)
    throw new ProtocolError(`${MEMORY_CHATS_MAX} groups were named already`);
  const changed = await changeOwnerSetting(table, signal, memoryField(chat), as);
  return say(commandNotices.chatNamed(namedChats(changed).find((one) => one.chat === chat)?.as ?? 'closed'));
};

export const NAMING_HANDLERS: readonly Handler[] = [
  change(memoryOpen, (context) => nameGroup(context, 'open')),
  change(memoryAsk, (context) => nameGroup(context, 'ask')),
  change(memoryClose, async (context, { chat: named }) => {
    const { table, signal } = context;
    const chat = groupOf(context, named);
    const chats = namedChats(await loadOwnerSettings(table, signal.space));
    if (chats.some((one) => one.chat === chat)) await changeOwnerSetting(table, signal, memoryField(chat), '');
    return say(commandNotices.chatNamed('closed'));
  }),
  look(memoryChats, async ({ table, space }) => {
    const chats = namedChats(await loadOwnerSettings(table, space));
    const lines = chats.map(({ chat, as, by, at }) => `${chat}: ${as} (${by}, ${shownTime(at)} UTC)`);
    return {
      data: { chats: chats.map(({ chat, as, by, at }) => ({ chat, as, by, at })) },
      lines:
        lines.length === 0
          ? ['No group is named for memory. In a group, an approver can send /memory open or /memory ask.']
          : [...lines, 'To take one back: /memory close <chat>.'],
    };
  }),
];
