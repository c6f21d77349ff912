/**
 * This machine's own judgement of an order, by the gates of the cloud, on facts made from its own
 * allow-file; then all paths again where they really lead.
 */
import { hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ProtocolError } from '../../lib/core/base/errors.ts';
import type { JsonObject } from '../../lib/core/base/json.ts';
import { NEVER_GRANTED } from '../../lib/core/gates/rules/approval-fitness.ts';
import { checkCommandClass } from '../../lib/core/gates/rules/command-class.ts';
import { checkConfinement } from '../../lib/core/gates/rules/confinement.ts';
import { checkSecretPaths } from '../../lib/core/gates/rules/secret-paths.ts';
import { checkShellSafety } from '../../lib/core/gates/rules/shell-safety.ts';
import type { Action } from '../../lib/core/signal/action.ts';
import { FACT_DEFAULTS, type Facts, type ShellFacts } from '../../lib/core/signal/facts.ts';
import { RUNNER_TOOLS, type RunnerToolName, SKILL_FOLDER } from '../../lib/core/signal/runner-tools.ts';
import { argumentProblems } from '../../lib/core/tools/argument-problems.ts';
import type { RunnerTool } from '../../lib/core/tools/tool.ts';
import { programProblem, type ShownScript, scriptProblem } from '../../lib/features/runner/command-problem.ts';
import type { Order } from '../../lib/features/runner/order.ts';
import { classifyCommand } from '../../lib/features/runner/shell/classify-command.ts';
import type { Launch } from '../../lib/features/runner/shell/launchers.ts';
import { shellFactsOf } from '../../lib/features/runner/shell-facts.ts';
import { isInSkill, orderFileAt, orderFiles, skillRoots } from '../../lib/features/runner/skill-folder.ts';
import { editFile, listFiles, readFile, searchFiles, writeFile } from '../../lib/features/runner/tools/files.ts';
import { shell, shownScripts } from '../../lib/features/runner/tools/shell.ts';
import type { Allowed } from './allow-file.ts';
import { FILE_BYTES_MAX } from './check-content.ts';
import { readTree } from './folder-tree.ts';
import { findGitPrograms } from './git-programs.ts';

/** Follows the links of a path's longest existing part. @param path canonical and absolute */
const resolvePath = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(resolvePath(parent), basename(path));
  }
};

const TOOLS: Readonly<Record<RunnerToolName, RunnerTool>> = {
  shell,
  'read-file': readFile,
  'write-file': writeFile,
  'edit-file': editFile,
  'list-files': listFiles,
  'search-files': searchFiles,
};

export type JudgedOrder =
  | { readonly kind: 'refused'; readonly why: string }
  /** Paths in the arguments lead there without symbolic links. */
  | {
      readonly kind: 'permitted';
      readonly tool: RunnerToolName;
      readonly args: JsonObject;
      readonly isReading: boolean;
      /** Files whose text the command runs: these bytes run, whatever the disk holds by then. */
      readonly scripts: readonly Script[];
    };

const GATES = [
  ['shell-safety', checkShellSafety],
  ['command-class', checkCommandClass],
  ['secret-paths', checkSecretPaths],
  ['confinement', checkConfinement],
] as const;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The programs that git would run in the folders of this machine, for a command that runs git. */
const gitProgramsOf = ({ programs, class: found }: ShellFacts, { read, write }: Allowed) =>
  /^(?:reads|changes|destroys)$/.test(found ?? '') && programs?.some((name) => /^git\b/.test(name)) === true
    ? findGitPrograms([...read, ...write].map((root) => readTree(root, new Map())))
    : undefined;

const BY_REPOSITORY = 'a repository here names programs that git would run';

/** A command of git that changes something is unseen code, if a repository names programs. */
const asRepositoriesAre = (facts: ShellFacts, allowed: Allowed): ShellFacts =>
  facts.class !== 'reads' && gitProgramsOf(facts, allowed)?.isAny === true
    ? { ...facts, class: 'unseen', because: [BY_REPOSITORY] }
    : facts;

