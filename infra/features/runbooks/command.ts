/**
 * Verbs of runbooks that take a file of this machine. `run` and `add` show every step, then ask.
 */

import { problemWords } from '../../../lib/core/base/file-problem.ts';
import type { JsonObject } from '../../../lib/core/base/json.ts';
import { USUAL_LANGUAGE } from '../../../lib/core/base/language.ts';
import { childId, stepSuffix } from '../../../lib/core/signal/ids.ts';
import { describeRunbook } from '../../../lib/features/runbooks/describe-runbook.ts';
import { completeInputs } from '../../../lib/features/runbooks/inputs.ts';
import { runbookDryRun, runbookRun } from '../../../lib/features/runbooks/operations.ts';
import { runbookTexts } from '../../../lib/features/runbooks/texts.ts';
import { endChange, runChange } from '../../cli/change.ts';
import type { CommandContext } from '../../cli/command.ts';
import type { LocalParts } from '../../cli/operation-command.ts';
import { readInputs } from '../../cli/read-inputs.ts';
import { requireConsent } from '../../cli/require-consent.ts';
import { shellLines } from '../../cli/shell-lines.ts';
import { CliError, EXIT, type ExitCode, printable, show, showWords } from '../../cli/terminal.ts';
import { waitForAnswer, waitingLines } from '../../cli/turn.ts';
import { addFiles } from '../skills/command.ts';
import { isFile, type ReadRunbook, readRunbookFile, skillOfRunbook } from './runbook-file.ts';

type GoodRunbook = Extract<ReadRunbook, { kind: 'runbook' }>;

/** Tells all problems of a file; undefined if it has any. */
const readGood = async ({ folder, terminal }: CommandContext, file: string): Promise<GoodRunbook | undefined> => {
  const read = await readRunbookFile(folder, file);
  if (read.kind === 'runbook') return read;
  const { problems } = read;
  show(
    terminal,
    { problems },
    problems.map((problem) => printable(problemWords(problem))),
  );
  return undefined;
};

const textsIn = ({ language }: CommandContext) => runbookTexts.in(language?.() ?? USUAL_LANGUAGE);

const check = async (context: CommandContext, words: readonly string[]): Promise<ExitCode> => {
  const good = await readGood(context, only('check', words));
  if (good === undefined) return EXIT.failed;
  const { terminal } = context;
  const lines = describeRunbook(await textsIn(context), good.runbook);
  showWords(terminal, { runbook: good.runbook }, [...lines.map(printable), terminal.say('nothing is wrong with it')]);
  return EXIT.ok;
};

/** Arguments of a run; undefined if the file has problems. */
const buildStart = async (context: CommandContext, word: string, isRun: boolean): Promise<JsonObject | undefined> => {
  const inputs = readInputs(context);
  const approveWhole = context.flag('approve-whole') ? { approveWhole: true } : {};
  if (!isFile(word)) return { runbook: word, inputs, ...approveWhole };
  const good = await readGood(context, word);
  if (good === undefined) return undefined;
  const { runbook, text } = good;
  const completed = completeInputs(runbook, inputs);
  if (completed.kind === 'problems') throw new CliError(EXIT.usage, completed.problems.map(printable).join('; '));
  if (isRun && !context.terminal.isJson)
    for (const line of describeRunbook(await textsIn(context), runbook, completed.inputs))
      context.terminal.quote(printable(line));
  return { runbook: runbook.name, text, inputs, ...approveWhole };
};

/** The one word of a verb. @throws CliError */
const only = (verb: string, [word, ...more]: readonly string[]): string => {
  if (word !== undefined && more.length === 0) return word;
  throw new CliError(EXIT.usage, `usage: npx passepartout runbook ${verb} <file or name>`);
};

const dryRun = async (context: CommandContext, words: readonly string[]): Promise<ExitCode> => {
  const args = await buildStart(context, only('dry-run', words), false);
  return args === undefined ? EXIT.failed : runChange(context, runbookDryRun, args);
};

const run = async (context: CommandContext, words: readonly string[]): Promise<ExitCode> => {
  const args = await buildStart(context, only('run', words), true);
  if (args === undefined) return EXIT.failed;
  await requireConsent(context, 'Run this?');
  const { view, replies, isDone } = await endChange(context, runbookRun, args);
  const asking = await askingLines(context, replies);
  showWords(context.terminal, view, [...replies.map(shellLines), ...asking.map(context.terminal.say)]);
  return isDone ? EXIT.ok : EXIT.failed;
};

/** The first step of a new run may wait for a person, before anything is done. */
const askingLines = async (context: CommandContext, replies: readonly string[]): Promise<readonly string[]> => {
  const [id] = /\brun-[0-9a-f]{12}\b/.exec(replies.join('\n')) ?? [];
  if (id === undefined || context.terminal.isJson) return [];
  await waitForAnswer(context, id);
  const { view } = await waitForAnswer(context, childId(id, stepSuffix(1)));
  return view.turn === 'waiting' ? waitingLines(await context.access(), id) : [];
};

const add = async (context: CommandContext, words: readonly string[]): Promise<ExitCode> => {
  const good = await readGood(context, only('add', words));
  return good === undefined ? EXIT.failed : addFiles(context, { files: skillOfRunbook(good.runbook, good.text) });
};

const START = {
  input: { type: 'string', value: 'name=value', multiple: true, help: 'dry-run, run: value of an input; for each one' },
  'approve-whole': { type: 'boolean', help: 'run: one yes covers every step once' },
} as const;

export const runbookParts: LocalParts = {
  check: { form: '<file>', summary: 'say what is wrong with a file, line by line; needs no stack', run: check },
  'dry-run': { form: '<file or name>', options: START, run: dryRun },
  run: { form: '<file or name>', options: START, run },
  add: {
    form: '<file>',
    summary: 'make a skill of a file and put it in force',
    options: { mine: { type: 'boolean', help: 'add: you vouch for these bytes, and their words count as yours' } },
    run: add,
  },
};
