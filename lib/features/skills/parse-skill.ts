/**
 * Reads a skill's files: `SKILL.md` as agentskills.io specifies it, and `passepartout.yaml` beside
 * it. Names every problem at once, with its file and line. Pure; needs the package `yaml`.
 */

import * as z from 'zod/mini';
import { type FileProblem, hiddenProblems } from '../../core/base/file-problem.ts';
import { problemsOf, type Read, readYaml } from '../../core/base/read-yaml.ts';
import type { Sandbox } from '../../core/sandbox/sandbox.ts';
import { RunbookName } from '../../core/signal/runbook-name.ts';
import { RUNBOOK_CHECKS } from '../runbook-checks.ts';
import { type ReadFront, readFrontmatter, type SkillFront } from './front-matter.ts';
import { factProblems } from './mandates.ts';
import type { SkillFile } from './skill-change.ts';
import { Extension, type SkillDefinition, type SkillRunbook } from './skill-definition.ts';
import { EXTENSION_FILE, fileProblems, SKILL_FILE, type SkillText, splitFrontmatter } from './skill-files.ts';
import { jobProblem } from './skill-jobs.ts';
import type { SkillPlace } from './skill-places.ts';
import type { SkillTarget } from './skill-targets.ts';

interface ReadRunbooks {
  readonly runbooks: readonly SkillRunbook[];
  readonly problems: readonly FileProblem[];
}

/** All that a skill says of a runbook: the rest is judged by the feature that performs it. */
const RunbookHead = z.looseObject({ name: RunbookName, description: z.string() });

const readRunbook = (file: string, text: string, sandbox: Sandbox | undefined): Read<z.infer<typeof RunbookHead>> => {
  const problems = RUNBOOK_CHECKS.flatMap((check) => check(file, text, sandbox));
  return problems.length > 0 ? { kind: 'problems', problems } : readYaml({ file, text, linesBefore: 0 }, RunbookHead);
};

/** The runbooks that a skill brings. @param lineOf line of a file's name in `passepartout.yaml` */
const readRunbooks = (
  paths: readonly string[],
  files: readonly SkillText[],
  lineOf: (index: number) => number,
  sandbox?: Sandbox,
): ReadRunbooks => {
  const runbooks: SkillRunbook[] = [];
  const problems: FileProblem[] = [];
  for (const [index, path] of paths.entries()) {
    const tell = (problem: string) => problems.push({ file: EXTENSION_FILE, line: lineOf(index), problem });
    const text = files.find((file) => file.path === path)?.text;
    const read = text === undefined ? undefined : readRunbook(path, text, sandbox);
    if (read === undefined) tell(`there is no file ${path}`);
    else if (read.kind === 'problems') problems.push(...read.problems);
    else {
      const { name, description } = read.value;
      if (runbooks.some((one) => one.name === name)) tell(`there are two runbooks ${name}`);
      runbooks.push({ name, description: description.trim(), file: path });
    }
  }
  return { runbooks, problems };
};

export type ParsedSkill =
  | {
      readonly kind: 'skill';
      readonly definition: SkillDefinition;
      readonly body: string;
      /** Members that are read otherwise than they are written. */
      readonly remarks: readonly FileProblem[];
    }
  | { readonly kind: 'problems'; readonly problems: readonly FileProblem[] };

/** Files that the extension names and that are missing, and names that are used twice. */
const partProblems = (
  { gates, handlers, functions = [], jobs, targets = [], places = [] }: z.infer<typeof Extension>,
  files: readonly SkillText[],
  lineOf: (path: readonly PropertyKey[]) => number,
): readonly FileProblem[] => {
  const lists = { gates, handlers, functions, jobs, targets, places };
  const undescribed = functions.flatMap(({ gives, description, args }, index) => {
    if ((gives === 'tool') === (description !== undefined && args !== undefined)) return [];
    const problem = 'a tool has a description and args, and nothing else has';
    return [{ file: EXTENSION_FILE, line: lineOf(['functions', index]), problem }];
  });
  const named = Object.entries(lists).flatMap(([list, parts]) =>
    parts.flatMap((part, index) => [
      ...('file' in part && !files.some(({ path }) => path === part.file)
        ? [{ file: EXTENSION_FILE, line: lineOf([list, index]), problem: `there is no file ${part.file}` }]
        : []),
      ...(parts.findIndex(({ name }) => name === part.name) === index
        ? []
        : [{ file: EXTENSION_FILE, line: lineOf([list, index]), problem: `${part.name} is named twice in ${list}` }]),
    ]),
  );
  const code = new Set([...gates, ...handlers, ...functions].map(({ file }) => file));
  const hidden = files.filter(({ path }) => code.has(path)).flatMap(({ path, text }) => hiddenProblems(path, text));
  return [...undescribed, ...named, ...hidden];
};

