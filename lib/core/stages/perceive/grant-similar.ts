/** "Allow similar…" on a card: the yes, and a grant. A repeated message changes nothing more. */

import type { Approval } from '../../approvals/approval.ts';
import type { Grant } from '../../approvals/grant.ts';
import { buildGrant, countGrant, saveGrant } from '../../approvals/grants.ts';
import type { SimilarChoice } from '../../approvals/similar.ts';
import { taskProblem } from '../../approvals/task-grant.ts';
import { GRANT_HOURS_DEFAULT, GRANT_USES_DEFAULT } from '../../base/limits.ts';
import { isExactOnly } from '../../gates/rules/approval-fitness.ts';
import { approvalNotices } from '../../judge/approval-notices.ts';
import type { Notice } from '../../judge/notices.ts';
import type { CodeContext } from '../../operations/code-context.ts';
import type { ToolEffects } from '../../signal/facts.ts';
import { findTool } from '../../tools/catalogue.ts';

export const effectsOfTool = ({ tool = '' }: Approval['action']): ToolEffects => findTool(tool)?.effects ?? {};

type GrantContext = Pick<CodeContext, 'table' | 'gateSet' | 'now'>;

/** Stores a grant, and counts it for prompts. @returns why it cannot be stored; empty if it was */
export const saveCounted = async ({ table, now }: GrantContext, grant: Grant): Promise<string> => {
  const problem = await saveGrant(table, grant, now);
  if (problem === '') await countGrant(table, grant);
  return problem;
};

export const problemForTask = (approval: Approval): string =>
  taskProblem(approval, isExactOnly(effectsOfTool(approval.action)));

/** Grants this very action, here. Untrusted text only if the card named its source. */
export const grantSimilar = async (
  context: CodeContext,
  approval: Approval,
  chosen: SimilarChoice | undefined,
): Promise<Notice> => {
  const wish = {
    loosen: [],
    count: chosen?.uses ?? GRANT_USES_DEFAULT,
    expiresAtMs: chosen?.expiresAtMs,
    hours: GRANT_HOURS_DEFAULT,
    coversTaint: approval.taintSource !== undefined,
    anySession: false,
  };
  const grant = buildGrant(approval, effectsOfTool(approval.action), wish, context.signal, context.now);
  const problem = typeof grant === 'string' ? grant : await saveCounted(context, grant);
  return typeof grant === 'string' || problem !== ''
    ? approvalNotices.approvedOnly(problem)
    : approvalNotices.granted(grant);
};
