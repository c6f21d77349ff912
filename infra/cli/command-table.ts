/** Every command, in the order of the help. Each is loaded when it is named. */

import { parseArgs } from 'node:util';
import { VERSION } from '../../lib/core/base/version.ts';
import { type Feature, operationsIn } from '../../lib/core/operations/feature.ts';
import type { Operation } from '../../lib/core/operations/operation.ts';
import { type Command, GLOBAL_OPTIONS } from './command.ts';
import { buildCompletion } from './completion.ts';
import { buildCommand, type LocalParts } from './operation-command.ts';
import { EXIT, show, type Terminal } from './terminal.ts';

const version: Command = {
  name: 'version',
  usage: '',
  summary: 'the release of this command; so does --version',
  argCount: [0, 0],
  run: async ({ terminal }) => {
    show(terminal, { version: VERSION }, [VERSION]);
    return EXIT.ok;
  },
};

const LOADERS: Readonly<Record<string, () => Promise<Command>>> = {
  chat: async () => (await import('./commands/chat.ts')).chat,
  send: async () => (await import('./commands/send.ts')).send,
  'seen-by': async () => (await import('../features/notes/command.ts')).seenBy,
  import: async () => (await import('./commands/import.ts')).importCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  notes: async () => (await import('../features/notes/sync-command.ts')).notes,
  models: async () => (await import('./commands/models.ts')).models,
  gates: async () => (await import('./commands/gates.ts')).gates,
  policy: async () => (await import('../features/policy/command.ts')).policy,
  runner: async () => (await import('../runner/command.ts')).runner,
  replay: async () => (await import('./commands/replay.ts')).replay,
  evidence: async () => (await import('./commands/evidence.ts')).evidence,
  verify: async () => (await import('./commands/verify.ts')).verify,
  witness: async () => (await import('../features/witnesses/command.ts')).witness,
  pair: async () => (await import('../features/telegram/command.ts')).pair,
  'connect-telegram': async () => (await import('../features/telegram/command.ts')).connectTelegram,
  'connect-slack': async () => (await import('../features/slack/command.ts')).connectSlack,
  'go-back': async () => (await import('./commands/go-back.ts')).goBack,
  backup: async () => (await import('../features/backup/command.ts')).backup,
  restore: async () => (await import('../features/restore/command.ts')).restore,
  setup: async () => (await import('./commands/setup.ts')).setup,
  service: async () => (await import('./commands/service.ts')).service,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  version: async () => version,
};

/** Nouns with verbs that need this machine; a verb too where several features have some. */
const PARTS: Readonly<Record<string, () => Promise<LocalParts>>> = {
  approvals: async () => (await import('./commands/approvals.ts')).approvalsParts,
  jobs: async () => (await import('../features/jobs/command.ts')).jobsParts,
  runbook: async () => (await import('../features/runbooks/command.ts')).runbookParts,
  hooks: async () => (await import('../features/events/command.ts')).hooksParts,
  provider: async () => (await import('../features/providers/command.ts')).providerParts,
  memory: async () => (await import('../features/notes/command.ts')).memoryParts,
  receipt: async () => (await import('../features/receipts/command.ts')).receiptParts,
  'mcp login': async () => (await import('../features/consent/command.ts')).loginParts,
  'mcp add': async () => (await import('../runner/mcp-command.ts')).mcpParts,
  runners: async () => (await import('../runner/pair-command.ts')).runnersParts,
  resume: async () => (await import('./commands/resume.ts')).resumeParts,
  signals: async () => (await import('./commands/signals.ts')).signalsParts,
  skill: async () => (await import('../features/skills/command.ts')).skillParts,
};

const nounOf = ({ name }: Operation): string => name.split(' ')[0] ?? '';

/** @returns undefined for a word that is no noun of the catalogue */
const loadNoun = async (noun: string, features: readonly Feature[]): Promise<Command | undefined> => {
  const operations = operationsIn(features).filter(
    (one) => nounOf(one) === noun && (one.doors === undefined || one.doors.includes('command-line')),
  );
  if (operations.length === 0) return undefined;
  const summary = features.map(({ nouns = {} }) => nouns[noun]).find((words) => words !== undefined);
  const loads = Object.entries(PARTS).flatMap(([name, load]) => (name.split(' ')[0] === noun ? [load()] : []));
  return buildCommand(noun, operations, Object.assign({}, ...(await Promise.all(loads))), summary);
};

const loadAll = async (features: readonly Feature[]): Promise<readonly Command[]> => {
  const nouns = [...new Set(operationsIn(features).map(nounOf))];
  const made = await Promise.all(nouns.map((noun) => loadNoun(noun, features)));
  const local = await Promise.all(Object.values(LOADERS).map((load) => load()));
  const all: Command[] = [...local, ...made.filter((one) => one !== undefined)];
  all.push(
    buildCompletion(() => all),
    buildHelp(() => all, features),
  );
  return all;
};

