/**
 * `setup`: tries each value as soon as it is typed, writes `.env`, and ends with a real answer.
 * With --stack it stores live settings there. Exit 1: something does not work.
 */
import { ConfigError } from '../../../lib/core/base/errors.ts';
import { SETTING_NAMES } from '../../../lib/core/store/settings.ts';
import { findSettingProblems } from '../../local/settings.ts';
import { findMeant } from '../../spelling.ts';
import type { Command, CommandContext, CommandOption } from '../command.ts';
import { type Settings, writeSettings } from '../setup/env-file.ts';
import { openQuestions, type Questions } from '../setup/questions.ts';
import { sayNewSettings } from '../setup/setting-reach.ts';
import { STACK_STEPS, storeOnStack } from '../setup/stack-settings.ts';
import type { Step, StepCheck } from '../setup/step.ts';
import { STEPS } from '../setup/steps.ts';
import { findStackIfRunning, readVariables, type Variables } from '../stack.ts';
import { CliError, EXIT, type ExitCode, printable, show } from '../terminal.ts';

/** @throws CliError naming every setting that does not fit, but for those that did not before */
const checkAll = (before: Variables, settings: Settings): void => {
  const known = findSettingProblems(before);
  const problems = findSettingProblems({ ...before, ...settings }).filter((problem) => !known.includes(problem));
  if (problems.length > 0) throw new CliError(EXIT.usage, new ConfigError(problems).message);
};

/** A deployed stack has no `.env`. */
const variablesOf = ({ env, folder, text }: CommandContext): Variables =>
  text('stack') === undefined ? readVariables(env, folder) : env;

/**
 * Says first which kinds of action become possible. @throws CliError if a variable of the shell
 * would win over what is written
 */
const save = async (
  context: CommandContext,
  settings: Settings,
  tell: (line: string) => void,
): Promise<readonly string[]> => {
  const { env, folder, text } = context;
  const stack = text('stack');
  if (stack !== undefined) {
    checkAll(env, settings);
    for (const line of sayNewSettings({}, settings)) tell(line);
    return storeOnStack(context, stack, settings);
  }
  const hidden = Object.keys(settings).find((name) => env[name] && env[name] !== settings[name]);
  if (hidden !== undefined)
    throw new CliError(EXIT.usage, `${hidden} is set in this shell and wins over .env`, `unset ${hidden}, and go on`);
  const before = readVariables(env, folder);
  checkAll(before, settings);
  for (const line of sayNewSettings(before, settings)) tell(line);
  return Object.keys(settings).length > 0 ? writeSettings(folder, settings) : [];
};

/** Asks until the values are taken, or the person leaves the step. */
const askStep = async (step: Step, context: CommandContext, questions: Questions): Promise<StepCheck> => {
  const variables = (): Variables => variablesOf(context);
  const keep = async (settings: Settings): Promise<void> => {
    for (const line of await save(context, settings, questions.tell)) questions.tell(line);
  };
  const check = (more: Settings = {}): Promise<StepCheck> => {
    const work = async () => step.check({ ...variables(), ...more }, context, questions);
    return step.ask === undefined ? work() : questions.during('Looking', work);
  };
  questions.title(step.title);
  const before = step.ask === undefined ? undefined : await check();
  for (const line of before?.lines ?? []) questions.tell(line);
  for (let settings: Settings | undefined; ; ) {
    settings = await step.ask?.(questions, variables(), context, settings);
    if (settings === undefined) {
      const now = await check();
      if (now.lines.join() !== before?.lines.join()) for (const line of now.lines) questions.tell(line);
      return now;
    }
    const found = await check(settings);
    for (const line of found.lines) questions.tell(line);
    if (found.isOk) {
      await keep(settings);
      return found;
    }
    const next = await questions.choose('That does not work yet.', [
      { value: 'again', label: 'type it again' },
      // Another value may have been refused before.
      ...(found.isRefused === true && before?.isRefused !== true
        ? []
        : [
            {
              value: 'save' as const,
              label: `${context.text('stack') === undefined ? 'write it into .env' : 'take it'} all the same`,
            },
          ]),
      { value: 'skip', label: 'leave it out for now' },
    ] satisfies readonly { value: 'again' | 'save' | 'skip'; label: string }[]);
    if (next === 'save') await keep(settings);
    if (next !== 'again') return found;
  }
};

const parseGiven = (texts: readonly string[]): Settings =>
  Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=');
      if (at < 1) throw new CliError(EXIT.usage, `--set takes NAME=value, not "${printable(text)}"`);
      const name = text.slice(0, at);
      const meant = findMeant(name, 2);
      if (!SETTING_NAMES.some((known) => known === name))
        throw new CliError(
          EXIT.usage,
          `there is no setting ${printable(name)}`,
          meant === undefined ? 'infra/README.md lists all' : `did you mean ${meant}?`,
        );
      return [name, text.slice(at + 1)];
    }),
  );

