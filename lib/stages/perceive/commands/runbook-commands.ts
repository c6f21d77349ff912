/**
 * The commands `/runbook …`. Lists, texts, runs and the dry run are read here. A run is one call of
 * the tool `run-runbook`, whose card shows every step. Stopping asks nobody, because an approver
 * typed it.
 */
import { ProtocolError } from '../../../base/errors.ts';
import { problemWords } from '../../../base/file-problem.ts';
import { JsonObject, parseJson } from '../../../base/json.ts';
import { makeVisible } from '../../../base/make-visible.ts';
import { commandNotices } from '../../../judge/command-notices.ts';
import { formContext } from '../../../judge/gather-facts.ts';
import { describeRun, describeRunShortly } from '../../../runbooks/describe-run.ts';
import { describeRunbook } from '../../../runbooks/describe-runbook.ts';
import { parseRunbook } from '../../../runbooks/parse-runbook.ts';
import { loadSandbox } from '../../../sandbox/sandbox.ts';
import { findRunbook, type KnownRunbook, listRunbooks } from '../../../skills/find-runbook.ts';
import { defang } from '../../../text/tappable.ts';
import { quoted } from '../../../tools/mcp/catalogue.ts';
import { RUNBOOK_FORM } from '../../../tools/runbook-form.ts';
import { listRunViews, loadRunView } from '../../load-run-view.ts';
import { type CodeAnswer, type CodeContext, type Command, say } from '../code-context.ts';

/** Runs that one answer lists, the newest first. */
const RUNS_SHOWN_MAX = 20;

const USAGE = [
  '/runbook list, /runbook show <name or run>, /runbook runs, /runbook stop <run>',
  '/runbook run|dry-run <name> [<input>=<value> …] [whole]; "whole": one yes covers every step',
].join('\n');

/** Words of a skill from elsewhere hide nothing, and none of their links can be tapped. */
const shownLine = (runbook: KnownRunbook, line: string): string =>
  runbook.trust === 'owner' ? line : makeVisible(defang(line));

const list = async ({ table, signal: { space } }: CodeContext): Promise<CodeAnswer> => {
  const known = await listRunbooks(table, space);
  const lines = known.map((one) => `${one.name}: ${shownLine(one, one.description)} (skill ${one.skill})`);
  return say(commandNotices.runbooks(lines.length === 0 ? ['There is no runbook.'] : lines));
};

const runs = async ({ table, signal: { space }, zone }: CodeContext): Promise<CodeAnswer> => {
  const found = await listRunViews(table, space, RUNS_SHOWN_MAX);
  const lines = found.map((view) => describeRunShortly(view, zone));
  return say(commandNotices.runbooks(lines.length === 0 ? ['No runbook has run yet.'] : lines));
};

/** The lines of a runbook that is known by its name; undefined if there is none. */
const runbookLines = async ({ table, signal: { space } }: CodeContext, name: string) => {
  const found = await findRunbook(table, space, name);
  if (found === undefined) return undefined;
  const parsed = parseRunbook(found.file, found.text);
  const lines =
    parsed.kind === 'runbook' ? describeRunbook(parsed.runbook) : parsed.problems.map((one) => problemWords(one));
  return [...lines.map((line) => shownLine(found, line)), `Skill ${found.skill}, SHA-256 ${found.hash}`];
};

const show = async (context: CodeContext, name: string): Promise<CodeAnswer> => {
  const lines = await runbookLines(context, name);
  if (lines !== undefined) return say(commandNotices.runbooks(lines));
  const view = await loadRunView(context.table, context.signal.space, name);
  if (view === undefined)
    throw new ProtocolError(`there is no runbook and no run ${quoted(name)}; /runbook list, /runbook runs`);
  return say(commandNotices.runbooks(describeRun(view, context.zone)));
};

/** `name a=b c="two words" whole`, or the arguments of `run-runbook` as JSON. */
const parseStart = (rest: string): JsonObject => {
  if (rest.startsWith('{')) return parseJson('the run', rest, JsonObject);
  const [, name = '', more = ''] = /^(\S*)\s*([\s\S]*)$/.exec(rest) ?? [];
  const pairs = [...more.matchAll(/(\w+)=(?:["“”„]([^"“”„]*)["“”„]|(\S*))/gu)];
  const left = more.replace(/(\w+)=(?:["“”„][^"“”„]*["“”„]|\S*)/gu, '').trim();
  if (left !== '' && left !== 'whole')
    throw new ProtocolError(`"${left.slice(0, 40)}" is no input, such as service=shop`);
  return {
    runbook: name.toLowerCase(),
    inputs: Object.fromEntries(pairs.map(([, key = '', words, word = '']) => [key, words ?? word] as const)),
    ...(left === 'whole' ? { approveWhole: true } : {}),
  };
};

/** Arguments of `run-runbook`, whole. @throws ProtocolError */
const buildStart = async (context: CodeContext, rest: string): Promise<JsonObject> => {
  const { table, signal } = context;
  const args = parseStart(rest);
  const form = formContext({
    ...context,
    reply: signal.reply,
    loadRunbook: (name) => findRunbook(table, signal.space, name),
  });
  const problems = await RUNBOOK_FORM.findProblems(args, form);
  if (problems.length > 0) throw new ProtocolError(problems.join('; '));
  return RUNBOOK_FORM.complete(args, form);
};

/** Checks a text that came with the command, its expressions too. @throws ProtocolError */
const checkText = async ({ text, runbook }: JsonObject): Promise<void> => {
  if (typeof text !== 'string') return;
  const parsed = parseRunbook(`${String(runbook)}.yaml`, text, await loadSandbox());
  if (parsed.kind === 'problems') throw new ProtocolError(parsed.problems.map(problemWords).join('; '));
};

const stop = async (context: CodeContext, id: string): Promise<CodeAnswer> => {
  const { table, gateSet, publishPerceive, signal, now } = context;
  const { stopRun } = await import('../../stop-run.ts');
  const deps = { table, loadGateSet: async () => gateSet, publishPerceive, space: signal.space, now };
  const run = await stopRun(deps, id, signal);
  if (run === undefined) throw new ProtocolError(`there is no run ${quoted(id)}; /runbook runs lists the newest`);
  const line = run.state === 'stopped' ? 'It is stopped: no further step is done.' : `It is ${run.state} already.`;
  return say(commandNotices.runbooks([line, describeRunShortly({ run, isAsking: false }, context.zone)]));
};

const answer = async (context: CodeContext, verb: string, rest: string): Promise<CodeAnswer> => {
  const needsName = verb === 'run' || verb === 'dry-run' || verb === 'show' || verb === 'stop';
  if (needsName && rest === '') return say(commandNotices.usage(USAGE));
  switch (verb) {
    case '':
    case 'list':
      return list(context);
    case 'runs':
      return rest === '' ? runs(context) : show(context, rest);
    case 'show':
      return show(context, rest);
    case 'stop':
      return stop(context, rest);
    case 'run':
    case 'dry-run': {
      const args = await buildStart(context, rest);
      await checkText(args);
      if (verb === 'run') return { call: { tool: 'run-runbook', args } };
      const { dryRunRunbook } = await import('./dry-run-runbook.ts');
      return say(commandNotices.runbooks(await dryRunRunbook(context, args)));
    }
    default:
      return say(commandNotices.usage(USAGE));
  }
};

export const runbook: Command = async (context, rest) => {
  const [, verb = '', words = ''] = /^(\S*)\s*([\s\S]*)$/.exec(rest) ?? [];
  try {
    return await answer(context, verb.toLowerCase(), words.trim());
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return say(commandNotices.notSet(error.message));
  }
};
