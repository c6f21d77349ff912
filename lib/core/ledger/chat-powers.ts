/** The paired chats for tools: they list them, and remove one with its open approvals. */

import { ProtocolError } from '../base/errors.ts';
import { CHANNELS, chatRoute } from '../signal/channels.ts';
import { absent, allOf, anyOf, type Condition, equals, present } from '../store/condition.ts';
import { latestDataWrite } from '../store/data-version.ts';
import { loadItem } from '../store/load-named.ts';
import { queryAll } from '../store/query-all.ts';
import type { Table } from '../store/table.ts';
import { wasWritten } from '../store/update-if.ts';
import { chatSettingOf, listsOf, nameOf, ownerSettingsKey, readOwnerSettings } from './owner-settings.ts';
import { PAIRED_PREFIX, pairedChatKey, parseChat } from './paired-chats.ts';

export interface PairedChat {
  readonly id: string;
  readonly pairedAt: number;
  /** As the owner named it. */
  readonly name?: string | undefined;
  /** Names of several chats, of which it is one. */
  readonly lists?: readonly string[];
  /** Empty if it is never muted. */
  readonly muted?: string;
}

export interface ChatPowers {
  /** In the order they were paired. */
  readonly list: () => Promise<readonly PairedChat[]>;
  /**
   * @param by effect that removes it; a repeat of it succeeds
   * @param isHere the chat itself is told
   * @returns words for people
   * @throws ProtocolError if no such chat is paired
   */
  readonly remove: (id: string, by: string, now: number, isHere: boolean) => Promise<string>;
}

/** @param endApprovals ends the open approvals of a chat */
export const buildChatPowers = (
  table: Pick<Table, 'load' | 'query' | 'transact'>,
  space: string,
  endApprovals: (chat: string, by: string, now: number) => Promise<void>,
): ChatPowers => ({
  list: async () => {
    const { pk } = pairedChatKey(space, '');
    const { items } = await queryAll(table, { pk, skPrefix: PAIRED_PREFIX });
    const settings = readOwnerSettings(await loadItem(table, ownerSettingsKey(space)));
    return items
      .map((item) => {
        const id = String(item.sk).slice(PAIRED_PREFIX.length);
        return {
          id,
          name: nameOf(settings, id),
          lists: listsOf(settings, id),
          muted: chatSettingOf(settings, 'mute', id),
          ...parseChat(item),
        };
      })
      .filter(({ removedAt }) => removedAt === undefined)
      .sort((a, b) => a.pairedAt - b.pairedAt);
  },
  remove: async (id, removedBy, removedAt, isHere) => {
    const isPaired: Condition = {
      name: 'the chat is paired',
      holds: allOf(present('pk'), anyOf(absent('removedAt'), equals('removedBy', removedBy))),
    };
    const change = { set: { removedAt, removedBy } };
    const item = await loadItem(table, pairedChatKey(space, id));
    const { movedFrom } = item === undefined ? {} : parseChat(item);
    const former = movedFrom === undefined ? [] : [pairedChatKey(space, movedFrom)];
    if (
      !(await wasWritten(
        table.transact([
          { kind: 'update', key: pairedChatKey(space, id), change, condition: isPaired },
          ...former.map((key) => ({ kind: 'update', key, change }) as const),
          latestDataWrite(space),
        ]),
      ))
    )
      throw new ProtocolError(
        `the chat ${id} is not paired; /chats lists those that are, and ${CHANNELS[chatRoute(id).target].rights?.chats} may name others`,
      );
    await endApprovals(id, removedBy, removedAt);
    return [
      `The chat ${id} is removed: I take no messages and no taps from it, and send it nothing more.`,
      ...(isHere ? ['This is my last message here.'] : []),
      'Its open cards end. Jobs that report there reach nobody until you change them (/jobs).',
      'To pair it again, in a terminal: npx passepartout pair',
    ].join('\n');
  },
});
