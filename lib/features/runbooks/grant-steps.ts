/**
 * Stores the grants of a run that was approved as a whole, before its first step; those of a job
 * stand since its first run. If the rules have changed since the yes, none is made, and each step
 * asks. A repeat changes nothing.
 */
import { buildCall } from '../../judge/build-actions.ts';
import { routesOf } from '../../judge/judge.ts';
import type { Run } from '../../ledger/run.ts';
import type { CodeContext } from '../../operations/code-context.ts';
import { grantKey } from '../../store/keys.ts';
import { putOnce } from '../../store/put-once.ts';
import { mayCover } from '../../tools/may-cover.ts';
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
