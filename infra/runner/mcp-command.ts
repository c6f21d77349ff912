/**
 * `mcp add <name> -- <program>`: a server of tools that starts on this machine, all of it in one
 * command: pairs the machine if none is, fetches the package, tries the server in its sandbox, then
 * writes it into `runner.yaml`, and shows what it offers. Nothing is written if the trial fails.
 */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { isMap, parseDocument } from 'yaml';
import { ConfigError } from '../../lib/core/base/errors.ts';
import { problemWords } from '../../lib/core/base/file-problem.ts';
import { MCP_SERVER_NAME } from '../../lib/core/signal/mcp-name.ts';
import { offerHash } from '../../lib/core/tools/mcp-catalogue.ts';
import { toolsOf } from '../../lib/features/mcp/machines.ts';
import { mcpAccept, mcpAdd, mcpRemove } from '../../lib/features/mcp/operations.ts';
import { endChange, runChange } from '../cli/change.ts';
import type { CommandContext } from '../cli/command.ts';
import type { LocalPart, LocalParts } from '../cli/operation-command.ts';
import { isTerminal } from '../cli/read-hidden.ts';
import { shellLines } from '../cli/shell-lines.ts';
import { CliError, EXIT, type ExitCode, printable, printableLines, show } from '../cli/terminal.ts';
import { type Allowed, type MachineServer, parseAllowFile } from './allow-file.ts';
import { contextOf, spelled, told } from './command.ts';
import { lockRunner, pairRunner, requireSandbox } from './commands.ts';
import { fetchPackage, readNpx } from './fetch-package.ts';
import { listServer } from './mcp-servers.ts';
import { makeCode } from './pair-command.ts';
import { listRunnerNames, openRunnerFolder, type RunnerFolder } from './runner-folder.ts';
import { buildStack } from './transport.ts';

/** The name of the machine that this command pairs. */
const FIRST_MACHINE = 'home';

const FORM = '<name> <address>|<machine>|-- <program> [argument…]';

/** Pairs this machine, as `runners pair` and `runner pair` do. @throws CliError */
const pairHere = async (context: CommandContext): Promise<void> => {
  const made = await makeCode(context, FIRST_MACHINE);
  if ('view' in made) throw new CliError(EXIT.failed, made.replies.map(printableLines).join('\n'));
  await told(pairRunner(contextOf(context), made.address, made.code));
  context.terminal.remark(`This machine is the runner ${FIRST_MACHINE} now.`);
};

const openHere = async (context: CommandContext): Promise<RunnerFolder> => {
  if (listRunnerNames(context.env).length === 0) await pairHere(context);
  return told((async () => openRunnerFolder(context.env, context.text('machine')))());
};

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Entry of `runner.yaml` as it is written: what says nothing is left out. */
type Entry = Partial<Omit<MachineServer, 'name'>> & Pick<MachineServer, 'run'>;

const readVariable = (given: string): readonly [string, string] => {
  const [, name = '', value = ''] = /^([A-Z][A-Z0-9_]*)=(.*)$/s.exec(given) ?? [];
  if (name === '') throw new CliError(EXIT.usage, '--env takes NAME=value');
  return [name, value];
};

/** Folders among the arguments can be read, unless they are named to be changed. */
const entryOf = (context: CommandContext, run: readonly string[]): Entry => {
  const write = spelled(context, context.texts('write'));
  const named = run.slice(1).filter((word) => word.startsWith('/') && isFolder(word));
  const read = [...new Set([...spelled(context, context.texts('read')), ...named])];
  const lists = { read: read.filter((one) => !write.includes(one)), write };
  const more = { hosts: context.texts('host'), secrets: context.texts('secret') };
  const env = Object.fromEntries(context.texts('env').map(readVariable));
  return {
    run,
    ...Object.fromEntries(Object.entries({ ...lists, ...more }).filter(([, list]) => list.length > 0)),
    ...(Object.keys(env).length > 0 ? { env } : {}),
  };
};

/** The file with another entry, or without it; its comments stay. */
const withServer = (text: string, name: string, entry: Entry | undefined): string => {
  const document = parseDocument(text);
  if (entry === undefined) document.deleteIn(['servers', name]);
  else {
    const made = document.createNode(entry, { flow: false });
    if (isMap(made))
      for (const { value } of made.items)
        if (typeof value === 'object' && value !== null) Object.assign(value, { flow: true });
    document.setIn(['servers', name], made);
  }
  return document.toString({ lineWidth: 0 });
};

const fileOf = ({ path }: RunnerFolder): string => join(path, 'runner.yaml');

/** @throws CliError with every fault */
const parse = (text: string, folder: RunnerFolder): Allowed => {
  const read = parseAllowFile(text, fileOf(folder), folder.places);
  if (read.kind === 'problems')
    throw new CliError(EXIT.usage, read.problems.map(problemWords).map(printable).join('\n'));
  return read.allowed;
};

/** @throws CliError if the server does not start, or names no tool that can be used */
const tryServer = async (context: CommandContext, folder: RunnerFolder, allowed: Allowed, name: string) => {
  const server = allowed.servers.find((one) => one.name === name);
  if (server === undefined) throw new ConfigError([`no server ${name} was written down`]);
  context.terminal.progress('starting the server in its sandbox…');
  const sandbox = await told(requireSandbox());
  const offer = await listServer(server, { sandbox, folder, allowed, trees: new Map() });
  context.terminal.progress('');
  const problem = offer.problem ?? (offer.tools.length === 0 ? 'it offers no tool that can be used' : undefined);
  if (problem !== undefined) throw new CliError(EXIT.failed, printable(problem));
  const listed = (paths: readonly string[]): string => printable(paths.join(', ')) || 'nothing';
  const { remark } = context.terminal;
  remark(
    `It starts in a sandbox, reads ${listed(server.read)}, changes ${listed(server.write)}, and reaches ${listed(server.hosts)}.`,
  );
  if (server.write.length === 0 && server.read.length > 0) remark('To let it change a folder: --write <folder>');
  return offer;
};

