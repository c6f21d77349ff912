/**
 * `runbook`: checks, tries, runs and adds runbooks. `check` needs no stack; the rest sends the
 * chat's own command. `run` and `add` show every step before they ask.
 */
import { problemWords } from '../../../lib/base/file-problem.ts';
import { describeRunbook } from '../../../lib/runbooks/describe-runbook.ts';
import { completeInputs } from '../../../lib/runbooks/inputs.ts';
import { childId, stepSuffix } from '../../../lib/signal/ids.ts';
import type { Command, CommandContext } from '../command.ts';
import { isFile, type ReadRunbook, readInputs, readRunbookFile, skillOfRunbook } from '../runbook-file.ts';
import { CliError, EXIT, type ExitCode, printable, shellLines, show } from '../terminal.ts';
import { sendCommand, waitForAnswer, waitingLines } from '../turn.ts';
import { isRefusal, runApproved } from './settings.ts';
import { addFiles, requireConsent } from './skill.ts';

const USAGE = 'list | show <name or run> | check <file> | dry-run|run <file or name> | runs | stop <run> | add <file>';

/** Words of each verb, itself included. */
const VERBS: Readonly<Record<string, number>> = {
  list: 1,
  runs: 1,
  show: 2,
  check: 2,
  'dry-run': 2,
  run: 2,
  stop: 2,
  add: 2,
};

type GoodRunbook = Extract<ReadRunbook, { kind: 'runbook' }>;

/** Tells all problems of a file; undefined if it has any. */
const readGood = async ({ args, folder, terminal }: CommandContext): Promise<GoodRunbook | undefined> => {
  const read = await readRunbookFile(folder, args[1] ?? '');
  if (read.kind === 'runbook') return read;
  const { problems } = read;
  show(
    terminal,
    { problems },
    problems.map((problem) => printable(problemWords(problem))),
  );
  return undefined;
};

const check = async (context: CommandContext): Promise<ExitCode> => {
  const good = await readGood(context);
  if (good === undefined) return EXIT.failed;
  show(context.terminal, { runbook: good.runbook }, [
    ...describeRunbook(good.runbook).map(printable),
    'nothing is wrong with it',
  ]);
  return EXIT.ok;
};

/** The chat's command with all that it needs as JSON; undefined if the file has problems. */
const buildStart = async (context: CommandContext): Promise<string | undefined> => {
  const { args, terminal } = context;
  const [verb = '', word = ''] = args;
  const inputs = readInputs(context);
  const approveWhole = context.flag('approve-whole') ? { approveWhole: true } : {};
  if (!isFile(word)) return `/runbook ${verb} ${JSON.stringify({ runbook: word, inputs, ...approveWhole })}`;
  const good = await readGood(context);
  if (good === undefined) return undefined;
  const { runbook, text } = good;
  const completed = completeInputs(runbook, inputs);
  if (completed.kind === 'problems') throw new CliError(EXIT.usage, completed.problems.map(printable).join('; '));
  if (verb === 'run' && !terminal.isJson)
    for (const line of describeRunbook(runbook, completed.inputs)) terminal.line(printable(line));
  return `/runbook ${verb} ${JSON.stringify({ runbook: runbook.name, text, inputs, ...approveWhole })}`;
};

const start = async (context: CommandContext): Promise<ExitCode> => {
  const command = await buildStart(context);
  if (command === undefined) return EXIT.failed;
  if (context.args[0] === 'dry-run') return sendCommand(context, command, isRefusal);
  await requireConsent(context, 'Run this?');
  const { view, replies, isDone } = await runApproved(context, command);
  show(context.terminal, view, [...replies.map(shellLines), ...(await askingLines(context, replies))]);
  return isDone ? EXIT.ok : EXIT.failed;
};

/** The first step of a new run may wait for a person, before anything is done. */
const askingLines = async (context: CommandContext, replies: readonly string[]): Promise<readonly string[]> => {
  const [run] = /\brun-[0-9a-f]{12}\b/.exec(replies.join('\n')) ?? [];
  if (run === undefined || context.terminal.isJson) return [];
  await waitForAnswer(context, run);
  const { view } = await waitForAnswer(context, childId(run, stepSuffix(1)));
  return view.turn === 'waiting' ? waitingLines(await context.access(), run, 'shell') : [];
};

const add = async (context: CommandContext): Promise<ExitCode> => {
  const good = await readGood(context);
  return good === undefined ? EXIT.failed : addFiles(context, skillOfRunbook(good.runbook, good.text));
};

export const runbook: Command = {
  name: 'runbook',
  usage: USAGE,
  summary: 'checked files of steps: check, try, run and add them; see and stop their runs',
  options: {
    input: {
      type: 'string',
      value: 'name=value',
      multiple: true,
      help: 'dry-run, run: value of an input; for each one',
    },
    'approve-whole': { type: 'boolean', help: 'run: one yes covers every step once' },
    mine: { type: 'boolean', help: 'add: you vouch for these bytes, and their words count as yours' },
  },
  argCount: [0, 2],
  run: async (given) => {
    const args = given.args.length === 0 ? ['list'] : given.args;
    const context = { ...given, args };
    const [verb = ''] = args;
    if (!Object.hasOwn(VERBS, verb) || VERBS[verb] !== args.length)
      throw new CliError(EXIT.usage, `usage: npx passepartout runbook ${USAGE}`);
    switch (verb) {
      case 'check':
        return check(context);
      case 'dry-run':
      case 'run':
        return start(context);
      case 'add':
        return add(context);
      default:
        return sendCommand(context, `/runbook ${args.join(' ')}`, isRefusal);
    }
  },
};
