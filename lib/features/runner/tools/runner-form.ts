/**
 * The forms of the tools that a runner performs: they name the runner and give each path its one
 * spelling before the first gate (I4), say which runner is missing, and show the call on its card.
 */

import { hash } from 'node:crypto';
import { ProtocolError } from '../../../core/base/errors.ts';
import type { JsonObject } from '../../../core/base/json.ts';
import { CLASS_WORDS } from '../../../core/gates/rules/command-class.ts';
import { normaliseName } from '../../../core/signal/action.ts';
import { type RunnerToolName, SKILL_FOLDER } from '../../../core/signal/runner-tools.ts';
import type { TurnRecords } from '../../../core/store/turn-records.ts';
import { canonicalPath } from '../../../core/text/path-canonical.ts';
import { argumentProblems } from '../../../core/tools/argument-problems.ts';
import { type Mark, UNMARKED } from '../../../core/tools/marks.ts';
import type { FormContext, RunnerTool, ToolForm } from '../../../core/tools/tool.ts';
import { describeFile, type SkillText, versionOf } from '../../skills/skill-files.ts';
import type { ShownScript } from '../command-problem.ts';
import { nameOnCard, sayOldProgram } from '../describe-runner.ts';
import { type AllowSummary, NO_RUNNERS, type Runner } from '../runners.ts';
import { isInSkill, type OrderFile, orderFiles } from '../skill-folder.ts';
import { unreadProblem, withTexts } from './command-texts.ts';
import { editFile, listFiles, READ_FIRST, readFile, searchFiles, writeFile } from './files.ts';
import { loadShellReader } from './runner-args.ts';
import { shell, shownScripts, unreadFiles } from './shell.ts';

/** Characters of a content that a card shows: with its frame they fit one message. */
const CONTENT_SHOWN_CHARS = 2_000;

/** The one that is named, else the only one that could do it. */
const findRunner = ({ runner }: JsonObject, { runners: { runners } = NO_RUNNERS }: TurnRecords): Runner | undefined => {
  if (typeof runner === 'string') return runners.find(({ name }) => name === normaliseName(runner));
  const ready = runners.filter(({ isPaused }) => !isPaused);
  const [only, ...others] = ready.length > 0 ? ready : runners;
  return others.length === 0 ? only : undefined;
};

/** The base of relative paths: the first folder that may be written, else the first to read. */
const baseOf = ({ read, write, home }: AllowSummary): string => write[0] ?? read[0] ?? home;

/** @returns undefined for a path without a canonical form, such as `~somebody/x` */
const absolutePath = (path: string, allow: AllowSummary): string | undefined => {
  const canonical = canonicalPath(path);
  if (canonical === undefined || canonical.startsWith('/')) return canonical;
  if (/^~[^/]/.test(canonical)) return undefined;
  return canonicalPath(
    canonical.startsWith('~') ? `${allow.home}${canonical.slice(1)}` : `${baseOf(allow)}/${canonical}`,
  );
};

type PathField = 'folder' | 'path';

const pathOf = (args: JsonObject, field: PathField, allow: AllowSummary): string | undefined => {
  const given = args[field] ?? (field === 'folder' ? '.' : undefined);
  return typeof given === 'string' ? absolutePath(given, allow) : undefined;
};

const runnerProblem = (args: JsonObject, records: TurnRecords): string | undefined => {
  const { runners } = records.runners ?? NO_RUNNERS;
  const names = runners.map(({ name }) => name).join(', ');
  if (runners.length === 0) return 'no machine is paired: the owner pairs one with /runners pair and a name';
  const runner = findRunner(args, records);
  if (runner === undefined)
    return args.runner === undefined
      ? `runner is missing, and several are paired: ${names}`
      : `there is no such runner; paired are ${names}`;
  return runner.isPaused
    ? `${runner.name} is paused; the owner resumes it with /runners resume ${runner.name}`
    : undefined;
};

const problemsOf = async (
  tool: RunnerTool,
  field: PathField,
  args: JsonObject,
  { records, loadReadFile }: FormContext,
) => {
  const problems = argumentProblems(tool, args);
  if (problems.length > 0) return problems;
  const problem = runnerProblem(args, records);
  if (problem !== undefined) return [problem];
  const runner = findRunner(args, records);
  if (runner !== undefined && pathOf(args, field, runner.allow) === undefined)
    return [`${field} has no canonical form; give it from / or from ~/`];
  if (tool === shell && runner !== undefined) return commandProblems(args, runner, loadReadFile);
  if (tool !== editFile) return [];
  if (args.was === 'nothing') return [`nobody read this file yet: ${READ_FIRST}`];
  return args.find === args.replace ? ['it changes nothing'] : [];
};

