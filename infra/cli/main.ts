/**
 * The command `passepartout`: finds the command, runs it, and turns whatever happens into words on
 * the right stream and an exit code that scripts can rely on. Never throws.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { StackAccess } from './client.ts';
import { loadCommands } from './command-table.ts';
import { CliError, EXIT, type ExitCode } from './exit-codes.ts';
import { type CommandLine, parseCommandLine } from './parse-command-line.ts';
import { printable } from './printable.ts';
import type { Variables } from './stack-address.ts';
import { buildTerminal, type Terminal } from './terminal.ts';

export interface MainInput {
  /** Words after the program's name. */
  readonly words: readonly string[];
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly errors: NodeJS.WriteStream;
  readonly env: Variables;
  readonly folder: string;
}

const runCommand = (
  main: MainInput,
  { command, args, options }: CommandLine,
  terminal: Terminal,
): Promise<ExitCode> => {
  const text = (name: string): string | undefined => {
    const value = options[name];
    return typeof value === 'string' ? value : undefined;
  };
  let found: Promise<StackAccess> | undefined;
  const findStack = async (): Promise<StackAccess> => {
    const { findDeployedStack, findLocalStack } = await import('./stack-address.ts');
    const name = text('stack');
    return name === undefined ? findLocalStack(main.env, main.folder) : findDeployedStack(name);
  };
  const access = (): Promise<StackAccess> => {
    found ??= findStack();
    return found;
  };
  return command.run({
    args,
    text,
    flag: (name) => options[name] === true,
    terminal,
    input: main.input,
    output: main.output,
    env: main.env,
    folder: main.folder,
    access,
    client: async () => {
      const { buildClient } = await import('./client.ts');
      return buildClient(await access());
    },
    now: Date.now,
    sleep: (ms) => sleep(ms),
  });
};

const tellFailure = (terminal: Terminal, error: unknown): ExitCode => {
  const failure =
    error instanceof CliError
      ? error
      : new CliError(EXIT.failed, `unexpected: ${error instanceof Error ? printable(error.message) : 'unknown error'}`);
  if (terminal.isJson) terminal.json({ error: { code: `exit-${failure.exitCode}`, message: failure.message } });
  else {
    terminal.remark(terminal.paint('red', failure.message));
    if (failure.advice !== '') terminal.remark(failure.advice);
  }
  return failure.exitCode;
};

export const runMain = async (main: MainInput): Promise<ExitCode> => {
  const isJson = main.words.includes('--json');
  const terminal = buildTerminal(main.output, main.errors, isJson, main.env);
  try {
    return await runCommand(main, parseCommandLine(main.words, await loadCommands(main.words)), terminal);
  } catch (error) {
    return tellFailure(terminal, error);
  }
};
