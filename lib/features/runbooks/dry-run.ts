/**
 * `/runbook dry-run`: what a run would do now, without doing it. The real gates and the owner's
 * policy judge every step with its real inputs. A value that later steps take from outputs is not
 * known yet and stands as its template. It asks no model and changes nothing.
 */

import { ProtocolError } from '../../core/base/errors.ts';
import { type JsonObject, parseWith } from '../../core/base/json.ts';
import { decideByCode } from '../../core/judge/judge.ts';
import type { Run } from '../../core/ledger/run.ts';
import { jobSession } from '../../core/money/day-spend.ts';
import { type CodeContext, commandOrigin } from '../../core/operations/code-context.ts';
import type { FeatureHooks } from '../../core/operations/hooks.ts';
import { loadSandbox, type Sandbox } from '../../core/sandbox/sandbox.ts';
import { askerOf } from '../../core/signal/asker.ts';
import { joinOrigins } from '../../core/signal/signal.ts';
import { copiesOf, replyRouteOf } from '../jobs/write-occurrence.ts';
import { type RunbookAnswers, runbookAnswers } from './answer-texts.ts';
import { buildStepActions, stepSources } from './decide-step.ts';
import { stepWords, withInputs } from './describe-runbook.ts';
import { evaluateIf } from './expression.ts';
import { fillKnown, type Scope } from './fill-template.ts';
import { findRunbook } from './find-runbook.ts';
import { judgedLines } from './judged-lines.ts';
import { parseRunbook } from './parse-runbook.ts';
import { ASK_TOOL, type StepPlan } from './plan-step.ts';
import { RunbookArgs } from './run-runbook.ts';
import type { RunbookStep } from './runbook.ts';
import { asRunbook, sourceOf } from './steps-runbook.ts';
import { type RunbookWords, runbookTexts } from './texts.ts';

type StepSources = Awaited<ReturnType<typeof stepSources>>;

interface DryRun {
  readonly context: CodeContext;
  readonly sources: StepSources;
  readonly scope: Scope;
  readonly sandbox: Sandbox;
  readonly say: RunbookAnswers;
  readonly words: RunbookWords;
}

/** An expression that names nothing but inputs has its value already. */
const isKnown = (expression: string): boolean => !/\b(steps|item|event)\b/.test(expression);

/** How the condition of a step stands, and whether the step ends with it; none if it is true. */
const findCondition = (
  { scope, sandbox, say }: DryRun,
  { condition }: RunbookStep,
): { readonly line: string; readonly isEnd: boolean } | undefined => {
  if (condition === undefined) return undefined;
  if (!isKnown(condition)) return { line: say.notKnown(condition), isEnd: false };
  const found = evaluateIf(sandbox, condition, scope);
  if (found.kind === 'problem') return { line: say.failsRun(found.problem), isEnd: true };
  return found.value ? undefined : { line: say.leftOut(condition), isEnd: true };
};

/** A call or texts, with the values that are known. */
type Planned = Extract<StepPlan, { kind: 'call' | 'text' | 'problem' }>;

const planCall = (tool: string, args: JsonObject, scope: Scope): Planned => {
  const filled = fillKnown(args, scope);
  return filled.kind === 'problem' ? filled : { kind: 'call', tool, args: filled.value };
};

const planText = (text: string, scope: Scope): Planned => {
  const filled = fillKnown({ text }, scope);
  if (filled.kind === 'problem') return filled;
  const words = filled.value.text;
  return { kind: 'text', text: typeof words === 'string' ? words : JSON.stringify(words) };
};

