/**
 * The numbers that answer a message of the agent: which button each stands for. Act writes the row
 * beside those of its own messages; the door reads it when somebody replies. It holds no words.
 */
import * as z from 'zod/mini';
import { readJson } from '../../core/base/json.ts';
import { DAY_MS } from '../../core/base/limits.ts';
import { chatOf, chatSession } from '../../core/signal/channels.ts';
import { sessionKey } from '../../core/store/keys.ts';
import type { Item, Table } from '../../core/store/table.ts';

/** How long people answer a message. */
const KEPT_MS = 30 * DAY_MS;

export const buttonsKey = (space: string, to: string, message: number) => ({
  pk: sessionKey(space, chatSession(chatOf({ target: 'signal', to }))).pk,
  sk: `buttons#${message}`,
});

export const noteButtons = (
  table: Pick<Table, 'put'>,
  key: ReturnType<typeof buttonsKey>,
  data: readonly string[],
  now: number,
): Promise<unknown> =>
  table.put(key, { schemaVersion: 1, data: JSON.stringify(data), expiresAt: Math.ceil((now + KEPT_MS) / 1000) });

export const buttonsIn = (item: Item | undefined, now: number): readonly string[] =>
  item !== undefined && Number(item.expiresAt) * 1000 > now
    ? (z.array(z.string()).safeParse(readJson(String(item.data))).data ?? [])
    : [];
