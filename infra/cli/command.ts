/**
 * What a command is: a name, words for the help, the options it takes, and what it does. The list
 * of them is data.
 */
import type { Client, StackAccess } from './client.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Variables } from './stack-address.ts';
import type { Stream, Terminal } from './terminal.ts';

export interface CommandOption {
  readonly type: 'string' | 'boolean';
  /** What the value is called in the help. */
  readonly value?: string;
  readonly help: string;
}

export interface CommandContext {
  readonly args: readonly string[];
  readonly text: (option: string) => string | undefined;
  /** Whether a boolean option was given. */
  readonly flag: (option: string) => boolean;
  readonly terminal: Terminal;
  readonly input: NodeJS.ReadableStream;
  readonly output: Stream & NodeJS.WritableStream;
  readonly env: Variables;
  /** Current folder. */
  readonly folder: string;
  /** Finds the stack. @throws CliError */
  readonly access: () => Promise<StackAccess>;
  /** Finds the stack and gives its client. @throws CliError */
  readonly client: () => Promise<Client>;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

export interface Command {
  readonly name: string;
  /** Arguments as they stand in the help. */
  readonly usage: string;
  readonly summary: string;
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** Least and most arguments. */
  readonly argCount: readonly [number, number];
  readonly run: (context: CommandContext) => Promise<ExitCode>;
}