const loadClassified = async (args: JsonObject, { home }: Pick<AllowSummary, 'home'>) => {
  const { classifyCommand } = await loadShellReader();
  return classifyCommand(textOf(args.cmd), { folder: textOf(args.folder), home });
};

const commandProblems = async (
  args: JsonObject,
  runner: Runner,
  loadReadFile: FormContext['loadReadFile'],
): Promise<readonly string[]> => {
  const { programProblem, scriptProblem } = await loadShellReader();
  const classified = await loadClassified(args, runner.allow);
  const problem =
    skillProblem(args, runner) ||
    programProblem(classified, runner.allow) ||
    scriptProblem(classified.scripts, shownScripts(args)) ||
    (loadReadFile === undefined ? '' : await unreadProblem(args, runner, loadReadFile));
  return problem === '' ? [] : [problem];
};

/** @returns empty if the call names no skill, or one whose files this machine can lay out */
const skillProblem = (args: JsonObject, { name, seenAt, takesFiles }: Runner): string => {
  if (args.skill === undefined) return '';
  if (orderFiles(args).length === 0) return `there is no added skill ${textOf(args.skill)} whose files can be read`;
  return seenAt === undefined || takesFiles === true ? '' : sayOldProgram(name);
};

interface SkillForOrder {
  readonly files: readonly OrderFile[];
  readonly texts: readonly SkillText[];
}

