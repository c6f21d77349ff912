/**
 * Reads the file of a runbook, and names everything that is wrong with it at once, each with its
 * line: the form, tools it does not list, names of steps and inputs that do not exist or come
 * later, templates that are no path. With a sandbox it also checks that every expression parses.
 * Pure; needs the package `yaml`.
 */

import { sayMeant } from '../../core/base/distance.ts';
import { type FileProblem, hiddenProblems, inLineOrder } from '../../core/base/file-problem.ts';
import type { Json } from '../../core/base/json.ts';
import { type Read, readYaml } from '../../core/base/read-yaml.ts';
import type { Sandbox } from '../../core/sandbox/sandbox.ts';
import { findTemplates } from '../../core/text/template.ts';
import type { CheckRunbook } from '../skills/skill-files.ts';
import { buildSteps, type FilePath, readDuration, type Tell } from './build-steps.ts';
import { expressionProblem, findNames } from './expression.ts';
import { WEBHOOK_TOOL } from './read-result.ts';
import type { Runbook } from './runbook.ts';
import {
  RUN_TIME_LIMIT_MS_DEFAULT,
  RUNBOOK_CHARS_MAX,
  RUNBOOK_STEPS_MAX,
  RunbookFile,
  StepFile,
} from './runbook-file.ts';

export type ParsedRunbook =
  | { readonly kind: 'runbook'; readonly runbook: Runbook }
  | { readonly kind: 'problems'; readonly problems: readonly FileProblem[] };

const STARTS_RUNS = 'run-runbook';
/** Tools that no runbook may use: a run would start runs, or answer for the model. */
const TOOLS_OF_OTHERS: ReadonlySet<string> = new Set([STARTS_RUNS, 'ask-person', 'give-answer']);

/** `steps` of a job may start a run, as they always could: a person is asked each time. */
export type RunbookSource = 'file' | 'steps';

interface PlacedStep {
  readonly step: StepFile;
  readonly path: FilePath;
  /** It is performed for the entries of an `each`. */
  readonly isInEach: boolean;
}

const placedSteps = (steps: readonly StepFile[], path: FilePath, isInEach: boolean): readonly PlacedStep[] =>
  steps.flatMap((step, index) => {
    const here = [...path, index];
    return [{ step, path: here, isInEach }, ...placedSteps(step.steps ?? [], [...here, 'steps'], true)];
  });

const checkIds = (placed: readonly PlacedStep[], tell: Tell): void => {
  const ids = placed.map(({ step }) => step.id);
  if (placed.length > RUNBOOK_STEPS_MAX)
    tell(['steps'], `it has ${placed.length} steps, and ${RUNBOOK_STEPS_MAX} are allowed`);
  for (const [index, { path }] of placed.entries()) {
    const id = ids[index];
    if (id !== undefined && ids.indexOf(id) < index) tell([...path, 'id'], `there are two steps ${id}`);
  }
};

const checkTools = (
  placed: readonly PlacedStep[],
  { tools = [] }: RunbookFile,
  source: RunbookSource,
  tell: Tell,
): void => {
  for (const [index, tool] of tools.entries())
    if (TOOLS_OF_OTHERS.has(tool) && !(source === 'steps' && tool === STARTS_RUNS))
      tell(['tools', index], `a runbook may not use the tool ${tool}`);
  for (const { step, path } of placed) {
    for (const [part, at] of [
      [step, path],
      [step.undo ?? {}, [...path, 'undo']],
    ] as const) {
      const tool = part.webhook === undefined ? part.tool : WEBHOOK_TOOL;
      if (tool !== undefined && !tools.includes(tool)) tell(at, `it uses ${tool}, which tools does not list`);
    }
  }
};

interface KnownNames {
  readonly inputs: readonly string[];
  readonly before: readonly string[];
  readonly all: readonly string[];
  readonly isInEach: boolean;
}

/** A fault of a path that a template or an expression names; undefined if it is fine. */
const nameProblem = (path: string, { inputs, before, all, isInEach }: KnownNames): string | undefined => {
  const [holder = '', name = ''] = path.split('.');
  if (holder === 'event') return undefined;
  if (holder === 'item') return isInEach ? undefined : 'it names item, which only the steps of an each know';
  if (holder === 'inputs')
    return inputs.includes(name) ? undefined : `there is no input ${name}${sayMeant(name, inputs)}`;
  if (holder !== 'steps')
    return `it names ${holder}; it may name inputs, steps, item and event${sayMeant(holder, ['inputs', 'steps'])}`;
  if (before.includes(name)) return undefined;
  if (all.includes(name)) return `the step ${name} has not been done yet at this place`;
  return `there is no step ${name}${sayMeant(name, before)}`;
};

const checkTemplates = (value: Json, path: FilePath, known: KnownNames, tell: Tell): void => {
  const { paths, bad } = findTemplates(value);
  for (const one of bad) tell(path, `${one} is no template: write {{ and }} around a path such as inputs.service`);
  for (const one of paths) {
    const problem = nameProblem(one, known);
    if (problem !== undefined) tell(path, problem);
  }
};

