/**
 * The commands that Telegram offers once somebody types "/": all that its owner may give in private
 * chats, and in groups what anybody may; in German to those whose Telegram is. From `setMyCommands`
 * of the Bot API 9: a name has 1-32 lower-case letters, digits and "_", a description 1-256
 * characters; at most 100 commands.
 */

import type { Standing } from '../../core/gates/rules/access-table.ts';
import { type Feature, nounsIn, operationsIn, summaryOf } from '../../core/operations/feature.ts';
import { isTyped, mayDo } from '../../core/operations/rights.ts';
import { buildTelegramClient } from './client.ts';

export interface MenuEntry {
  readonly command: string;
  readonly description: string;
}

const DESCRIPTION_CHARS_MAX = 256;
const ENTRIES_MAX = 100;

const ALWAYS: readonly MenuEntry[] = [
  { command: 'help', description: 'what I can do, and every command' },
  { command: 'stop', description: 'stop at once' },
];

const APPROVERS: readonly MenuEntry[] = [
  { command: 'resume', description: 'carry on after a stop' },
  { command: 'ingest', description: 'with a file, or as a reply to one: keep its text in memory' },
];

/** Pure. */
export const menuFor = (features: readonly Feature[], standing: Standing): readonly MenuEntry[] => {
  const allowed = operationsIn(features).filter((operation) => isTyped(operation) && mayDo(standing, operation));
  const entries = nounsIn(allowed)
    .filter((noun) => /^[a-z0-9_]{1,32}$/.test(noun))
    .map((noun) => ({ command: noun, description: summaryOf(features, noun).slice(0, DESCRIPTION_CHARS_MAX) }));
  return [...ALWAYS, ...(standing === 'approver' ? APPROVERS : []), ...entries].slice(0, ENTRIES_MAX);
};

const loadGerman = async () => {
  const { inGerman } = await import('../../core/language/stored-german.ts');
  return (menu: readonly MenuEntry[]): readonly MenuEntry[] =>
    menu.map(({ command, description }) => ({ command, description: inGerman(description) }));
};

/** @returns what is wrong, in words and without the token; empty if the menus are set */
export const setMenus = async (
  { token, apiRoot }: { readonly token: string; readonly apiRoot: string },
  features: readonly Feature[],
): Promise<string> => {
  const client = buildTelegramClient({ token, apiRoot });
  const set = async (scope: string, commands: readonly MenuEntry[], language = ''): Promise<string> => {
    const outcome = await client.call('setMyCommands', { scope: { type: scope }, commands, language_code: language });
    if (outcome.kind === 'done') return '';
    return outcome.kind === 'refused' ? outcome.description : outcome.reason;
  };
  const inGerman = await loadGerman();
  const [own, others] = [menuFor(features, 'approver'), menuFor(features, 'anyone')];
  return (
    (await set('all_private_chats', own)) ||
    (await set('all_group_chats', others)) ||
    (await set('all_private_chats', inGerman(own), 'de')) ||
    (await set('all_group_chats', inGerman(others), 'de'))
  );
};
