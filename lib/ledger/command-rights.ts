/** Says who may give which chat command, by the one table in `lib/gates/rules/access-table.ts`. */
import { COMMANDS, type CommandRow, type Standing, type Where } from '../gates/rules/access-table.ts';
import { reaches } from './standing.ts';

export type CommandName = keyof typeof COMMANDS;

export const COMMAND_NAMES: readonly string[] = Object.keys(COMMANDS);

export const isCommandName = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name);

/** `/memory open` and its like name a chat for memory, and show nothing of memory. */
export const isNaming = (name: string, rest: string): boolean =>
  name === 'memory' && /^(open|ask|close|chats)\b/i.test(rest.trim());

/** The standing a command needs. To name a chat for memory changes a right. */
export const neededFor = (name: CommandName, rest: string): Standing => {
  if (isNaming(name, rest)) return 'approver';
  const { needs, show }: CommandRow = COMMANDS[name];
  const [word = ''] = rest.trim().toLowerCase().split(/\s+/);
  const isShown = word === '' || show?.words?.includes(word) === true;
  return isShown ? (show?.needs ?? needs) : needs;
};

/** The form of a command that only shows something; undefined if this standing has none. */
export const shownBy = (name: CommandName, standing: Standing): string | undefined => {
  const { show }: CommandRow = COMMANDS[name];
  return show === undefined || !reaches(standing, show.needs)
    ? undefined
    : [`/${name}`, ...(show.words ?? []).slice(0, 1)].join(' ');
};

/** Places where a command may be given. */
export const whereFor = (name: CommandName, rest: string): Where => {
  const { where = 'anywhere' }: CommandRow = COMMANDS[name];
  return isNaming(name, rest) ? 'anywhere' : where;
};
