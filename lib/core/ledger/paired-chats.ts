/**
 * The chats that are paired with the agent: authority and not memory (I14). The ingress asks
 * whether a chat is paired, and pairs one by a code; Act removes one (`chat-powers.ts`). The table
 * deletes nothing, so a removed chat keeps its item, which says when it was removed. Act sends a
 * removed chat nothing more, except what the turn that removed it still says.
 */
import * as z from 'zod/mini';
import { pairingKey } from '../store/keys.ts';
import { parseStored } from '../store/parse-stored.ts';
import type { Item } from '../store/table.ts';

export const PAIRED_PREFIX = 'chat#';

const PairedChat = z.object({
  pairedAt: z.int(),
  removedAt: z.optional(z.int()),
  /** The effect that removed it. */
  removedBy: z.optional(z.string()),
  /** The group that it was before it became a supergroup. */
  movedFrom: z.optional(z.string()),
});

export const pairedChatKey = (space: string, id: string) => pairingKey(space, `${PAIRED_PREFIX}${id}`);

export const parseChat = (item: Item) => parseStored(item, PairedChat, 'paired chat');

export const isPaired = (item: Item | undefined): boolean =>
  item !== undefined && parseChat(item).removedAt === undefined;

export interface Removal {
  readonly at: number;
  /** The effect that removed it. */
  readonly by: string;
}

/** Stands in place of the effect: texts to the group go to its new id. */
export const MOVED = '/moved';

/** @returns undefined if the chat is paired, has moved, or never was paired */
export const removalOf = (item: Item | undefined): Removal | undefined => {
  const { removedAt: at, removedBy: by = '' } = item === undefined ? {} : parseChat(item);
  return at === undefined || by.endsWith(MOVED) ? undefined : { at, by };
};
