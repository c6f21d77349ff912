/**
 * The form of `run-runbook`: fills in the hash and the inputs that were left out, names what is
 * wrong, and describes the run for the card, every step with its arguments.
 */

import { problemWords } from '../../core/base/file-problem.ts';
import { type JsonObject, parseWith } from '../../core/base/json.ts';
import { argumentProblems } from '../../core/tools/argument-problems.ts';
import { UNMARKED } from '../../core/tools/marks.ts';
import type { FormContext, ToolForm } from '../../core/tools/tool.ts';
import { sha256Of } from './begin-run.ts';
import { describeRunbook } from './describe-runbook.ts';
import { completeInputs } from './inputs.ts';
import { wholeRunLines } from './job-work.ts';
import { parseRunbook } from './parse-runbook.ts';
import { RunbookArgs } from './run-runbook.ts';
import type { Runbook } from './runbook.ts';
import { runbookTexts } from './texts.ts';

interface MeantRunbook {
  readonly runbook: Runbook;
  readonly hash: string;
}

/** The runbook that is meant; a sentence if there is none; undefined if nobody can look. */
const find = async (args: JsonObject, { loadLookups }: FormContext): Promise<MeantRunbook | string | undefined> => {
  const { runbook: name, text } = args;
  if (typeof name !== 'string') return 'runbook must be the name of a runbook';
  const given = typeof text === 'string' ? { text, hash: sha256Of(text) } : undefined;
  const { loadRunbook } = (await loadLookups?.()) ?? {};
  if (given === undefined && loadRunbook === undefined) return undefined;
  const found = given ?? (await loadRunbook?.(name));
  if (found === undefined) return `there is no runbook ${name}; /runbook lists those there are`;
  const parsed = parseRunbook(name, found.text);
  if (parsed.kind === 'problems') return parsed.problems.map(problemWords).join('; ');
  if (parsed.runbook.name !== name) return `the text is of the runbook ${parsed.runbook.name}, and not of ${name}`;
  return { runbook: parsed.runbook, hash: found.hash };
};

/** Numbers and truth values become their texts. */
const textsOf = (inputs: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(typeof inputs === 'object' && inputs !== null ? inputs : {}).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  );

const complete = async (args: JsonObject, context: FormContext): Promise<JsonObject> => {
  const known = await find(args, context);
  if (known === undefined || typeof known === 'string') return args;
  const completed = completeInputs(known.runbook, textsOf(args.inputs));
  return {
    ...args,
    // A yes binds the text: one that was named before stays, and is compared with it.
    hash: args.hash ?? known.hash,
    approveWhole: args.approveWhole ?? false,
    ...(completed.kind === 'inputs' ? { inputs: completed.inputs } : {}),
  };
};

const findProblems = async (args: JsonObject, context: FormContext): Promise<readonly string[]> => {
  const known = await find(args, context);
  if (typeof known === 'string') return [known];
  const whole = known === undefined ? args : await complete(args, context);
  const problems = argumentProblems({ args: RunbookArgs, fields: Object.keys(RunbookArgs.shape) }, whole);
  if (known === undefined || problems.length > 0) return problems;
  if (whole.hash !== known.hash) return [`the runbook ${known.runbook.name} was changed; ask for it again`];
  const completed = completeInputs(known.runbook, textsOf(whole.inputs));
  return completed.kind === 'problems' ? completed.problems : [];
};

const WHOLE =
  'Your yes covers the calls named below. A value of an answer is covered only if the runbook gives its shape; else the step asks.';
const SINGLE = 'Steps that need an approval ask for it when they come.';

const describe: ToolForm['describe'] = async (args, context, mark = UNMARKED) => {
  const whole = parseWith('the run', args, RunbookArgs);
  const known = await find(args, context);
  const tail = [whole.approveWhole ? mark(WHOLE) : SINGLE, `SHA-256 of its text: ${whole.hash}`];
  if (known === undefined || typeof known === 'string')
    return [mark(`A run of ${whole.runbook}, which cannot be shown: ${known ?? 'its text is not here'}`), ...tail];
  if (known.hash !== whole.hash)
    return [mark(`A run of ${whole.runbook}, which was changed since: a yes does nothing.`)];
  const calls = whole.approveWhole ? wholeRunLines(known.runbook.steps, whole.inputs) : [];
  const [scope = '', ...rest] = tail;
  return [
    'A run of this runbook:',
    ...describeRunbook(runbookTexts.en, known.runbook, whole.inputs),
    scope,
    ...calls,
    ...rest,
  ];
};

export const RUNBOOK_FORM: ToolForm = { complete, findProblems, describe };
