/** Options that every command takes. */
import type { Command } from './command.ts';

export const GLOBAL_OPTIONS = {
  json: { type: 'boolean', help: 'print the result as JSON' },
  stack: { type: 'string', value: 'name', help: 'a deployed stack instead of the local one' },
  help: { type: 'boolean', help: 'this text' },
} as const satisfies NonNullable<Command['options']>;
