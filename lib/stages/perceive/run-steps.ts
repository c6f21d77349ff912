/**
 * A run of a job of steps: code turns the steps into one decision, and no model is asked. Each step
 * is judged as if a model had proposed it, so that no gate is lifted.
 */
import { PipelineError } from '../../base/errors.ts';
import type { Step } from '../../jobs/job.ts';
import { parseOccurrence } from '../../jobs/occurrence.ts';
import { loadVersion } from '../../jobs/read-jobs.ts';
import { buildCall, buildTexts, type Routes } from '../../judge/build-actions.ts';
import { decideByCode, loadPolicyVersion } from '../../judge/judge.ts';
import { loadKillSwitch } from '../../ledger/kill-switch.ts';
import type { Action } from '../../signal/action.ts';
import { askerOf } from '../../signal/asker.ts';
import type { Decision } from '../../signal/decision.ts';
import { jobKeys } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import type { CodeContext, PayloadOf } from './code-context.ts';

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
export const decideSteps = async (context: CodeContext, { job }: PayloadOf<'job-due'>): Promise<Decision> => {
  const { table, gateSet, signal, webhookUrls, now } = context;
  const { space, id, reply, session } = signal;
  const item = await loadItem(table, jobKeys.occurrence(space, id));
  const occurrence = item === undefined ? undefined : parseOccurrence(item);
  const version = occurrence && (await loadVersion(table, space, job, occurrence.version));
  if (version?.definition.work.kind !== 'steps') throw new PipelineError(`the run ${id} has no steps`, id, false);
  const copies = occurrence?.copies ?? [];
  const actions = buildSteps(version.definition.work.steps, job, { reply, webhookUrls, copies, session });
  return decideByCode(gateSet, { signalId: id, outcome: 'act', reason: '' }, actions, {
    stage: 'reason',
    now,
    space,
    isStopped: (await loadKillSwitch(table, space))?.isStopped ?? false,
    reply,
    origin: 'owner',
    policyVersion: await loadPolicyVersion(table, space, gateSet),
    session,
    sensor: 'job-due',
    askedBy: askerOf(signal),
    webhookUrls,
    isLoopbackAllowed: context.isLoopbackAllowed,
    resolveAddresses: context.resolveAddresses,
    copies,
  });
};
