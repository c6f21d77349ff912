/**
 * The answers to the verbs of runbooks. A run is one call of the tool `run-runbook`, whose card
 * shows every step. Stopping asks nobody, because an approver typed it.
 */

import { defined } from '../../core/base/defined.ts';
import { NotFoundError, PipelineError, ProtocolError } from '../../core/base/errors.ts';
import { problemWords } from '../../core/base/file-problem.ts';
import { JsonObject } from '../../core/base/json.ts';
import { makeVisible } from '../../core/base/make-visible.ts';
import { commandNotices } from '../../core/judge/command-notices.ts';
import { formContext } from '../../core/judge/form-context.ts';
import { parseEffect } from '../../core/ledger/ledger.ts';
import { loadRun } from '../../core/ledger/load-run.ts';
import { isLive, type Run } from '../../core/ledger/run.ts';
import { type CodeContext, say } from '../../core/operations/code-context.ts';
import { change, type Handler, type LookContext, look } from '../../core/operations/operation.ts';
import { loadSandbox } from '../../core/sandbox/sandbox.ts';
import { childId, stepSuffix } from '../../core/signal/ids.ts';
import { signalKeys } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import type { ReadTable, Table } from '../../core/store/table.ts';
import { defang } from '../../core/text/tappable.ts';
import { quoted } from '../../core/tools/mcp-catalogue.ts';
import { isHanded } from '../../core/verbs/signals/plain-words.ts';
import { BUILT_IN } from '../skills/built-in.ts';
import { runbookAnswers } from './answer-texts.ts';
import { describeRun, describeRunShortly, type RunView } from './describe-run.ts';
import { describeRunbook } from './describe-runbook.ts';
import { dryRunRunbook } from './dry-run.ts';
import { findRunbook, type KnownRunbook, listRunbooks, runbookLookups } from './find-runbook.ts';
import { fillInputs, type Inputs } from './inputs.ts';
import { eventOf } from './load-scope.ts';
import { runbookDryRun, runbookList, runbookRun, runbookRuns, runbookShow, runbookStop } from './operations.ts';
import { parseRunbook } from './parse-runbook.ts';
import { INPUT_CHARS_MAX } from './runbook-file.ts';
import { RUNBOOK_FORM } from './runbook-form.ts';
import { stopRun } from './stop-run.ts';
import { listRuns, loadRunbook } from './store-run.ts';
import { runbookTexts } from './texts.ts';

const isAsking = async (table: ReadTable, space: string, run: Run): Promise<boolean> => {
  if (!isLive(run) || run.current === undefined) return false;
  const id = childId(run.id, stepSuffix(run.n));
  const { items } = await table.query({ pk: signalKeys.partition(space, id), skPrefix: 'effect#' });
  // A step that a machine has waits for nobody's yes.
  return items.map((item) => parseEffect(id, item)).some((one) => one.state === 'suspended' && !isHanded(one));
};

/** An event's words hide nothing, and none of their links can be tapped. */
const inputsOf = async (table: ReadTable, space: string, { eventId, inputs }: Run): Promise<Inputs> => {
  if (eventId === undefined) return inputs;
  const event = eventOf(eventId, await loadItem(table, signalKeys.record(space, eventId)));
  const filled = Object.entries(fillInputs(inputs, event));
  const shown = filled.map(([name, value]) => [name, makeVisible(defang(value.slice(0, INPUT_CHARS_MAX)))] as const);
  return { ...inputs, ...Object.fromEntries(shown) };
};

/** Undefined if there is no such run. */
const loadRunView = async (table: ReadTable, space: string, id: string): Promise<RunView | undefined> => {
  const run = await loadRun(table, space, id);
  if (run === undefined) return undefined;
  const runbook = await loadRunbook(table, space, run).catch((error: unknown) => {
    if (error instanceof PipelineError) return undefined;
    throw error;
  });
  return { run, runbook, inputs: await inputsOf(table, space, run), isAsking: await isAsking(table, space, run) };
};

/** The newest first. @param limit runs that one answer names */
const listRunViews = async (
  table: ReadTable & Pick<Table, 'queryIndex'>,
  space: string,
  limit: number,
): Promise<readonly Pick<RunView, 'run' | 'isAsking'>[]> => {
  const runs = await listRuns(table, space, limit);
  return Promise.all(runs.map(async (run) => ({ run, isAsking: await isAsking(table, space, run) })));
};

/** Runs that one answer lists, the newest first. */
const RUNS_SHOWN_MAX = 20;

/** Words of a skill from elsewhere hide nothing, and none of their links can be tapped. */
const shownLine = (runbook: KnownRunbook, line: string): string =>
  runbook.trust === 'owner' ? line : makeVisible(defang(line));

