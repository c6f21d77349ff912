/** A group that becomes a supergroup gets another id: pairing, names, settings and talk follow. */
import * as z from 'zod/mini';
import { changeOwnerSetting } from '../../core/ledger/change-owner-setting.ts';
import {
  CHAT_SETTINGS,
  chatField,
  chatNameField,
  loadOwnerSettings,
  type OwnerSettings,
  placesOf,
  placeWord,
  settingOf,
} from '../../core/ledger/owner-settings.ts';
import { isPaired, MOVED, pairedChatKey } from '../../core/ledger/paired-chats.ts';
import { moveConversation } from '../../core/ledger/session-controls.ts';
import { chatSession } from '../../core/signal/channels.ts';
import { telegramSignalId } from '../../core/signal/ids.ts';
import type { Signal } from '../../core/signal/signal.ts';
import { absent, IS_NEW } from '../../core/store/condition.ts';
import { loadItem } from '../../core/store/load-named.ts';
import type { Table } from '../../core/store/table.ts';
import { wasWritten } from '../../core/store/update-if.ts';
import type { IntakeDeps } from './receive.ts';

/**
 * A group keeps its pairing under the id that Telegram gives it when it becomes a supergroup. A
 * repeat changes nothing. @param from vouched for by Telegram, as the chat that the news came from
 */
const movePairing = async (
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

/** The names of a chat as they are once it has another id. */
const namesWith = (settings: OwnerSettings, from: string, to: string) =>
  [...placesOf(settings)].flatMap(([name, places]) => {
    const ids = places.map(placeWord);
    const value = ids.map((id) => (id === from ? to : id)).join(',');
    return ids.includes(from) ? [{ field: chatNameField(name), value }] : [];
  });

/** A chat's names and settings follow it to another id. A repeat changes nothing more. */
const moveChatSettings = async (
  table: Pick<Table, 'load' | 'transact'>,
  by: Pick<Signal, 'id' | 'space' | 'sender' | 'receivedAt'>,
  from: string,
  to: string,
): Promise<void> => {
  const settings = await loadOwnerSettings(table, by.space);
  for (const { field, value } of namesWith(settings, from, to)) await changeOwnerSetting(table, by, field, value);
  for (const kind of CHAT_SETTINGS) {
    const value = settingOf(settings, chatField(kind, from));
    if (value === '') continue;
    await changeOwnerSetting(table, by, chatField(kind, to), value);
    await changeOwnerSetting(table, by, chatField(kind, from), '');
  }
};

/** The old group says its new id, the new one its old: the first is enough. */
const Moved = z.looseObject({
  update_id: z.int(),
  message: z.looseObject({ chat: z.looseObject({ id: z.int() }), migrate_to_chat_id: z.int() }),
});

/** A group that became a supergroup keeps conversation, names and settings under another id. */
export const keepPairing = async (
  { table, config, now }: Pick<IntakeDeps, 'table' | 'config' | 'now'>,
  update: unknown,
): Promise<void> => {
  const { data } = Moved.safeParse(update);
  if (data === undefined) return;
  const { space, botId } = config;
  const [from, to] = [String(data.message.chat.id), String(data.message.migrate_to_chat_id)];
  await moveConversation(table, space, chatSession(from), chatSession(to));
  await movePairing(table, space, { from, to, now });
  const sender = { id: 'system', isApprover: false };
  const by = { id: telegramSignalId(botId, data.update_id), space, sender, receivedAt: now };
  await moveChatSettings(table, by, from, to);
};