const checkExpression = (text: string, path: FilePath, known: KnownNames, tell: Tell, sandbox?: Sandbox): void => {
  const broken = sandbox && expressionProblem(sandbox, text);
  if (broken !== undefined) tell(path, `the expression ${broken}`);
  if (/\{\{/.test(text)) tell(path, 'an expression takes no templates: write inputs.service, without {{ and }}');
  for (const one of findNames(text)) {
    const problem = nameProblem(one, known);
    if (problem !== undefined) tell(path, problem);
  }
};

const TEMPLATE_FIELDS = ['ask', 'webhook', 'body', 'args', 'text', 'model', 'with'] as const;

const checkStep = ({ step, path }: PlacedStep, known: KnownNames, tell: Tell, sandbox?: Sandbox): void => {
  for (const field of ['if', 'each'] as const) {
    const text = step[field];
    if (text !== undefined) checkExpression(text, [...path, field], known, tell, sandbox);
  }
  for (const field of TEMPLATE_FIELDS) {
    const value = step[field];
    if (value !== undefined) checkTemplates(value, [...path, field], known, tell);
  }
  const { body: ownBody = {}, args: ownArgs = {}, undo = {} } = step;
  const named = findTemplates([ownBody, ownArgs, undo.body ?? {}, undo.args ?? {}]).paths;
  for (const one of Object.keys(step.shape ?? {}))
    if (!/^(?:steps|item)\b/.test(one) || !named.includes(one))
      tell([...path, 'shape'], `this step puts in no {{${one}}}: a shape is for a value of an answer, or for item`);
  const own = step.id === undefined ? known : { ...known, before: [...known.before, step.id] };
  const { webhook, body, args } = step.undo ?? {};
  for (const value of [webhook, body, args])
    if (value !== undefined) checkTemplates(value, [...path, 'undo'], own, tell);
};

const checkNames = (placed: readonly PlacedStep[], file: RunbookFile, tell: Tell, sandbox?: Sandbox): void => {
  const idsOf = (some: readonly PlacedStep[]) => some.flatMap(({ step }) => step.id ?? []);
  const inputs = Object.keys(file.inputs ?? {});
  const all = idsOf(placed);
  for (const [index, one] of placed.entries()) {
    const known = { inputs, all, before: idsOf(placed.slice(0, index)), isInEach: one.isInEach };
    checkStep(one, known, tell, sandbox);
  }
};

const buildRunbook = (file: RunbookFile, tell: Tell): Runbook => ({
  name: file.name,
  description: file.description.trim(),
  inputs: Object.entries(file.inputs ?? {}).map(([name, { meaning, default: given }]) => ({
    name,
    meaning,
    default: given === undefined ? undefined : String(given),
  })),
  timeLimitMs: readDuration(file['time-limit'], ['time-limit'], RUN_TIME_LIMIT_MS_DEFAULT, tell),
  tools: file.tools ?? [],
  steps: buildSteps(file.steps, ['steps'], '', tell),
});

/** A default may be taken from the event alone. */
const checkDefaults = ({ inputs = {} }: RunbookFile, tell: Tell): void => {
  for (const [name, { default: given }] of Object.entries(inputs)) {
    const { paths, bad } = findTemplates(given ?? '');
    if (bad.length > 0 || !paths.every((path) => path.startsWith('event.')))
      tell(['inputs', name], 'a default may name parts of the event only, such as {{event.body.version}}');
  }
};

const MEMBERS = [RunbookFile, StepFile].flatMap(({ shape }) => Object.keys(shape));

const readFile = (file: string, text: string): Read<RunbookFile> =>
  text.length > RUNBOOK_CHARS_MAX
    ? {
        kind: 'problems',
        problems: [{ file, problem: `it has ${text.length} characters, and ${RUNBOOK_CHARS_MAX} are allowed` }],
      }
    : readYaml({ file, text, linesBefore: 0 }, RunbookFile, MEMBERS);

/** Only a text of the right form can be looked at further. */
const LATER = 'its names, tools, templates and expressions are checked once the form is right';

/** @param sandbox checks that expressions parse; needless for a text checked before */
export const parseRunbook = (
  file: string,
  text: string,
  sandbox?: Sandbox,
  source: RunbookSource = 'file',
): ParsedRunbook => {
  const read = readFile(file, text);
  const hidden = hiddenProblems(file, text);
  if (read.kind === 'problems')
    return { kind: 'problems', problems: [...inLineOrder([...read.problems, ...hidden]), { file, problem: LATER }] };
  const problems: FileProblem[] = [...hidden];
  const tell: Tell = (path, problem) => problems.push({ file, line: read.lineOf(path), problem });
  const placed = placedSteps(read.value.steps, ['steps'], false);
  const runbook = buildRunbook(read.value, tell);
  checkDefaults(read.value, tell);
  checkIds(placed, tell);
  checkTools(placed, read.value, source, tell);
  checkNames(placed, read.value, tell, sandbox);
  return problems.length > 0 ? { kind: 'problems', problems: inLineOrder(problems) } : { kind: 'runbook', runbook };
};

export const checkRunbook: CheckRunbook = (file, text, sandbox) => {
  const parsed = parseRunbook(file, text, sandbox);
  return parsed.kind === 'problems' ? parsed.problems : [];
};
