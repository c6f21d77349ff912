/**
 * From words to a command with its arguments and options. Pure. Anything unknown is said with the
 * nearest known name, and ends in exit code 2.
 */
import { parseArgs } from 'node:util';
import type { Command } from './command.ts';
import { CliError, EXIT } from './exit-codes.ts';
import { GLOBAL_OPTIONS } from './global-options.ts';
import { nearest } from './nearest.ts';
import { printable } from './printable.ts';

export interface CommandLine {
  readonly command: Command;
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

const unknown = (kind: string, typed: string, known: readonly string[]): CliError => {
  const guess = nearest(typed.replace(/^-+/, ''), known);
  const dashes = kind === 'option' ? '--' : '';
  return new CliError(
    EXIT.usage,
    `there is no ${kind} "${printable(typed)}"${guess === undefined ? '' : `; did you mean "${dashes}${guess}"?`}`,
    'passepartout help lists everything',
  );
};

const findCommand = (name: string, commands: readonly Command[]): Command => {
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined)
    throw unknown(
      'command',
      name,
      commands.map((candidate) => candidate.name),
    );
  return command;
};

const usageOf = ({ name, usage }: Command): string => `usage: passepartout ${name}${usage === '' ? '' : ` ${usage}`}`;

const checkArgs = (command: Command, args: readonly string[]): void => {
  const [least, most] = command.argCount;
  if (args.length < least) throw new CliError(EXIT.usage, `${command.name} needs more`, usageOf(command));
  if (args.length > most)
    throw new CliError(EXIT.usage, `${command.name} takes no "${printable(args[most] ?? '')}"`, usageOf(command));
};

/** @param words what stands after the program's name. @throws CliError */
export const parseCommandLine = (words: readonly string[], commands: readonly Command[]): CommandLine => {
  const all = { ...GLOBAL_OPTIONS, ...Object.assign({}, ...commands.map((command) => command.options ?? {})) };
  const { values, positionals, tokens } = parseArgs({
    args: [...words],
    options: all,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const [name = 'help', ...args] = positionals;
  const command = findCommand(name, commands);
  const own = { ...GLOBAL_OPTIONS, ...command.options };
  const known: Readonly<Record<string, { readonly type: string }>> = own;
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(own, token.name) ? known[token.name] : undefined;
    if (option === undefined) throw unknown('option', token.rawName, Object.keys(own));
    if (option.type === 'string' && (token.value === undefined || token.value === ''))
      throw new CliError(EXIT.usage, `--${token.name} needs a value`, usageOf(command));
    if (option.type === 'boolean' && token.value !== undefined)
      throw new CliError(EXIT.usage, `--${token.name} takes no value`, usageOf(command));
  }
  if (values.help === true && name !== 'help') {
    return { command: findCommand('help', commands), args: [command.name], options: {} };
  }
  checkArgs(command, args);
  return {
    command,
    args,
    options: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, single(value)])),
  };
};

/** An option given twice counts as given last. */
const single = (value: string | boolean | (string | boolean)[] | undefined): string | boolean | undefined =>
  Array.isArray(value) ? value.at(-1) : value;
