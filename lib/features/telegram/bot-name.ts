/**
 * The agent's own name on Telegram, without `@`. Act learns it from the first message that it sends
 * to a group, and the ingress reads it: there a command may be for another bot.
 */
import { pairingKey } from '../../core/store/keys.ts';
import type { Item, Table } from '../../core/store/table.ts';

export const botNameKey = (space: string) => pairingKey(space, 'bot');

/** Undefined until it is known. */
export const botNameOf = (item: Item | undefined): string | undefined =>
  typeof item?.username === 'string' && /^\w{1,64}$/.test(item.username) ? item.username : undefined;

export const noteBotName = (table: Pick<Table, 'put'>, space: string, username: string): Promise<void> =>
  table.put(botNameKey(space), { schemaVersion: 1, username });
