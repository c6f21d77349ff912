/**
 * Stores the grants of a run that was approved as a whole, before its first step. If the rules have
 * changed since the yes, there are none, and each step asks. A repeat changes nothing.
 */
import { buildCall } from '../../judge/build-actions.ts';
import type { Run } from '../../runbooks/run.ts';
import { buildRunGrants } from '../../runbooks/run-grants.ts';
import { loadRunbook } from '../../runbooks/store-run.ts';
import { isMcpTool } from '../../signal/mcp-name.ts';
import { grantKey } from '../../store/keys.ts';
import { putOnce } from '../../store/put-once.ts';
import { findTool } from '../../tools/catalogue.ts';
import { mcpUrls, NO_MCP } from '../../tools/mcp/catalogue.ts';
import type { CodeContext } from './code-context.ts';
import { stepSources } from './decide-step.ts';

/**
 * One card never answers for a tool that is asked about each time, or for data that is destroyed.
 */
const mayCover = (name: string, isOpen: boolean): boolean => {
  if (isMcpTool(name)) return true;
  const tool = findTool(name);
  const { destroys, changesAuthority, runsCode, runsCommand } = tool?.effects ?? {};
  if (tool === undefined || tool.isAlwaysAsked === true || destroys || changesAuthority) return false;
  return !isOpen || (runsCode === undefined && runsCommand === undefined);
};

export const grantSteps = async (context: CodeContext, run: Run): Promise<void> => {
  const { table, signal, now } = context;
  const { space } = signal;
  const sources = await stepSources(context, run);
  if (run.approved?.policyVersion !== sources.policyVersion) return;
  const runbook = await loadRunbook(table, space, run);
  const urls = { ...sources.webhookUrls, ...mcpUrls(sources.mcp ?? NO_MCP) };
  const buildAction: Parameters<typeof buildRunGrants>[2]['buildAction'] = ({ tool, args }) =>
    buildCall({ tool, args, explanation: '' }, urls);
  for (const grant of buildRunGrants(run, runbook, { space, buildAction, mayCover, now }))
    await putOnce(table, grantKey(space, grant.id), { ...grant });
};