interface Taken {
  readonly step: Step;
  readonly found: StepCheck;
}

/** All values are tried before the first is written; if one is refused, none is. */
const runAlone = async (context: CommandContext, steps: readonly Step[]): Promise<readonly Taken[]> => {
  const given = parseGiven(context.texts('set'));
  const before = variablesOf(context);
  checkAll(before, given);
  const variables = { ...before, ...given };
  const taken: Taken[] = [];
  const look = async (step: Step): Promise<void> => {
    taken.push({ step, found: await step.check(variables, context) });
  };
  for (const step of steps.filter(({ name }) => name !== 'answer')) await look(step);
  if (taken.some(({ found }) => found.isRefused === true)) return taken;
  for (const line of await save(context, given, context.terminal.remark)) context.terminal.remark(line);
  for (const step of steps.filter(({ name }) => name === 'answer')) await look(step);
  return taken;
};

/** Goes through the steps at the terminal. */
export const runAsking = async (context: CommandContext, steps: readonly Step[]): Promise<readonly Taken[]> => {
  const questions = await openQuestions(context, context.flag('plain'));
  const taken: Taken[] = [];
  try {
    for (const step of steps) {
      const found = await askStep(step, context, questions);
      taken.push({ step, found });
      // Nothing else can work without the folder.
      if (step.name === 'machine' && !found.isOk) break;
    }
  } finally {
    questions.close();
  }
  return taken;
};

export const PLAIN: CommandOption = {
  type: 'boolean',
  help: 'numbered lines that are never redrawn; so it is too without a colour terminal',
};

const STEP_NAMES = STEPS.map(({ name }) => name).join(', ');

const chooseSteps = (only: string | undefined): readonly Step[] => {
  if (only === undefined) return STEPS.filter(({ isAlone }) => isAlone !== true);
  const found = STEPS.find(({ name }) => name === only);
  if (found !== undefined) return [found];
  throw new CliError(EXIT.usage, `there is no step "${printable(only)}"; there are: ${STEP_NAMES}`);
};

/** The next thing to do. @param bad steps in which something does not work */
export const nextLine = (bad: readonly string[], stack: string | undefined, isRunning: boolean): string => {
  const name = stack === undefined ? undefined : printable(stack);
  const where = name === undefined ? '' : ` --stack ${name}`;
  if (bad.length > 0)
    return `Not set up yet: ${bad.join(', ')}. Go on with: npx passepartout setup --only ${bad[0]}${where}`;
  if (name !== undefined) return `Tried. npx passepartout doctor${where} checks the stack itself.`;
  if (isRunning) return 'Set up. The stack that runs takes it at its next start: Ctrl-C there, then "npm start".';
  return 'Set up. "npm start" starts it; "npx passepartout doctor" checks it at any time.';
};

const foundLines = (taken: readonly Taken[]): readonly string[] =>
  taken.flatMap(({ step, found }) => [
    `${found.isOk ? 'ok   ' : 'wrong'}  ${step.name}`,
    ...found.lines.map((line) => `         ${line}`),
  ]);

export const setup: Command = {
  name: 'setup',
  usage: '',
  summary: 'go through model, Telegram, webhooks and the rest, try each value, and end with a real answer',
  options: {
    only: { type: 'string', value: 'step', help: `one step: ${STEP_NAMES}` },
    plain: PLAIN,
    'non-interactive': { type: 'boolean', help: 'ask nothing: try what is set, and what --set gives' },
    set: {
      type: 'string',
      value: 'NAME=value',
      multiple: true,
      help: 'a setting to try and write, without questions; NAME= takes it out',
    },
  },
  argCount: [0, 0],
  run: async (context): Promise<ExitCode> => {
    const { text, texts, flag, terminal } = context;
    const isDeployed = text('stack') !== undefined;
    const steps = chooseSteps(text('only')).filter(({ name }) => !isDeployed || STACK_STEPS.includes(name));
    const isAsking = !flag('non-interactive') && !terminal.isJson && texts('set').length === 0;
    const taken = await (isAsking ? runAsking : runAlone)(context, steps);
    const bad = taken.filter(({ found }) => !found.isOk).map(({ step }) => step.name);
    const isRunning = findStackIfRunning(context.env, context.folder) !== undefined;
    const isOk = bad.length === 0;
    show(
      terminal,
      { isOk, steps: taken.map(({ step, found }) => ({ name: step.name, isOk: found.isOk, lines: found.lines })) },
      [...(isAsking ? [] : foundLines(taken)), nextLine(bad, text('stack'), isRunning)],
    );
    return isOk ? EXIT.ok : EXIT.failed;
  },
};
