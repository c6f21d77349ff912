/**
 * The Telegram chats that are paired with the agent: authority and not memory (I14). The ingress
 * asks whether a chat is paired, and pairs one by a code. Act lists them and removes one. The table
 * deletes nothing, so a removed chat keeps its item, which says when it was removed. Act sends a
 * removed chat nothing more, except what the turn that removed it still says.
 */
import * as z from 'zod/mini';
import { ProtocolError } from '../base/errors.ts';
import { absent, allOf, anyOf, type Condition, equals, IS_NEW, present } from '../store/condition.ts';
import { latestDataWrite } from '../store/data-version.ts';
import { pairingKey } from '../store/keys.ts';
import { loadItem } from '../store/load-named.ts';
import { parseStored } from '../store/parse-stored.ts';
import { queryAll } from '../store/query-all.ts';
import type { Item, Table } from '../store/table.ts';
import { wasWritten } from '../store/update-if.ts';
import { chatSettingOf, listsOf, nameOf, ownerSettingsKey, readOwnerSettings } from './owner-settings.ts';

const PREFIX = 'chat#';

const PairedChat = z.object({
  pairedAt: z.int(),
  removedAt: z.optional(z.int()),
  /** The effect that removed it. */
  removedBy: z.optional(z.string()),
  /** The group that it was before it became a supergroup. */
  movedFrom: z.optional(z.string()),
});

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

export const pairedChatKey = (space: string, id: string) => pairingKey(space, `${PREFIX}${id}`);

const parseChat = (item: Item) => parseStored(item, PairedChat, 'paired chat');

export const isPaired = (item: Item | undefined): boolean =>
  item !== undefined && parseChat(item).removedAt === undefined;

export interface Removal {
  readonly at: number;
  /** The effect that removed it. */
  readonly by: string;
}

/** Stands in place of the effect: texts to the group go to its new id. */
const MOVED = '/moved';

/** @returns undefined if the chat is paired, has moved, or never was paired */
export const removalOf = (item: Item | undefined): Removal | undefined => {
  const { removedAt: at, removedBy: by = '' } = item === undefined ? {} : parseChat(item);
  return at === undefined || by.endsWith(MOVED) ? undefined : { at, by };
};

export const loadRemoval = async (
  table: Pick<Table, 'load'>,
  space: string,
  id: string,
): Promise<Removal | undefined> => {
  return removalOf(await loadItem(table, pairedChatKey(space, id)));
};

/**
 * A group keeps its pairing under the id that Telegram gives it when it becomes a supergroup. A
 * repeat changes nothing. @param from vouched for by Telegram, as the chat that the news came from
 */
export const movePairing = async (
  table: Pick<Table, 'load' | 'transact'>,
  space: string,
  { from, to, now }: { readonly from: string; readonly to: string; readonly now: number },
): Promise<void> => {
  const item = await loadItem(table, pairedChatKey(space, from));
  if (item === undefined || !isPaired(item)) return;
  const { pk: _pk, sk: _sk, ...pairing } = item;
  const change = { set: { removedAt: now, removedBy: `${space}${MOVED}` } };
  const isStillPaired = { name: 'the group is paired', holds: absent('removedAt') };
  await wasWritten(
    table.transact([
      { kind: 'put', key: pairedChatKey(space, to), item: { ...pairing, movedFrom: from }, condition: IS_NEW },
      { kind: 'update', key: pairedChatKey(space, from), change, condition: isStillPaired },
    ]),
  );
};

/** @param endApprovals ends the open approvals of a chat */
export const buildChatPowers = (
  table: Pick<Table, 'load' | 'query' | 'transact'>,
  space: string,
  endApprovals: (chat: string, by: string, now: number) => Promise<void>,
): ChatPowers => ({
  list: async () => {
    const { pk } = pairedChatKey(space, '');
    const { items } = await queryAll(table, { pk, skPrefix: PREFIX });
    const settings = readOwnerSettings(await loadItem(table, ownerSettingsKey(space)));
    return items
      .map((item) => {
        const id = String(item.sk).slice(PREFIX.length);
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
        `the chat ${id} is not paired; /chats lists those that are, and TELEGRAM_ALLOWED_CHATS may name others`,
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
