/**
 * `/memory open`, `/memory ask`, `/memory close [chat]` and `/memory chats`: in which groups memory
 * is read, and whether an answer made from it asks first. Only an approver says so; the last word
 * counts, and a repeated message changes nothing.
 */

import { type Notice, notices } from '../../judge/notices.ts';
import { changeOwnerSetting, loadOwnerSettings, memoryField, namedChats } from '../../ledger/owner-settings.ts';
import { isGroup } from '../../signal/asker.ts';
import type { Signal } from '../../signal/signal.ts';
import type { Table } from '../../store/table.ts';

/**
 * Groups that may ever be named for memory in a space: each is a field of a record that every turn
 * reads.
 */
const MEMORY_CHATS_MAX = 50;

const CHAT = /^-\d{1,19}$/;
const USAGE = '/memory open or /memory ask (in a group), /memory close [chat], /memory chats';

const shownTime = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export const answerMemoryChats = async (
  table: Pick<Table, 'load' | 'transact'>,
  signal: Pick<Signal, 'id' | 'space' | 'sender' | 'reply' | 'receivedAt'>,
  rest: string,
): Promise<Notice> => {
  const [verb = '', named, ...more] = rest.trim().toLowerCase().split(/\s+/);
  const settings = await loadOwnerSettings(table, signal.space);
  const chats = namedChats(settings);
  if (verb === 'chats' && named === undefined)
    return notices.namedChats(chats.map(({ chat, as, by, at }) => `${chat}: ${as} (${by}, ${shownTime(at)})`));
  const here = isGroup(signal.reply) ? signal.reply.to : undefined;
  const chat = verb === 'close' ? (named ?? here) : named === undefined ? here : undefined;
  if (chat === undefined || !CHAT.test(chat) || more.length > 0) return notices.usage(USAGE);
  if (verb === 'close') {
    if (chats.some((one) => one.chat === chat)) await changeOwnerSetting(table, signal, memoryField(chat), '');
    return notices.chatNamed('closed');
  }
  if (verb !== 'open' && verb !== 'ask') return notices.usage(USAGE);
  const isNew = !Object.hasOwn(settings.fields, memoryField(chat));
  if (
    isNew &&
    Object.keys(settings.fields).filter((field) => field.startsWith(memoryField(''))).length >= MEMORY_CHATS_MAX
  )
    return notices.notSet(`${MEMORY_CHATS_MAX} groups were named already`);
  const changed = await changeOwnerSetting(table, signal, memoryField(chat), verb);
  return notices.chatNamed(namedChats(changed).find((one) => one.chat === chat)?.as ?? 'closed');
};
