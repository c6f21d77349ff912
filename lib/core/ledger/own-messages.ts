/**
 * The ids of messages in chats that the agent wrote without any outside text in its prompt. A quote
 * of such a message is the agent's own text (I13); a message without a row counts as outside. Act
 * writes a row, the ingress reads it. A row holds no words.
 */

import { DAY_MS } from '../base/limits.ts';
import { chatSession } from '../signal/channels.ts';
import { sessionKey } from '../store/keys.ts';
import { loadItem } from '../store/load-named.ts';
import type { Table } from '../store/table.ts';

/** How long people reply to a message. */
const OWN_MESSAGE_KEEP_MS = 30 * DAY_MS;

const keyOf = (space: string, chat: string, message: number) => ({
  pk: sessionKey(space, chatSession(chat)).pk,
  sk: `sent#${message}`,
});

export const noteOwnMessage = async (
  table: Pick<Table, 'put'>,
  space: string,
  { chat, message }: { readonly chat: string; readonly message: number },
  now: number,
): Promise<void> => {
  const expiresAt = Math.ceil((now + OWN_MESSAGE_KEEP_MS) / 1000);
  await table.put(keyOf(space, chat, message), { schemaVersion: 1, expiresAt });
};

export const isOwnMessage = async (
  table: Pick<Table, 'load'>,
  space: string,
  { chat, message }: { readonly chat: string; readonly message: number },
  now: number,
): Promise<boolean> => {
  const item = await loadItem(table, keyOf(space, chat, message));
  return item !== undefined && Number(item.expiresAt) * 1000 > now;
};
