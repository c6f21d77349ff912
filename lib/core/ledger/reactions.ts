/**
 * Emoji that the person of a private chat put on messages since he wrote last. They begin no turn:
 * the next message brings them along. The ingress writes and reads the row, which holds no words.
 */
import * as z from 'zod/mini';
import { readJson } from '../base/json.ts';
import { DAY_MS } from '../base/limits.ts';
import { chatSession } from '../signal/channels.ts';
import { sessionKey } from '../store/keys.ts';
import { loadItem } from '../store/load-named.ts';
import type { Item, Table } from '../store/table.ts';

/** A person who writes later does not think of it any more. */
const REACTION_KEEP_MS = 7 * DAY_MS;
/** The newest count. */
const REACTIONS_MAX = 8;

export interface Reaction {
  readonly chat: string;
  readonly message: number;
  /** Undefined if it was taken back. */
  readonly emoji: string | undefined;
}

export const reactionsKey = (space: string, chat: string) => ({
  pk: sessionKey(space, chatSession(chat)).pk,
  sk: 'reactions',
});

const Stored = z.array(z.tuple([z.int(), z.string()]));

const storedIn = (item: Item | undefined, now: number): z.infer<typeof Stored> =>
  item !== undefined && Number(item.expiresAt) * 1000 > now
    ? (Stored.safeParse(readJson(String(item.reactions))).data ?? [])
    : [];

export const reactionsIn = (item: Item | undefined, now: number): readonly string[] =>
  storedIn(item, now).map(([, emoji]) => emoji);

const save = async (
  table: Pick<Table, 'put'>,
  space: string,
  chat: string,
  reactions: z.infer<typeof Stored>,
  now: number,
): Promise<void> => {
  const expiresAt = Math.ceil((now + REACTION_KEEP_MS) / 1000);
  await table.put(reactionsKey(space, chat), { schemaVersion: 1, reactions: JSON.stringify(reactions), expiresAt });
};

/** A message has one reaction of a person: a later one takes its place. */
export const noteReaction = async (
  table: Pick<Table, 'put' | 'load'>,
  space: string,
  { chat, message, emoji }: Reaction,
  now: number,
): Promise<void> => {
  const others = storedIn(await loadItem(table, reactionsKey(space, chat)), now).filter(([id]) => id !== message);
  const own: z.infer<typeof Stored> = emoji === undefined ? [] : [[message, emoji]];
  await save(table, space, chat, [...others, ...own].slice(-REACTIONS_MAX), now);
};

/** A message has brought them along. */
export const clearReactions = (table: Pick<Table, 'put'>, space: string, chat: string, now: number): Promise<void> =>
  save(table, space, chat, [], now);