const factsOf = (args: JsonObject, home: string): ShellFacts => {
  const facts = shellFactsOf(textOf(args.cmd), { folder: textOf(args.folder), home });
  // These bytes are laid over their files, so each must be one that the command may read.
  return { ...facts, reads: [...(facts.reads ?? []), ...shownScripts(args).map(({ path }) => path)] };
};

/** A script that a command runs, as it is on this disk now. */
interface Script {
  /** Without symbolic links. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly mode: number;
}

/** @throws the disk's error */
const readScript = (path: string): Script => {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile() || stats.size > FILE_BYTES_MAX) throw new ProtocolError('it is no file, or too large');
    return { path, bytes: readFileSync(fd), mode: stats.mode & 0o777 };
  } finally {
    closeSync(fd);
  }
};

const namesIn = (folder: string, args: JsonObject): readonly string[] =>
  isInSkill(`${folder}/`)
    ? orderFiles(args).flatMap(({ path }) => (dirname(`${SKILL_FOLDER}/${path}`) === folder ? [basename(path)] : []))
    : readdirSync(folder);

/** A file that the program would take in place of the one that was shown. */
const findInstead = (
  { file, instead }: Launch,
  shown: readonly ShownScript[],
  args: JsonObject,
): string | undefined => {
  if (!shown.some(({ path }) => path === file)) return undefined;
  // Names as the disk spells them: some systems open `Makefile` for `makefile`.
  return namesIn(dirname(file), args).find((name) => instead.includes(name));
};

/**
 * The scripts of a command, and the files of its launchers, if they are the very bytes that its
 * card showed; else why not.
 */
const findScripts = (args: JsonObject, home: string): readonly Script[] | string => {
  const { scripts: own, launches } = classifyCommand(textOf(args.cmd), { folder: textOf(args.folder), home });
  const shown = shownScripts(args);
  const problem = scriptProblem(own, shown);
  if (problem !== '') return problem;
  const other = launches.map((launch) => findInstead(launch, shown, args)).find((name) => name !== undefined);
  if (other !== undefined) return `${other} stands beside the file that was shown, and would run in its place`;
  const scripts: Script[] = [];
  for (const path of new Set([...own, ...shown.map((one) => one.path)])) {
    if (isInSkill(path)) {
      // Its bytes come from the skill's files, each compared with its hash before the run.
      const { sha256 } = orderFileAt(args, path) ?? {};
      if (sha256 === undefined || shown.some((one) => one.path === path && one.sha256 !== sha256))
        return `${path} is no file of the skill, or another than was shown`;
      continue;
    }
    try {
      const script = readScript(resolvePath(path));
      const sha256 = hash('sha256', script.bytes);
      if (shown.some((one) => one.path === path && one.sha256 !== sha256))
        return `${path} was changed after it was shown: ask for the command again`;
      scripts.push(script);
    } catch {
      return `${path} cannot be read`;
    }
  }
  return scripts;
};

const buildFacts = ({ action, actionHash, space, runner }: Order, allowed: Allowed, now: number): Facts => {
  const { home, read, write, programs, hasNetwork } = allowed;
  const tool = TOOLS[toolOf(action)];
  const judged = tool.name === 'shell' ? factsOf(action.args ?? {}, home) : null;
  const shellFacts = judged && asRepositoriesAre(judged, allowed);
  return {
    ...FACT_DEFAULTS,
    schemaVersion: 1,
    stage: 'act',
    now,
    space,
    actionHash,
    // Unseen code may pass without consent only where it cannot leave this machine.
    tier: 'allow',
    // The cloud knows no repository, so none of its rules answered for what they name.
    ...(shellFacts === judged && { isCommandNamed: true }),
    origin: 'agent',
    policyVersion: '',
    policyReason: 'runner.yaml',
    effects: tool.effects ?? {},
    shell: shellFacts,
    runner: {
      name: runner,
      isPaired: true,
      isPaused: false,
      home,
      read: [...read, ...skillRoots(action.args ?? {})],
      write: [...write],
      programs: [...programs],
      hasNetwork,
    },
  };
};

