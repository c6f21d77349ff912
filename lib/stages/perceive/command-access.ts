/**
 * Whether a command may be used by whoever typed it, in the chat it was typed in: asked of the one
 * table before anything else looks at the command. Settings are read only for a group, and only
 * where the table asks for a chat that is named.
 */

import { type Notice, notices } from '../../judge/notices.ts';
import { isCommandName, neededFor, reaches, shownBy, standingOf, whereFor } from '../../ledger/command-rights.ts';
import { chatMemoryOf, loadOwnerSettings } from '../../ledger/owner-settings.ts';
import { type ChatMemory, isGroup } from '../../signal/asker.ts';
import type { Signal } from '../../signal/signal.ts';
import type { Table } from '../../store/table.ts';

/** How the chat stands to memory. @throws StoredItemError for settings this release cannot read. */
export const loadChatMemory = async (
  table: Pick<Table, 'load'>,
  { space, reply }: Pick<Signal, 'space' | 'reply'>,
): Promise<ChatMemory> => (isGroup(reply) ? chatMemoryOf(reply, await loadOwnerSettings(table, space)) : 'open');

/**
 * @returns what to say in place of an answer; undefined for a command its sender may give here, and
 * for all that is none.
 */
export const refuseCommand = async (table: Pick<Table, 'load'>, signal: Signal): Promise<Notice | undefined> => {
  if (signal.payload.sensor !== 'command') return undefined;
  const { name, rest } = signal.payload;
  if (!isCommandName(name)) return notices.unknownCommand(name.replace(/[^a-z0-9_-]/giu, '').slice(0, 32));
  const standing = standingOf(signal);
  if (!reaches(standing, neededFor(name, rest))) return notices.mayNotCommand(name, shownBy(name, standing));
  // In public only a group that is open shows it: an answer to a command asks nobody first.
  const isShown = whereFor(name, rest) === 'anywhere' || (await loadChatMemory(table, signal)) === 'open';
  return isShown ? undefined : notices.notInThisGroup(name);
};
