/**
 * The form of `delegate`: fills in tools, cap and depth, and names the faults. A helper has no tool
 * that the turn that asks for it does not have, and no helpers below its depth.
 */
import { JsonObject } from '../../core/base/json.ts';
import { parseUsd, showUsd } from '../../core/base/money.ts';
import { DELEGATE } from '../../core/signal/job-run.ts';
import { isMcpTool } from '../../core/signal/mcp-name.ts';
import { jobKeys } from '../../core/store/keys.ts';
import { argumentProblems } from '../../core/tools/argument-problems.ts';
import { findTool } from '../../core/tools/catalogue.ts';
import type { FormContext, ToolForm } from '../../core/tools/tool.ts';
import { parseTask, TASK_USD_DEFAULT, taskOfSession, whyNoHelper } from './task.ts';
import { TaskArgs } from './task-args.ts';

/** Tools that a helper gets if none are named: they only read what is the owner's, or compute. */
const USUAL_TOOLS = ['recall', 'calculate', 'current-time'];

const isThere = (name: string, { whyOff }: FormContext): boolean => {
  const tool = findTool(name);
  const isOffered = isMcpTool(name) || (tool !== undefined && tool.isForPeople !== true && tool.onlyFor === undefined);
  return isOffered && whyOff?.(name) === undefined;
};

/** An amount that cannot be read stays as it is, and is a fault. */
const capOf = (given: unknown): unknown => {
  if (given === undefined) return TASK_USD_DEFAULT;
  return typeof given === 'string' ? (parseUsd(given.replace(/^\$/, '')) ?? given) : given;
};

const complete = async (args: JsonObject, context: FormContext): Promise<JsonObject> => {
  const { words, tools = USUAL_TOOLS.filter((name) => isThere(name, context)), capUsd, depth = 1, ...rest } = args;
  const whole = {
    ...rest,
    words: typeof words === 'string' ? words.trim() : words,
    tools,
    capUsd: capOf(capUsd),
    depth,
  };
  const filled = JsonObject.safeParse(whole);
  return filled.success ? filled.data : args;
};

const toolProblems = ({ tools, depth }: TaskArgs, context: FormContext): readonly string[] => {
  const wrong = tools.filter((name) => !isThere(name, context));
  const mayDelegate = !tools.includes(DELEGATE) || depth > 1;
  return [
    ...(wrong.length === 0 ? [] : [`tools names ${wrong.length} that this turn does not have`]),
    ...(mayDelegate ? [] : ['a helper with the tool delegate needs depth 2']),
  ];
};

const findProblems = async (args: JsonObject, context: FormContext): Promise<readonly string[]> => {
  const whole = TaskArgs.safeParse(args);
  if (!whole.success) {
    const isAmount = typeof args.capUsd !== 'string';
    return isAmount ? argumentProblems({ args: TaskArgs, fields: Object.keys(TaskArgs.shape) }, args) : [CAP_PROBLEM];
  }
  const { session = '', readRow } = context;
  const id = taskOfSession(session);
  const row = id === undefined ? undefined : await readRow((space) => jobKeys.occurrence(space, id));
  const why = whyNoHelper(session, row && parseTask(row), whole.data.depth);
  return [...(why === undefined ? [] : [why]), ...toolProblems(whole.data, context)];
};

const CAP_PROBLEM = 'capUsd must be dollars, such as 0.10';

const describe: ToolForm['describe'] = async (args) => {
  const { words, tools, capUsd, depth } = TaskArgs.parse(args);
  return [
    `A helper works on: ${words}`,
    `It may use: ${tools.join(', ')}`,
    `It costs at most: ${showUsd(capUsd)}`,
    ...(depth > 1 ? ['It may have helpers itself.'] : []),
  ];
};

export const DELEGATE_FORM: ToolForm = { complete, findProblems, describe };
