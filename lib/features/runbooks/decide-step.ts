/**
 * Decides on one step of a run: its actions with every default filled in (I4), judged by the same
 * gates as a model's proposal. Its origin is the worst of the run's inputs and of all outputs that
 * it has read.
 */

import { buildCalls, buildTexts } from '../../core/judge/build-actions.ts';
import type { FactSources } from '../../core/judge/fact-sources.ts';
import { decideByCode, routesOf } from '../../core/judge/judge.ts';
import type { Run } from '../../core/ledger/run.ts';
import type { CodeContext } from '../../core/operations/code-context.ts';
import type { Action } from '../../core/signal/action.ts';
import type { Decision } from '../../core/signal/decision.ts';
import { loadFacts } from '../../core/stages/perceive/load-facts.ts';
import type { StepPlan } from './plan-step.ts';
import { sourceOf } from './steps-runbook.ts';

/** All that the gates are told about the steps of a run. */
export const stepSources = (
  context: CodeContext,
  { reply, origin, session, askedBy, copies = [] }: Pick<Run, 'reply' | 'origin' | 'session' | 'askedBy' | 'copies'>,
): Promise<FactSources> =>
  loadFacts(context, { reply, origin, session, turn: { askedBy }, copies, sensor: 'run-step' });

/** @param place of the step in the file, for the card */
export const buildStepActions = (
  plan: Extract<StepPlan, { kind: 'call' | 'text' }>,
  sources: FactSources,
  explanation: string,
): readonly Action[] => {
  const routes = routesOf(sources);
  return plan.kind === 'text'
    ? buildTexts(plan.text, routes).map((action) => ({ ...action, explanation }))
    : buildCalls({ tool: plan.tool, args: plan.args, explanation }, routes);
};

export const decideStep = async (
  context: CodeContext,
  run: Run,
  plan: Extract<StepPlan, { kind: 'call' | 'text' }>,
  place: string,
): Promise<Decision> => {
  const sources = await stepSources(context, run);
  const verb = run.current?.kind === 'undo' ? 'takes back ' : '';
  const of = sourceOf(run) === 'steps' ? 'job' : 'runbook';
  const actions = buildStepActions(plan, sources, `${verb}step ${place} of the ${of} ${run.runbook}`);
  const decided = { signalId: context.signal.id, outcome: 'act', reason: '' } as const;
  return decideByCode(context.gateSet, decided, actions, sources);
};
