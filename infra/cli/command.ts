/** A command is data: a name, words for the help, the options it takes, and a function. */
import type { Language } from '../../lib/core/base/language.ts';
import type { StackAccess } from './client.ts';
import type { Variables } from './stack.ts';
import type { ExitCode, Stream, Terminal } from './terminal.ts';

export interface CommandOption {
  readonly type: 'string' | 'boolean';
  readonly multiple?: true;
  /** Name of the value in the help. */
  readonly value?: string;
  readonly help: string;
}

export interface CommandContext {
  readonly args: readonly string[];
  readonly text: (option: string) => string | undefined;
  readonly texts: (option: string) => readonly string[];
  readonly flag: (option: string) => boolean;
  readonly terminal: Terminal;
  /** Of the terminal, for texts that come from a table; English if absent. */
  readonly language?: () => Language;
  readonly input: NodeJS.ReadableStream;
  readonly output: Stream & NodeJS.WritableStream;
  readonly env: Variables;
  /** Current folder. */
  readonly folder: string;
  /** Finds the stack, once. @throws CliError */
  readonly access: () => Promise<StackAccess>;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

export interface Command {
  readonly name: string;
  /** Arguments as the help shows them. */
  readonly usage: string;
  readonly summary: string;
  /** Of a noun with verbs: each form with its sentence. */
  readonly verbs?: readonly (readonly [string, string])[];
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** Least and most arguments. */
  readonly argCount: readonly [number, number];
  readonly run: (context: CommandContext) => Promise<ExitCode>;
}

export const GLOBAL_OPTIONS = {
  json: { type: 'boolean', help: 'print the result as JSON' },
  stack: { type: 'string', value: 'name', help: 'a deployed stack instead of the local one' },
  help: { type: 'boolean', help: 'this text' },
} as const satisfies NonNullable<Command['options']>;