/** Only calls of these tools are judged: `run-order.ts` ignores all else. */
const toolOf = ({ tool }: Action): RunnerToolName => RUNNER_TOOLS.find((name) => name === tool) ?? 'shell';

/**
 * @param asked adds the gates that ask. @returns why it stops: at the last mile a change does too
 */
const gateProblem = (action: Action, facts: Facts, consent: Order['consent'], asked: Set<string>): string => {
  for (const [name, gate] of GATES) {
    const verdict = gate(action, facts);
    if (verdict.verdict === 'block') return verdict.reason;
    if (verdict.verdict === 'modify') return 'a path is not in its one spelling';
    if (verdict.verdict !== 'ask') continue;
    if (consent === undefined) return `${verdict.reason}; nobody consented`;
    if (NEVER_GRANTED.has(name) && consent.kind !== 'approval')
      return `${verdict.reason}; only a yes to this very call answers that, and it came by a grant`;
    asked.add(name);
  }
  return '';
};

const PATHS = ['path', 'folder'] as const;

/** The same action and facts with every path where it really leads. */
const resolved = (action: Action, facts: Facts): { readonly action: Action; readonly facts: Facts } => {
  const args = { ...action.args };
  for (const name of PATHS) {
    const value = args[name];
    if (typeof value === 'string') args[name] = resolvePath(value);
  }
  const { shell: judged } = facts;
  const real = (paths: readonly string[] = []): string[] => paths.map(resolvePath);
  const shellFacts = judged && { ...judged, reads: real(judged.reads), writes: real(judged.writes) };
  return { action: { ...action, args }, facts: { ...facts, shell: shellFacts } };
};

/** Judges the paths as they are written, which is what a card shows, and where they really lead. */
const judgeBoth = (action: Action, facts: Facts, consent: Order['consent']): string => {
  const [asked, askedOfReal] = [new Set<string>(), new Set<string>()];
  const real = resolved(action, facts);
  const problem =
    gateProblem(action, facts, consent, asked) || gateProblem(real.action, real.facts, consent, askedOfReal);
  if (problem !== '' || [...askedOfReal].every((name) => asked.has(name))) return problem;
  return 'its path is a link to a file that a person is asked about each time: name that file itself';
};

const READING: readonly RunnerToolName[] = ['read-file', 'list-files', 'search-files'];

export const judgeOrder = (job: Order, allowed: Allowed, now: number): JudgedOrder => {
  const { action } = job;
  const name = toolOf(action);
  const problems = argumentProblems(TOOLS[name], action.args ?? {});
  if (problems.length > 0) return { kind: 'refused', why: problems.join('; ') };
  const facts = buildFacts(job, allowed, now);
  const isReading = READING.includes(name) || facts.shell?.class === 'reads';
  const { class: found, programs = [] } = facts.shell ?? {};
  const why =
    (found === undefined ? '' : programProblem({ class: found, programs }, allowed)) ||
    judgeBoth(action, facts, job.consent);
  if (why !== '') return { kind: 'refused', why };
  if (isReading && facts.shell !== null && gitProgramsOf(facts.shell, allowed)?.hasIncludes === true)
    return {
      kind: 'refused',
      why: 'a configuration of git here includes another, or cannot be read: it may name programs',
    };
  const scripts = facts.shell === null ? [] : findScripts(action.args ?? {}, allowed.home);
  if (typeof scripts === 'string') return { kind: 'refused', why: scripts };
  return { kind: 'permitted', tool: name, args: resolved(action, facts).action.args ?? {}, isReading, scripts };
};
