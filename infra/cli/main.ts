/** The command `passepartout`: words in, words and an exit code out. Never throws. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { nearest } from '../../lib/core/base/distance.ts';
import { PassepartoutError } from '../../lib/core/base/errors.ts';
import type { Feature } from '../../lib/core/operations/feature.ts';
import type { StackAccess } from './client.ts';
import { type Command, GLOBAL_OPTIONS } from './command.ts';
import { loadCommands } from './command-table.ts';
import { openSpeech, type Speech } from './speech.ts';
import { findDeployedStack, findLocalStack, findStackIfRunning, type Variables } from './stack.ts';
import { buildTerminal, CliError, EXIT, type ExitCode, printable, type Terminal } from './terminal.ts';

export interface MainInput {
  /** Words after the program's name. */
  readonly words: readonly string[];
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly errors: NodeJS.WriteStream;
  readonly env: Variables;
  readonly folder: string;
  /** All there are, unless given. */
  readonly features?: readonly Feature[];
}

interface CommandLine {
  readonly command: Command;
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, readonly (string | boolean)[]>>;
}

/** Words of other programs, and the command here. */
const OTHER_WORDS = new Map([['health', 'doctor']]);

const buildUnknown = (kind: 'command' | 'option', typed: string, known: readonly string[]): CliError => {
  const meant = kind === 'command' ? OTHER_WORDS.get(typed) : undefined;
  const guess = meant ?? nearest(typed.replace(/^-+/, ''), known);
  const dashes = kind === 'option' ? '--' : '';
  return new CliError(
    EXIT.usage,
    `there is no ${kind} "${printable(typed)}"${guess === undefined ? '' : `; did you mean "${dashes}${guess}"?`}`,
    'npx passepartout help lists everything',
  );
};

const findCommand = (name: string, commands: readonly Command[]): Command => {
  const command = commands.find((candidate) => candidate.name === name);
  if (command !== undefined) return command;
  const names = commands.map((candidate) => candidate.name);
  throw buildUnknown('command', name, names);
};

const isNoGroup = (word: string): boolean => !/^-\d+$/.test(word);

/** @throws CliError (exit 2) on an unknown word, naming the nearest known one */
const parseCommandLine = (words: readonly string[], commands: readonly Command[]): CommandLine => {
  const groups = words.filter((word) => !isNoGroup(word));
  const all = { ...GLOBAL_OPTIONS, ...Object.assign({}, ...commands.map((command) => command.options ?? {})) };
  const { values, positionals, tokens } = parseArgs({
    // The id of a group's chat is a negative number.
    args: groups.length === 0 || words.includes('--') ? [...words] : [...words.filter(isNoGroup), '--', ...groups],
    options: all,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const [name = 'help', ...args] = positionals;
  const command = findCommand(name, commands);
  // Several words are a question to the manual.
  if (name === 'help' && args[0] !== undefined && args.length === 1) findCommand(args[0], commands);
  const usage = `usage: npx passepartout ${name}${command.usage === '' ? '' : ` ${command.usage}`}`;
  const options: Readonly<Record<string, { readonly type: string }>> = { ...GLOBAL_OPTIONS, ...command.options };
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (option === undefined) throw buildUnknown('option', token.rawName, Object.keys(options));
    if (option.type === 'string' && (token.value === undefined || token.value === ''))
      throw new CliError(EXIT.usage, `--${token.name} needs a value`, usage);
    if (option.type === 'boolean' && token.value !== undefined)
      throw new CliError(EXIT.usage, `--${token.name} takes no value`, usage);
  }
  if (values.help === true && name !== 'help')
    return { command: findCommand('help', commands), args: [name], options: {} };
  const [least, most] = command.argCount;
  if (args.length < least) {
    const missing = command.usage.includes(' | ') ? '' : `: ${command.usage.split(' ')[args.length]}`;
    throw new CliError(EXIT.usage, `${name} needs more${missing}`, usage);
  }
  if (args.length > most) throw new CliError(EXIT.usage, `${name} takes no "${printable(args[most] ?? '')}"`, usage);
  const given = Object.entries(values).map(([key, value = false]) => [key, [value].flat()] as const);
  return { command, args, options: Object.fromEntries(given) };
};

const runCommand = (main: MainInput, line: CommandLine, terminal: Terminal, speech: Speech): Promise<ExitCode> => {
  const { command, args, options } = line;
  const texts = (name: string): readonly string[] => (options[name] ?? []).filter((one) => typeof one === 'string');
  // An option that is given twice counts as given last.
  const text = (name: string): string | undefined => texts(name).at(-1);
  let deployed: Promise<StackAccess> | undefined;
  const stackName = text('stack');
  const findStack = async (): Promise<StackAccess> => {
    const found = stackName === undefined ? findLocalStack(main.env, main.folder) : await findDeployedStack(stackName);
    return { ...found, speech };
  };
  return command.run({
    args,
    text,
    texts,
    flag: (name) => options[name]?.at(-1) === true,
    terminal,
    language: speech.language,
    input: main.input,
    output: main.output,
    env: main.env,
    folder: main.folder,
    access: () => {
      // A stack of this machine may start, or start again, while a command runs.
      if (stackName === undefined) return findStack();
      deployed ??= findStack();
      return deployed;
    },
    now: Date.now,
    sleep: (ms) => sleep(ms),
  });
};

const reportFailure = (terminal: Terminal, error: unknown): ExitCode => {
  const words = error instanceof Error ? printable(error.message) : 'unknown error';
  // Our own errors say what is wrong in a sentence.
  const message = error instanceof PassepartoutError ? words : `unexpected: ${words}`;
  const failure = error instanceof CliError ? error : new CliError(EXIT.failed, message);
  if (terminal.isJson) terminal.json({ error: { code: `exit-${failure.exitCode}`, message: failure.message } });
  else {
    terminal.remark(terminal.paint('red', failure.message));
    if (failure.advice !== '') terminal.remark(failure.advice);
  }
  return failure.exitCode;
};

/** Without a command it is the chat, if there is a person to talk to and a stack that runs. */
const wordsOf = ({ words, input, output, env, folder }: MainInput): readonly string[] => {
  if (words.length === 1 && words[0] === '--version') return ['version'];
  if (words.length === 1 && words[0] === '--plain') return ['chat', '--plain'];
  const isChat = words.length === 0 && input.isTTY && output.isTTY && findStackIfRunning(env, folder) !== undefined;
  return isChat ? ['chat'] : words;
};

export const runMain = async (main: MainInput): Promise<ExitCode> => {
  const isJson = main.words.includes('--json');
  const speech = await openSpeech(main.env, isJson);
  let terminal = buildTerminal(main.output, main.errors, isJson, main.env, undefined, speech.say);
  try {
    const words = wordsOf(main);
    const line = parseCommandLine(words, await loadCommands(words, main.features));
    const stack = line.options.stack?.at(-1);
    if (typeof stack === 'string')
      terminal = buildTerminal(main.output, main.errors, isJson, main.env, printable(stack), speech.say);
    return await runCommand(main, line, terminal, speech);
  } catch (error) {
    return reportFailure(terminal, error);
  }
};
