/** Says who may give which chat command, by the one table in `lib/gates/rules/access-table.ts`. */
import { COMMANDS, type CommandRow, type Standing } from '../gates/rules/access-table.ts';
import { reaches } from './standing.ts';

export type CommandName = keyof typeof COMMANDS;

export const COMMAND_NAMES: readonly string[] = Object.keys(COMMANDS);

export const isCommandName = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name);

/** The standing a command needs. */
export const neededFor = (name: CommandName, rest: string): Standing => {
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
