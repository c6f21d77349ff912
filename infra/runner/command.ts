/**
 * `runner`: this machine as a runner. It needs neither the stack's token nor its data folder: only
 * the pasted code, and afterwards the key that it made itself.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { ConfigError, PassepartoutError } from '../../lib/core/base/errors.ts';
import { MCP_SERVER_NAME } from '../../lib/core/signal/mcp-name.ts';
import type { Command, CommandContext } from '../cli/command.ts';
import { isTerminal, readHidden } from '../cli/read-hidden.ts';
import { CliError, causeOf, EXIT, type ExitCode, printable, show } from '../cli/terminal.ts';
import type { RunnerContext } from './commands.ts';

const loadMachine = () => import('./commands.ts');

const USAGE = 'pair <address> <code> | check [name] | start [name] | secret <server> <VARIABLE>';

const wrongUsage = (): CliError => new CliError(EXIT.usage, `usage: npx passepartout runner ${USAGE}`);

export const contextOf = ({ env, now, terminal }: CommandContext): RunnerContext => ({
  env,
  now,
  report: (line) => terminal.line(printable(line)),
});

/** A fault of the machine ends the command; anything else is a fault of ours. */
export const told = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ConfigError) throw new CliError(EXIT.usage, error.problems.map(printable).join('\n'));
    if (error instanceof PassepartoutError) throw new CliError(EXIT.failed, printable(error.message));
    throw error;
  }
};

/** Folders as they were typed in this shell. @throws CliError (exit 2) if one does not exist */
export const spelled = ({ folder }: CommandContext, given: readonly string[]): readonly string[] =>
  given.map((path) => {
    const whole = resolve(folder, path === '~' ? homedir() : path.replace(/^~\//, `${homedir()}/`));
    if (!existsSync(whole)) throw new CliError(EXIT.usage, `there is no folder ${printable(whole)}`);
    return whole;
  });

/** One folder, typed by the person who sits at the machine; none if nobody does. */
const askFolder = async (context: CommandContext): Promise<readonly string[]> => {
  const { input, output, terminal } = context;
  if (!('isTTY' in input) || input.isTTY !== true || terminal.isJson) return [];
  const reader = createInterface({ input, output });
  try {
    for (;;) {
      const typed = (await reader.question('Folder that jobs may read and change (Enter for none yet): ')).trim();
      try {
        return spelled(context, typed === '' ? [] : [typed]);
      } catch (error) {
        terminal.remark(causeOf(error));
      }
    }
  } finally {
    reader.close();
  }
};

const listOf = (paths: readonly string[]): string => paths.map((path) => `\n    - ${JSON.stringify(path)}`).join('');

/** Writes folders into a file that names none yet. */
const allowFolders = (file: string, read: readonly string[], write: readonly string[]): void => {
  let text = readFileSync(file, 'utf8');
  if (read.length > 0) text = text.replace(/^ {2}read: \[\]$/m, () => `  read:${listOf(read)}`);
  if (write.length > 0) text = text.replace(/^ {2}write: \[\]$/m, () => `  write:${listOf(write)}`);
  writeFileSync(file, text, { mode: 0o600 });
};

const pair = async (context: CommandContext, address: string, code: string): Promise<ExitCode> => {
  const { terminal, texts } = context;
  const machine = await loadMachine();
  // Before the code is spent.
  const given = { read: spelled(context, texts('read')), write: spelled(context, texts('write')) };
  terminal.progress('asking the stack…');
  const { name, folder } = await told(machine.pairRunner(contextOf(context), address, code));
  terminal.progress('');
  const file = join(folder, 'runner.yaml');
  const isGiven = given.read.length + given.write.length > 0;
  allowFolders(file, given.read, isGiven ? given.write : await askFolder(context));
  show(terminal, { name, folder, file }, [
    `This machine is the runner ${name} now.`,
    `${printable(file)} says what it allows; nobody else can change it.`,
    ...(await told(machine.sayAllowed(contextOf(context), name))),
    ...(/^ {2}(?:read|write):\n/m.test(readFileSync(file, 'utf8'))
      ? []
      : ['It names no folder yet: write those into it that jobs may read or change, before you start.']),
    `Check it: npx passepartout runner check ${name}`,
    `Start it: npx passepartout runner start ${name}`,
  ]);
  return EXIT.ok;
};

const check = async (context: CommandContext, name: string | undefined): Promise<ExitCode> => {
  const machine = await loadMachine();
  const lines: string[] = [];
  const report = (line: string): void => void lines.push(printable(line));
  await told(machine.checkRunner({ ...contextOf(context), report }, name));
  show(context.terminal, { lines }, lines);
  return EXIT.ok;
};

/** Runs until it is ended. Jobs that run then are ended and reported. */
const start = async (context: CommandContext, name: string | undefined): Promise<ExitCode> => {
  const machine = await loadMachine();
  const ending = new AbortController();
  const end = (): void => ending.abort();
  const hangUp = (): void => {
    // The window is closed: its lines go nowhere, and the stack is told all the same.
    context.output.removeAllListeners('error').on('error', () => {});
    end();
  };
  process.once('SIGINT', end).once('SIGTERM', end).once('SIGHUP', hangUp);
  try {
    await told(machine.startRunner(contextOf(context), ending.signal, name));
    return EXIT.ok;
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end).off('SIGHUP', hangUp);
  }
};

/** A secret of one server of tools, typed here: it lies on this machine alone. */
const keepSecret = async (context: CommandContext, server: string, variable: string): Promise<ExitCode> => {
  const { openRunnerFolder } = await import('./runner-folder.ts');
  const folder = await told((async () => openRunnerFolder(context.env, context.text('machine')))());
  if (!MCP_SERVER_NAME.test(server) || !/^[A-Z][A-Z0-9_]*$/.test(variable)) throw wrongUsage();
  if (isTerminal(context.input)) context.terminal.remark(`Value of ${variable}, which is not shown:`);
  const value = (await readHidden(context)).trim();
  if (value === '') throw new CliError(EXIT.usage, 'a secret is not empty');
  folder.setSecret(server, variable, value);
  show(context.terminal, { server, variable }, [
    `${variable} is kept on this machine, for the server ${server} alone.`,
  ]);
  return EXIT.ok;
};

export const runner: Command = {
  name: 'runner',
  usage: USAGE,
  summary: 'this machine performs commands for the agent, in a sandbox',
  options: {
    read: { type: 'string', multiple: true, value: 'folder', help: 'pair: jobs may read it; for each one' },
    write: { type: 'string', multiple: true, value: 'folder', help: 'pair: jobs may read and change it' },
    machine: { type: 'string', value: 'name', help: 'secret: the runner of that name, if several are paired here' },
  },
  argCount: [1, 3],
  run: (context) => {
    const [verb, first, second, ...more] = context.args;
    if (verb === 'pair' && first !== undefined && second !== undefined && more.length === 0)
      return pair(context, first, second);
    if (verb === 'secret' && first !== undefined && second !== undefined && more.length === 0)
      return keepSecret(context, first, second);
    if (second !== undefined) throw wrongUsage();
    if (verb === 'check') return check(context, first);
    if (verb === 'start') return start(context, first);
    throw wrongUsage();
  },
};
