/**
 * Chats an approver named for memory: fields `memory.<chat>` of the owner's settings, which every
 * turn reads anyway. Authority, not memory (I14): only an approver's command changes them. Settings
 * nobody can read name none (I3). Pure.
 */
import { ChatMemory, isGroup } from '../signal/asker.ts';
import type { ReplyRoute } from '../signal/signal.ts';
import { type OwnerSettings, settingOf } from './owner-settings.ts';

const PREFIX = 'memory.';

export const memoryField = (chat: string): string => `${PREFIX}${chat}`;

/** @param settings undefined where they cannot be read. */
export const chatMemoryOf = (reply: ReplyRoute, settings: OwnerSettings | undefined): ChatMemory => {
  if (!isGroup(reply)) return 'open';
  const said = settings === undefined ? '' : settingOf(settings, memoryField(reply.to));
  return ChatMemory.safeParse(said).data ?? 'closed';
};

/** Groups that are named, with how. */
export const namedChats = (
  settings: OwnerSettings,
): readonly { readonly chat: string; readonly as: 'open' | 'ask'; readonly by: string; readonly at: number }[] =>
  Object.entries(settings.fields).flatMap(([field, { value, by, at }]) =>
    field.startsWith(PREFIX) && (value === 'open' || value === 'ask')
      ? [{ chat: field.slice(PREFIX.length), as: value, by, at }]
      : [],
  );