/** The contents of `passepartout.yaml`, if it can be read: other files may be missing here. */
export const readTargets = (
  files: readonly SkillText[],
): { readonly targets: readonly SkillTarget[]; readonly places: readonly SkillPlace[] } => {
  const text = files.find(({ path }) => path === EXTENSION_FILE)?.text ?? '';
  const read = readYaml({ file: EXTENSION_FILE, text, linesBefore: 0 }, Extension);
  const { targets = [], places = [] } = read.kind === 'problems' ? {} : read.value;
  return { targets, places };
};

const readExtension = (files: readonly SkillText[]): Read<z.infer<typeof Extension>> => {
  const text = files.find(({ path }) => path === EXTENSION_FILE)?.text ?? '';
  const read = readYaml({ file: EXTENSION_FILE, text, linesBefore: 0 }, Extension);
  if (read.kind === 'problems') return read;
  const { mandates, settings } = read.value;
  const problems = [
    ...partProblems(read.value, files, read.lineOf),
    ...factProblems(mandates, Object.keys(settings)).map(({ index, problem }) => ({
      file: EXTENSION_FILE,
      line: read.lineOf(['mandates', index]),
      problem,
    })),
  ];
  return problems.length > 0 ? { kind: 'problems', problems } : read;
};

/**
 * @param sandbox checks that expressions of runbooks parse
 * @param machineFiles those without a text, of which only path and size are judged
 */
export const parseSkill = (
  files: readonly SkillText[],
  sandbox?: Sandbox,
  machineFiles: readonly SkillFile[] = [],
): ParsedSkill => {
  const wrong = fileProblems(files, machineFiles);
  const text = files.find(({ path }) => path === SKILL_FILE)?.text;
  if (text === undefined) return { kind: 'problems', problems: wrong };
  const split = splitFrontmatter(text);
  const front: ReadFront = split === undefined ? noFrontmatter(text) : readFrontmatter(split);
  const extension = readExtension(files);
  const listed = runbooksOf(extension, files, sandbox);
  const inFront = front.kind === 'problems' ? front.problems : [];
  const problems = [...wrong, ...inFront, ...problemsOf(extension), ...listed.problems];
  if (problems.length > 0 || front.kind === 'problems' || extension.kind === 'problems')
    return { kind: 'problems', problems };
  const definition = join(front.front, extension.value, listed.runbooks);
  const problem = jobProblem(definition);
  if (problem !== undefined)
    return { kind: 'problems', problems: [{ file: EXTENSION_FILE, line: extension.lineOf(['jobs']), problem }] };
  return { kind: 'skill', definition, body: split?.body ?? '', remarks: front.remarks };
};

const runbooksOf = (
  extension: Read<z.infer<typeof Extension>>,
  files: readonly SkillText[],
  sandbox: Sandbox | undefined,
): ReadRunbooks => {
  if (extension.kind === 'problems') return { runbooks: [], problems: [] };
  return readRunbooks(extension.value.runbooks ?? [], files, (index) => extension.lineOf(['runbooks', index]), sandbox);
};

const noFrontmatter = (text: string): ReadFront => {
  const problem = /^\s*---[ \t]*\r?\n/.test(text)
    ? 'its block of YAML never ends: write a line "---" below it'
    : 'it must begin with a block of YAML between two lines "---"';
  return { kind: 'problems', problems: [{ file: SKILL_FILE, line: 1, problem }] };
};

const join = (
  front: SkillFront,
  { runbooks: _files, ...extension }: z.infer<typeof Extension>,
  runbooks: readonly SkillRunbook[],
): SkillDefinition => ({ ...front, ...extension, ...(runbooks.length === 0 ? {} : { runbooks: [...runbooks] }) });