const isAtWork = (folder: RunnerFolder): boolean => {
  try {
    lockRunner(folder)();
    return false;
  } catch (error) {
    if (error instanceof ConfigError) return true;
    throw error;
  }
};

const isYes = async ({ input, output, terminal }: CommandContext): Promise<boolean> => {
  if (!isTerminal(input) || terminal.isJson) return false;
  const reader = createInterface({ input, output });
  try {
    return /^y(es)?$/i.test((await reader.question('Let exactly these tools in? Each call asks you. [y/N] ')).trim());
  } finally {
    reader.close();
  }
};

const addHere = async (context: CommandContext, name: string, words: readonly string[]): Promise<ExitCode> => {
  const { terminal } = context;
  const folder = await openHere(context);
  const runner = folder.pairing.name;
  let run = words;
  if (words[0] === 'npx') {
    const [spec, ...args] = readNpx(words);
    terminal.progress(`fetching ${printable(spec)} with npm…`);
    run = ['npx', await told(fetchPackage(folder.package(name), spec)), ...args];
    terminal.progress('');
    terminal.remark(
      `npm fetched ${printable(run[1] ?? '')} and ran none of its scripts. It is not fetched again by itself.`,
    );
  }
  const entry = entryOf(context, run);
  const text = withServer(readFileSync(fileOf(folder), 'utf8'), name, entry);
  const allowed = parse(text, folder);
  const missing = (entry.secrets ?? []).filter((variable) => folder.secret(name, variable) === undefined);
  if (missing.length > 0)
    throw new CliError(EXIT.usage, `first: npx passepartout runner secret ${name} ${printable(missing.join(' '))}`);
  const offer = await tryServer(context, folder, allowed, name);
  writeFileSync(fileOf(folder), text, { mode: 0o600 });
  terminal.remark(`It stands in ${printable(fileOf(folder))}; nobody else can change that.`);
  const stack = buildStack({ url: folder.pairing.url, signer: folder.signer, runner, now: context.now });
  await told(stack.offer(offer));
  const { view, replies, isDone } = await endChange(context, mcpAdd, { server: name, url: runner });
  show(terminal, view, replies.map(shellLines).map(printableLines));
  if (!isDone) return EXIT.failed;
  const accepted = { server: name, offer: offerHash(toolsOf(offer)) };
  const code = (await isYes(context)) ? await runChange(context, mcpAccept, accepted) : EXIT.ok;
  if (!isAtWork(folder)) terminal.remark(`So that calls reach it: npx passepartout runner start ${runner}`);
  return code;
};

const add: LocalPart = {
  form: FORM,
  summary: 'ask a server which tools it offers, and show them; behind -- stands one that this machine starts',
  options: {
    read: { type: 'string', multiple: true, value: 'folder', help: 'add: the server may read it' },
    write: { type: 'string', multiple: true, value: 'folder', help: 'add: the server may read and change it' },
    host: { type: 'string', multiple: true, value: 'name', help: 'add: the server may reach it, by https' },
    secret: { type: 'string', multiple: true, value: 'VARIABLE', help: "add: a secret of this machine's that it gets" },
    env: { type: 'string', multiple: true, value: 'NAME=value', help: 'add: a variable that it gets' },
    machine: { type: 'string', value: 'name', help: 'add: the runner of that name, if several are paired here' },
  },
  run: async (context, [name = '', ...words]) => {
    const [place = ''] = words;
    if (!MCP_SERVER_NAME.test(name) || place === '')
      throw new CliError(EXIT.usage, `usage: npx passepartout mcp add ${FORM}`);
    // One word without a slash is a machine; a program has arguments, or a path.
    if (words.length === 1 && (/^https?:/.test(place) || !place.includes('/')))
      return runChange(context, mcpAdd, { server: name, url: place });
    return addHere(context, name, words);
  },
};

/** Takes it out of the files of this machine too. */
const remove: LocalPart = {
  form: '<server>',
  summary: mcpRemove.summary,
  run: async (context, [name = '', ...more]) => {
    if (!MCP_SERVER_NAME.test(name) || more.length > 0)
      throw new CliError(EXIT.usage, 'usage: npx passepartout mcp remove <server>');
    const code = await runChange(context, mcpRemove, { server: name });
    if (code !== EXIT.ok || context.text('stack') !== undefined) return code;
    for (const runner of listRunnerNames(context.env)) {
      const folder = openRunnerFolder(context.env, runner);
      const before = readFileSync(fileOf(folder), 'utf8');
      const text = withServer(before, name, undefined);
      if (text === before || !parse(before, folder).servers.some((one) => one.name === name)) continue;
      writeFileSync(fileOf(folder), text, { mode: 0o600 });
      for (const path of [folder.package(name), join(folder.path, 'secrets', name)])
        if (existsSync(path)) rmSync(path, { recursive: true });
      context.terminal.remark(`${name} is gone from ${printable(fileOf(folder))} too.`);
    }
    return code;
  },
};

export const mcpParts: LocalParts = { add, remove };
