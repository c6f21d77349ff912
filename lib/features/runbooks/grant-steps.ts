/**
 * Stores the grants of a run that was approved as a whole, before its first step; those of a job
 * stand since its first run. If the rules have changed since the yes, none is made, and each step
 * asks. A repeat changes nothing.
 */
import { buildCall } from '../../core/judge/build-actions.ts';
import { routesOf } from '../../core/judge/judge.ts';
import type { Run } from '../../core/ledger/run.ts';
import type { CodeContext } from '../../core/operations/code-context.ts';
import { grantKey } from '../../core/store/keys.ts';
import { putOnce } from '../../core/store/put-once.ts';
import { mayCover } from '../../core/tools/may-cover.ts';
import { stepSources } from './decide-step.ts';
import { buildRunGrants } from './run-grants.ts';
import { loadRunbook } from './store-run.ts';

export const grantSteps = async (context: CodeContext, run: Run): Promise<void> => {
  const { table, signal, now } = context;
  const { space } = signal;
  const sources = await stepSources(context, run);
  if (run.approved?.policyVersion !== sources.state.policyVersion) return;
  const runbook = await loadRunbook(table, space, run);
  const routes = routesOf(sources);
  const buildAction: Parameters<typeof buildRunGrants>[2]['buildAction'] = ({ tool, args }) =>
    buildCall({ tool, args, explanation: '' }, routes);
  for (const grant of buildRunGrants(run, runbook, { space, buildAction, mayCover, now }))
    await putOnce(table, grantKey(space, grant.id), { ...grant });
};
