/**
 * The answers to the verbs of plans. An approval is one call of `run-plan` with the plan's very
 * steps and their hash. Steps in words alone are first given to the model, which writes calls.
 */
import { ProtocolError } from '../../core/base/errors.ts';
import { JsonObject } from '../../core/base/json.ts';
import { commandNotices } from '../../core/judge/command-notices.ts';
import { byNewest, visibleOf } from '../../core/memory/outline.ts';
import { editableNote } from '../../core/memory/plan-edit.ts';
import type { Objects } from '../../core/memory/read.ts';
import { type CodeAnswer, type CodeContext, hiderOf, say } from '../../core/operations/code-context.ts';
import { change, type Handler, type LookContext, look } from '../../core/operations/operation.ts';
import { joinOrigins } from '../../core/signal/signal.ts';
import { isMarkedPrivate } from '../../core/text/privacy.ts';
import { loadFileParts } from '../../core/tools/tool.ts';
import { findObject, type IsHidden } from '../notes/find-object.ts';
import { noteTexts } from '../notes/texts.ts';
import { askTurn } from '../outlines/ask-turn.ts';
import { nameOf } from '../outlines/subtree.ts';
import { listRuns } from '../runbooks/store-run.ts';
import { askForCallsWords } from './ask-words.ts';
import { loadPlanRun } from './load-plan-run.ts';
import { type MarkedStep, statesOf } from './mark-plan.ts';
import { planApprove, planList, planShow } from './operations.ts';
import { PLAN_STEPS_MAX } from './plan-args.ts';
import { isClosed, type NotedStep, planParts, planRunbook, readSteps, runbookNameOf } from './plan-steps.ts';
import { type PlanTexts, planTexts } from './texts.ts';
import { OPEN, PLAN_TAG } from './write-plan.ts';

/** Plans that one answer lists, and newest runs among which that of a plan is looked for. */
const PLANS_SHOWN_MAX = 20;
const RUNS_READ_MAX = 50;

const short = (id: string): string => id.slice(0, 8);

type FindPlan = Pick<LookContext, 'language'> & { readonly objects: Objects; readonly isHidden: IsHidden };
const findPlan = async ({ objects, isHidden, language }: FindPlan, start: string) => {
  const found = findObject(objects, isHidden, start, await noteTexts.in(language));
  return editableNote(found, found.id);
};

const newestRun = async ({ table, space }: Pick<LookContext, 'table' | 'space'>, plan: string) => {
  const run = (await listRuns(table, space, RUNS_READ_MAX)).find(({ runbook }) => runbook === runbookNameOf(plan));
  return run && loadPlanRun(table, space, run);
};

/** The record of a run comes before what stands in the note. */
const stateOf = ({ note, call }: NotedStep, marked: readonly MarkedStep[]): string => {
  const ran = marked.find((one) => note.id.startsWith(one.note))?.state;
  if (ran !== undefined) return ran;
  if (isClosed(note)) return 'closed';
  return call === undefined ? 'noCall' : call === 'broken' ? 'broken' : 'open';
};

const showPlan = async (context: LookContext, start: string) => {
  const { language, isHidden } = context;
  const texts = await planTexts.in(language);
  const { objects } = await (await context.loadMemory()).view();
  const plan = await findPlan({ objects, isHidden, language }, start);
  const found = await newestRun(context, plan.id);
  const marked = found === undefined ? [] : statesOf(found);
  const steps = readSteps(objects, plan).filter(({ note }) => !isHidden(note));
  const states = steps.map((one) => stateOf(one, marked));
  const lines = [
    texts.plan(nameOf(plan), plan.attributes.todo ?? OPEN),
    ...steps.map(({ note }, n) => texts.step(n + 1, nameOf(note), texts.states[states[n] ?? ''] ?? '')),
    ...(found === undefined ? [] : [texts.run(found.run.id)]),
    texts.hints(short(plan.id)),
  ];
  const seen = [plan, ...steps.map(({ note }) => note)].map(({ id, version }) => ({ id, version }));
  return {
    data: {
      id: plan.id,
      steps: steps.map(({ note, words }, n) => ({ id: note.id, words, state: states[n] ?? '' })),
      ...(found === undefined ? {} : { run: found.run.id }),
    },
    lines,
    seen,
  };
};

/** Each step in words alone, for the model to write its call. */
const askForCalls = async (context: CodeContext, plan: string, steps: readonly NotedStep[], texts: PlanTexts) => {
  const wordy = steps.flatMap((one, n) => (one.call === undefined ? [{ ...one, n: n + 1 }] : []));
  if (wordy.some(({ note }) => isMarkedPrivate(note, context.privacyTags))) throw new ProtocolError(texts.isPrivate);
  await askTurn(
    context,
    askForCallsWords(
      plan,
      wordy.map(({ note }) => note.id),
    ),
  );
  return say(commandNotices.memory([texts.asked(wordy.map(({ n }) => n).join(', '), short(plan))]));
};

const approve = async (context: CodeContext, start: string): Promise<CodeAnswer> => {
  const { memory, language } = context;
  const texts = await planTexts.in(language);
  const { objects } = await memory.view();
  const plan = await findPlan({ objects, isHidden: hiderOf(context), language }, start);
  if (isClosed(plan)) throw new ProtocolError(texts.isClosed);
  const steps = readSteps(objects, plan).filter(({ note }) => !isClosed(note));
  if (steps.length === 0) throw new ProtocolError(texts.noSteps);
  if (steps.length > PLAN_STEPS_MAX) throw new ProtocolError(texts.tooMany(steps.length, PLAN_STEPS_MAX));
  const broken = steps.findIndex(({ call }) => call === 'broken');
  if (broken >= 0) throw new ProtocolError(texts.cannotRead(broken + 1));
  const parts = planParts(objects, plan);
  if (parts === undefined) return askForCalls(context, plan.id, steps, texts);
  const notes = [plan, ...steps.map(({ note }) => note)];
  const approveWhole = joinOrigins(notes.map(({ origin }) => origin)) !== 'outside';
  const args = JsonObject.parse({ ...parts, hash: planRunbook(parts).hash, approveWhole });
  const problems = (await loadFileParts()).FEATURE_FILE_PARTS.planProblems(args);
  if (problems.length > 0) throw new ProtocolError(texts.cannotRun(problems.join('; ')));
  return { call: { tool: 'run-plan', args, seen: notes.map(({ id, version }) => ({ id, version })) } };
};

export const PLAN_HANDLERS: readonly Handler[] = [
  look(planList, async ({ loadMemory, isHidden, language }) => {
    const texts = await planTexts.in(language);
    const { objects } = await (await loadMemory()).view();
    const plans = visibleOf(objects, isHidden)
      .filter((object) => object.attributes.tags.includes(PLAN_TAG) && !isClosed(object))
      .sort(byNewest)
      .slice(0, PLANS_SHOWN_MAX);
    const lines = plans.map((one) => texts.plan(nameOf(one), one.attributes.todo ?? OPEN));
    return {
      data: { plans: plans.map(({ id, attributes: { title = '' } }) => ({ id, title })) },
      lines: lines.length === 0 ? [texts.none] : lines,
      seen: plans.map(({ id, version }) => ({ id, version })),
    };
  }),
  look(planShow, (context, { plan }) => showPlan(context, plan)),
  change(planApprove, (context, { plan }) => approve(context, plan)),
];