const judge = async ({ context, sources, say }: DryRun, plan: Planned, place: string): Promise<readonly string[]> => {
  if (plan.kind === 'problem') return [`   ${say.wouldFail(plan.problem)}`];
  const actions = buildStepActions(plan, sources, `step ${place} of the runbook`);
  const decided = { signalId: context.signal.id, outcome: 'act', reason: '' } as const;
  const decision = await decideByCode(context.gateSet, decided, actions, sources);
  const isOpen = /\{\{\s*(steps|item|event)\b/.test(JSON.stringify(actions));
  const open = isOpen ? [`   ${say.openValues}`] : [];
  return [...decision.actions.flatMap((one) => judgedLines(say, one)).map((line) => `   ${line}`), ...open];
};

const workLines = async (dry: DryRun, step: RunbookStep): Promise<readonly string[]> => {
  const { scope, say } = dry;
  switch (step.kind) {
    case 'ask':
      return judge(dry, planCall(ASK_TOOL, { question: step.question }, scope), step.place);
    case 'text':
      return judge(dry, planText(step.text, scope), step.place);
    case 'call': {
      const { call, undo } = step;
      const taken = undo && (await judge(dry, planCall(undo.tool, undo.args, scope), step.place));
      return [
        ...(await judge(dry, planCall(call.tool, call.args, scope), step.place)),
        ...(taken === undefined ? [] : [`   ${say.ifTakenBack}`, ...taken]),
      ];
    }
    case 'model':
      return [`   ${say.asksModel}`];
    case 'wait':
      return [];
    case 'each':
      return (await Promise.all(step.steps.map((one) => stepLines(dry, one)))).flat();
    default:
      return step satisfies never;
  }
};

const stepLines = async (dry: DryRun, step: RunbookStep): Promise<readonly string[]> => {
  const condition = findCondition(dry, step);
  const head = `${step.place}. ${withInputs(stepWords(dry.words, step), dry.scope.inputs)}`;
  const line = condition === undefined ? [] : [`   ${condition.line}`];
  return [head, ...line, ...(condition?.isEnd === true ? [] : await workLines(dry, step))];
};

/** The one who would run it: the person who asks, or a job. */
type DryRunner = Pick<Run, 'reply' | 'session' | 'copies'>;

/**
 * @param args of `run-runbook`, whole
 * @returns lines for a person
 * @throws ProtocolError
 */
export const dryRunRunbook = async (
  context: CodeContext,
  args: JsonObject,
  runner: DryRunner = { reply: context.signal.reply, session: `run:${context.signal.id}` },
): Promise<readonly string[]> => {
  const { table, signal, language } = context;
  const [say, words] = await Promise.all([runbookAnswers.in(language), runbookTexts.in(language)]);
  const { runbook: name, text, inputs, hash } = parseWith('the run', args, RunbookArgs);
  const found = text === undefined ? await findRunbook(table, signal.space, name) : { text, trust: 'owner' as const };
  const source = sourceOf({ session: runner.session, runbook: name });
  const parsed = parseRunbook(name, found?.text ?? '', undefined, source);
  if (found === undefined || parsed.kind === 'problems') throw new ProtocolError(say.noRunbook(name));
  if ('hash' in found && found.hash !== hash) throw new ProtocolError(say.wasChanged(name));
  const sources = await stepSources(context, {
    ...runner,
    origin: joinOrigins([found.trust, commandOrigin(signal)]),
    askedBy: askerOf(signal),
  });
  const dry: DryRun = { context, sources, scope: { inputs, steps: {} }, sandbox: await loadSandbox(), say, words };
  const lines: string[] = [];
  for (const step of parsed.runbook.steps) lines.push(...(await stepLines(dry, step)));
  return [say.runNow(name), ...lines];
};

/** Lines about a run of a job now, if its work is a runbook, or steps. */
export const dryRunJob: NonNullable<FeatureHooks['dryRunJob']> = async (context, definition) => {
  const { name, work } = definition;
  if (work.kind === 'prompt') return [];
  const { kind: _kind, whole: _whole, ...known } = asRunbook(name, work);
  return dryRunRunbook(
    context,
    { ...known, approveWhole: false },
    { reply: replyRouteOf(definition), session: jobSession(name), copies: [...copiesOf(definition)] },
  );
};