const showRun = ({ id, runbook, hash, state, why, n, startedAt, changedAt, endsAt, by }: Run) => ({
  ...{ id, runbook, hash, state, n, startedAt, changedAt, endsAt, by },
  ...defined({ why }),
});

/** A runbook that is known by its name; undefined if there is none. */
const lookAtRunbook = async ({ table, space, language }: LookContext, name: string) => {
  const found = await findRunbook(table, space, name.toLowerCase());
  if (found === undefined) return undefined;
  const [say, words] = await Promise.all([runbookAnswers.in(language), runbookTexts.in(language)]);
  const parsed = parseRunbook(found.file, found.text);
  const lines =
    parsed.kind === 'runbook'
      ? describeRunbook(words, parsed.runbook)
      : parsed.problems.map((one) => problemWords(one));
  const inputs = parsed.kind === 'runbook' ? parsed.runbook.inputs : [];
  return {
    lines: [...lines.map((line) => shownLine(found, line)), say.skill(found.skill, found.hash)],
    data: {
      inputs: inputs.map((one) => ({
        ...{ name: one.name, meaning: shownLine(found, one.meaning) },
        ...defined({ default: one.default }),
      })),
    },
  };
};

/** Checks a text that came with the command, its expressions too. @throws ProtocolError */
const checkText = async ({ text, runbook }: JsonObject): Promise<void> => {
  if (typeof text !== 'string') return;
  const parsed = parseRunbook(`${String(runbook)}.yaml`, text, await loadSandbox());
  if (parsed.kind === 'problems') throw new ProtocolError(parsed.problems.map(problemWords).join('; '));
};

/** Arguments of `run-runbook`, whole. @throws ProtocolError */
const completeStart = async (context: CodeContext, given: object): Promise<JsonObject> => {
  const { table, signal } = context;
  const args = JsonObject.parse(given);
  const loadLookups = async () => runbookLookups(table, signal.space);
  const form = formContext({ ...context, reply: signal.reply, setup: context, reads: { loadLookups } });
  const problems = await RUNBOOK_FORM.findProblems(args, form);
  if (problems.length > 0) throw new ProtocolError(problems.join('; '));
  const whole = await RUNBOOK_FORM.complete(args, form);
  await checkText(whole);
  return whole;
};

export const RUNBOOK_HANDLERS: readonly Handler[] = [
  look(runbookList, async ({ table, space, language }) => {
    const say = await runbookAnswers.in(language);
    const known = await listRunbooks(table, space);
    const lines = known.map(
      (one) => `${one.name}: ${shownLine(one, say.stored(one.description))} ${say.ofSkill(one.skill)}`,
    );
    return {
      data: {
        runbooks: known.map(({ name, description, skill }) => ({
          ...{ name, description, skill },
          ...(BUILT_IN.some(({ definition }) => definition.name === skill) ? { isBuiltIn: true } : {}),
        })),
      },
      lines: lines.length === 0 ? [say.none] : lines,
    };
  }),
  look(runbookShow, async (context, { name }) => {
    const found = await lookAtRunbook(context, name);
    if (found !== undefined) return found;
    const view = await loadRunView(context.table, context.space, name);
    if (view === undefined) throw new NotFoundError((await runbookAnswers.in(context.language)).notFound(quoted(name)));
    const { run, inputs } = view;
    const lines = describeRun(await runbookTexts.in(context.language), view, context.zone);
    return { data: { run: { ...showRun(run), inputs, steps: run.ended } }, lines };
  }),
  look(runbookRuns, async ({ table, space, zone, language }) => {
    const words = await runbookTexts.in(language);
    const views = await listRunViews(table, space, RUNS_SHOWN_MAX);
    const lines = views.map((view) => describeRunShortly(words, view, zone));
    return {
      data: { runs: views.map(({ run }) => showRun(run)) },
      lines: lines.length === 0 ? [(await runbookAnswers.in(language)).noRuns] : lines,
    };
  }),
  change(runbookRun, async (context, args) => ({
    call: { tool: 'run-runbook', args: await completeStart(context, args) },
  })),
  change(runbookDryRun, async (context, args) =>
    say(commandNotices.runbooks(await dryRunRunbook(context, await completeStart(context, args)))),
  ),
  change(runbookStop, async (context, { run: id }) => {
    const { hooks, table, gateSet, publishPerceive, signal, now, zone, language } = context;
    const [answers, words] = await Promise.all([runbookAnswers.in(language), runbookTexts.in(language)]);
    const deps = { hooks, table, loadGateSet: async () => gateSet, publishPerceive, space: signal.space, now };
    const run = await stopRun(deps, id, signal);
    if (run === undefined) throw new NotFoundError(answers.noRun(quoted(id)));
    const line = run.state === 'stopped' ? answers.isStopped : answers.isAlready(words.states[run.state]);
    return say(commandNotices.runbooks([line, describeRunShortly(words, { run, isAsking: false }, zone)]));
  }),
];