/** @returns undefined if there is no such skill; then the call has a problem */
const loadForOrder = async (skill: string, { loadLookups }: FormContext): Promise<SkillForOrder | undefined> => {
  try {
    const whole = await (await loadLookups?.())?.readSkill?.(skill);
    return whole && { files: [...whole.files.map(describeFile), ...whole.machineFiles], texts: whole.files };
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
};

/** The scripts and files of a command. Those of its skill are read here, others by the turn. */
const withFiles = async (args: JsonObject, runner: Runner, context: FormContext): Promise<JsonObject> => {
  const { loadReadFile, loadLookups } = context;
  // At the last mile nothing is read: what was asked about stays as it is.
  if (typeof args.skill !== 'string' || loadLookups === undefined) return withTexts(args, runner, loadReadFile);
  const { files: _given, ...rest } = args;
  const found = await loadForOrder(args.skill, context);
  const readFile: typeof loadReadFile = async (machine, path) => {
    if (!isInSkill(path)) return loadReadFile?.(machine, path);
    const text = found?.texts.find((one) => `${SKILL_FOLDER}/${one.path}` === path)?.text;
    return text === undefined ? undefined : { sha256: hash('sha256', text), text };
  };
  const whole = found === undefined ? rest : { ...rest, files: found.files.map((file) => ({ ...file })) };
  return withTexts(whole, runner, readFile);
};

/** The file as this turn read it. A step of a runbook reads nothing, and its card says so. */
const withBefore = async (args: JsonObject, { records, loadReadFile }: FormContext): Promise<JsonObject> => {
  const runner = findRunner(args, records);
  if (runner === undefined || loadReadFile === undefined || typeof args.path !== 'string') return args;
  const read = await loadReadFile(runner.name, args.path);
  return { ...args, was: typeof read === 'object' ? read.sha256 : 'nothing' };
};

const completed = (args: JsonObject, field: PathField, { records }: FormContext): JsonObject => {
  const runner = findRunner(args, records);
  if (runner === undefined) return args;
  const path = pathOf(args, field, runner.allow);
  return { ...args, runner: runner.name, ...(path === undefined ? {} : { [field]: path }) };
};

const buildForm = (
  tool: RunnerTool,
  field: PathField,
  describe: (args: JsonObject, context: FormContext, mark: Mark) => readonly string[] | Promise<readonly string[]>,
): ToolForm => ({
  complete: async (args, context) => {
    const whole = completed(args, field, context);
    if (tool === writeFile || tool === editFile) return withBefore(whole, context);
    const runner = findRunner(args, context.records);
    return tool !== shell || runner === undefined ? whole : withFiles(whole, runner, context);
  },
  findProblems: async (args, context) => problemsOf(tool, field, args, context),
  describe: async (args, context, mark = UNMARKED) => {
    const runner = findRunner(args, context.records);
    const name = runner === undefined ? textOf(args.runner) : nameOnCard(runner, context.now);
    return [...(await describe(args, context, mark)), `On your machine: ${name}`];
  },
});

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const numbered = (line: string, index: number): string => `${String(index + 1).padStart(4)} | ${line}`;

/** Whole lines from the beginning, and how many are left out. */
const beginningOf = (text: string): readonly string[] => {
  const lines = text.split('\n').map(numbered);
  let chars = 0;
  const shown = lines.filter((line) => {
    chars += line.length + 1;
    return chars <= CONTENT_SHOWN_CHARS;
  });
  const left = lines.length - shown.length;
  return left === 0
    ? shown
    : [...shown, `… and ${left} more lines, which are not shown. The hash is that of the whole.`];
};

const describeText = ({ path, sha256, begins }: ShownScript, isLauncher: boolean, mark: Mark): readonly string[] => {
  const lines = begins === '' ? [] : begins.trimEnd().split('\n').map(numbered);
  const bound = `SHA-256 ${sha256}. Only this file is bound, not what it loads or calls.`;
  const heading = isLauncher ? 'Of it this would run:' : 'It begins:';
  return [
    mark(`Runs ${isLauncher ? 'what this file says' : 'the script'}: ${path}`),
    lines.length === 0 ? bound : `${bound} ${heading}`,
    ...lines,
  ];
};

/** The version is the one of the skill's own card, which named each file. */
const describeFiles = (args: JsonObject): readonly string[] => {
  const files = orderFiles(args);
  if (files.length === 0) return [];
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return [
    `Finds the files of the skill ${textOf(args.skill)} in ${SKILL_FOLDER}, read-only: ${files.length}, with ${bytes} bytes, version ${versionOf(files)}`,
  ];
};

/** The losses stand first. They and code that the card shows only in part are marked. */
const describeCommand = async (args: JsonObject, { records }: FormContext, mark: Mark): Promise<readonly string[]> => {
  const { cmd, folder, seconds } = args;
  const { home = '/', hasNetwork } = findRunner(args, records)?.allow ?? {};
  const { class: found, destroys, because, lost } = await loadClassified(args, { home });
  const { isLauncherFile } = await loadShellReader();
  const unread = unreadFiles(args);
  const lines = textOf(cmd).split('\n');
  return [
    ...(destroys ? [mark(`You would lose: ${lost.join('; ') || 'nobody can say what'}`)] : []),
    `Class: ${[CLASS_WORDS[found], because.join('; ')].filter((part) => part !== '').join(': ')}`,
    ...(lines.length === 1 ? [`Command: ${lines.join('')}`] : ['Command:', ...lines.map(numbered)]),
    ...shownScripts(args).flatMap((one) => describeText(one, isLauncherFile(one.path), mark)),
    ...(unread.length === 0 ? [] : [mark(`Runs whatever these files say when it runs: ${unread.join(', ')}`)]),
    ...(found === 'unseen'
      ? [mark(`Held by the sandbox: the folders of runner.yaml and ${hasNetwork ? 'the network' : 'no network'}`)]
      : []),
    ...describeFiles(args),
    `In the folder: ${textOf(folder)}`,
    ...(typeof seconds === 'number' ? [`For at most ${seconds} seconds`] : []),
  ];
};

const beforeLine = (was: unknown): string => {
  if (was === undefined) return 'Whatever is in it by then is replaced.';
  return was === 'nothing'
    ? 'It must not be there yet: else nothing is written.'
    : `It must still be as it was read, SHA-256 ${textOf(was)}: else nothing is written.`;
};

const describeWrite = ({ path, content, was }: JsonObject): readonly string[] => {
  const text = textOf(content);
  return [
    `Writes the file: ${textOf(path)}`,
    beforeLine(was),
    `${Buffer.byteLength(text)} bytes, SHA-256 ${hash('sha256', text)}:`,
    ...beginningOf(text),
  ];
};

const describeEdit = ({ path, find, replace, was }: JsonObject): readonly string[] => [
  `Changes the file: ${textOf(path)}`,
  ...(was === undefined ? [] : [beforeLine(was)]),
  ...textOf(find)
    .split('\n')
    .map((line) => `- ${line}`),
  ...(replace === ''
    ? []
    : textOf(replace)
        .split('\n')
        .map((line) => `+ ${line}`)),
];

const describeRead = ({ path, from, lines }: JsonObject): readonly string[] => [
  `Reads the file: ${textOf(path)}`,
  ...(from === undefined && lines === undefined
    ? []
    : [`From line ${from ?? 1}${lines === undefined ? '' : `, ${lines} lines`}`]),
];

export const RUNNER_FORMS: Readonly<Record<RunnerToolName, ToolForm>> = {
  shell: buildForm(shell, 'folder', describeCommand),
  'read-file': buildForm(readFile, 'path', describeRead),
  'write-file': buildForm(writeFile, 'path', describeWrite),
  'edit-file': buildForm(editFile, 'path', describeEdit),
  'list-files': buildForm(listFiles, 'path', ({ path }) => [`Lists the folder: ${textOf(path)}`]),
  'search-files': buildForm(searchFiles, 'path', ({ path, pattern }) => [
    `Searches below: ${textOf(path)}`,
    `For the pattern: ${textOf(pattern)}`,
  ]),
};