/** The command that these words name, or all if they name none or ask for help. */
export const loadCommands = async (
  words: readonly string[],
  given?: readonly Feature[],
): Promise<readonly Command[]> => {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: GLOBAL_OPTIONS,
    allowPositionals: true,
    strict: false,
  });
  const name = positionals[0] ?? '';
  const isHelp = values.help === true || name === 'help';
  const load = !isHelp && Object.hasOwn(LOADERS, name) ? LOADERS[name] : undefined;
  if (load !== undefined) return [await load()];
  const [{ FEATURES }, { CONSOLE_VERBS }] = await Promise.all([
    import('../../lib/features/features.ts'),
    import('../../lib/core/edge/console/console-verbs.ts'),
  ]);
  const features = [...(given ?? FEATURES), CONSOLE_VERBS];
  if (isHelp) return loadAll(features);
  const command = await loadNoun(name, features);
  return command === undefined ? loadAll(features) : [command];
};

const HELP_COLUMNS = 96;

type Say = Terminal['say'];

/** An option of some verbs begins with these, such as `dry-run, run: `. */
const OF_VERBS = /^(?:[a-z-]+(?:, )?)+: /;

const sayHelp = (say: Say, help: string): string => {
  const verbs = say(help) === help ? (OF_VERBS.exec(help)?.[0] ?? '') : '';
  return verbs + say(help.slice(verbs.length));
};

const optionLines = (say: Say, options: NonNullable<Command['options']>, indent: string): readonly string[] =>
  Object.entries(options).map(([name, option]) => {
    const flag = `--${name}${option.value === undefined ? '' : ` <${option.value}>`}`;
    return `${indent}${flag.padEnd(36 - indent.length)}${sayHelp(say, option.help)}`;
  });

/** A long form has its sentence on a line of its own. */
const formLines = (form: string, sentence: string): readonly string[] =>
  form.length > 32 ? [`  ${form}`, `${' '.repeat(36)}${sentence}`] : [`  ${form.padEnd(34)}${sentence}`];

const everywhereLines = (say: Say): readonly string[] => [
  'Everywhere:',
  ...optionLines(say, GLOBAL_OPTIONS, '  '),
  '',
  'Exit codes: 0 done · 1 failed, refused, not reached, or not ended in time · 2 wrong usage or configuration',
  '',
  'The local stack is found through DATA_DIR (default .passepartout); APPROVER_TOKEN wins over',
  'the tokens kept there. Text that starts with "-" goes after "--".',
];

const commandLines = (say: Say, { name, usage, summary, options = {}, verbs = [] }: Command): readonly string[] => [
  `usage: npx passepartout ${`${name} ${verbs.length > 1 ? '…' : usage}`.trim()}`,
  '',
  ...(verbs.length > 1 ? [`${name}: ${say(summary)}`] : [summary]),
  ...(verbs.length > 1 ? verbs.flatMap(([form, sentence]) => formLines(form, say(sentence))) : []),
  ...optionLines(say, options, '      '),
  '',
  ...everywhereLines(say),
];

/** The commands of most days, in this order. */
const EVERYDAY: readonly string[] = [
  ...['chat', 'send', 'signals', 'why', 'approvals', 'approve', 'deny', 'stop', 'resume'],
  ...['jobs', 'memory', 'budget', 'config', 'pair', 'setup', 'doctor', 'backup'],
];

const nameLines = (names: readonly string[]): readonly string[] => {
  const lines: string[] = [];
  for (const name of names) {
    const last = lines.at(-1);
    if (last === undefined || last.length + name.length > HELP_COLUMNS) lines.push(`  ${name}`);
    else lines[lines.length - 1] = `${last}, ${name}`;
  }
  return lines;
};

const helpLines = (say: Say, commands: readonly Command[]): readonly string[] => [
  'usage: npx passepartout <command> [options]     without a command: the chat',
  '',
  ...EVERYDAY.flatMap((name) => commands.find((command) => command.name === name) ?? []).map(
    ({ name, summary }) => `  ${name.padEnd(12)}${say(summary)}`,
  ),
  '',
  '"npx passepartout help <command>" tells all of one. The others:',
  ...nameLines(
    commands
      .map(({ name }) => name)
      .filter((name) => !EVERYDAY.includes(name))
      .sort(),
  ),
  '',
  ...everywhereLines(say),
];

/** Words of a question to the manual. */
const QUESTION_WORDS_MAX = 64;

const buildHelp = (commands: () => readonly Command[], features: readonly Feature[]): Command => ({
  name: 'help',
  usage: '[command | question…]',
  summary: 'this text; what the manual says, as in: help how do I pair a machine',
  argCount: [0, QUESTION_WORDS_MAX],
  run: async ({ args, terminal, language }) => {
    const all = commands();
    const about = all.find(({ name }) => name === args[0]);
    // A command and one of its verbs; more words are a question.
    const isQuestion = args.length > (about === undefined ? 0 : 2);
    const helper = isQuestion ? features.find(({ findHelp }) => findHelp) : undefined;
    const found = (await helper?.findHelp?.(args.join(' '), language?.() ?? 'en')) ?? [];
    const usual = about === undefined ? helpLines(terminal.say, all) : commandLines(terminal.say, about);
    for (const line of found.length > 0 ? found : usual) terminal.line(line);
    return EXIT.ok;
  },
});
