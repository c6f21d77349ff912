/**
 * A run of a job of steps: code turns the steps into one decision, and no model is asked. Each step
 * is judged as if a model had proposed it, so that no gate is lifted. A job of a runbook begins its
 * run here.
 */
import { PipelineError } from '../../base/errors.ts';
import type { JobVersion, Step } from '../../jobs/job.ts';
import { type Occurrence, parseOccurrence } from '../../jobs/occurrence.ts';
import { loadVersion } from '../../jobs/read-jobs.ts';
import { buildCall, buildTexts, type Routes } from '../../judge/build-actions.ts';
import { decideByCode, routesOf } from '../../judge/judge.ts';
import type { CodeAnswer, CodeContext } from '../../operations/code-context.ts';
import { payloadOf } from '../../operations/hooks.ts';
import type { Action } from '../../signal/action.ts';
import { askerOf } from '../../signal/asker.ts';
import type { Decision } from '../../signal/decision.ts';
import { loadFacts } from '../../stages/perceive/load-facts.ts';
import { jobKeys } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';

const buildStep = (step: Step, n: number, job: string, routes: Routes): readonly Action[] => {
  const explanation = `step ${n + 1} of the job ${job}`;
  const actions =
    'say' in step
      ? buildTexts(step.say, routes)
      : [buildCall({ tool: step.tool, args: step.args, explanation }, routes.webhookUrls)];
  return actions.map((action) => ({ ...action, explanation }));
};

/** Steps as actions, with every default filled in (I4). */
export const buildSteps = (steps: readonly Step[], job: string, routes: Routes): readonly Action[] =>
  steps.flatMap((step, n) => buildStep(step, n, job, routes));

/** @throws PipelineError if the run has no steps */
export const answerJobDue = async (context: CodeContext): Promise<CodeAnswer> => {
  const { job } = payloadOf(context, 'job-due');
  const { table, signal } = context;
  const { space, id } = signal;
  const item = await loadItem(table, jobKeys.occurrence(space, id));
  const occurrence = item === undefined ? undefined : parseOccurrence(item);
  const version = occurrence && (await loadVersion(table, space, job, occurrence.version));
  if (occurrence === undefined || version === undefined) throw new PipelineError(`the run ${id} has no job`, id, false);
  const { work } = version.definition;
  if (work.kind === 'steps') return { decision: await decideSteps(context, version, work.steps, occurrence) };
  if (work.kind !== 'runbook') throw new PipelineError(`the run ${id} has no steps`, id, false);
  const { beginJobRun } = await import('./begin-job-run.ts');
  return beginJobRun(context, version, work, occurrence);
};

const decideSteps = async (
  context: CodeContext,
  { name: job }: JobVersion,
  steps: readonly Step[],
  { copies = [] }: Occurrence,
): Promise<Decision> => {
  const { gateSet, signal } = context;
  const { id, reply, session } = signal;
  const sources = await loadFacts(context, {
    reply,
    session,
    copies,
    origin: 'owner',
    sensor: 'job-due',
    askedBy: askerOf(signal),
  });
  const actions = buildSteps(steps, job, routesOf(sources));
  return decideByCode(gateSet, { signalId: id, outcome: 'act', reason: '' }, actions, sources);
};
