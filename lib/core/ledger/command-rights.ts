/** The chat commands that are no operation of a feature, and the standing that each needs. */
import type { Standing } from './standing.ts';

export const COMMANDS = {
  help: 'anyone',
  start: 'anyone',
  pair: 'anyone',
  ingest: 'approver',
  resume: 'approver',
} as const satisfies Readonly<Record<string, Standing>>;

export type CommandName = keyof typeof COMMANDS;

export const isCommandName = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name);
