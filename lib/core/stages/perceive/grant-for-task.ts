/**
 * "Allow for this task" on a card: the yes, a grant for the turn, and a yes to what waits beside it
 * in the same answer, if the grant covers it. A repeated message changes nothing more.
 */
import { type Approval, settleApproval } from '../../approvals/approval.ts';
import type { Grant } from '../../approvals/grant.ts';
import { buildGrant } from '../../approvals/grants.ts';
import { isWithin } from '../../approvals/is-within.ts';
import type { SimilarChoice } from '../../approvals/similar.ts';
import { openForTask } from '../../approvals/task-grant.ts';
import { approvalNotices } from '../../judge/approval-notices.ts';
import type { Notice } from '../../judge/notices.ts';
import { loadWaiting } from '../../judge/waiting-approvals.ts';
import type { CodeContext } from '../../operations/code-context.ts';
import { rootOf } from '../../signal/ids.ts';
import { effectsOfTool, problemForTask, saveCounted } from './grant-similar.ts';

const isLike = (grant: Grant, first: Approval, { origin, asks = [], ...one }: Approval): boolean =>
  one.signalId === first.signalId &&
  one.cardChat === first.cardChat &&
  one.policyVersion === grant.policyVersion &&
  origin !== 'outside' &&
  asks.every(({ gate }) => grant.gates.includes(gate)) &&
  isWithin(grant, one.action, one.session, rootOf(one.signalId));

/** Approves each by its own record, as if its card had been tapped. @returns how many */
const approveLike = async (
  { table, signal, now }: CodeContext,
  grant: Grant,
  first: Approval,
  changeCard: (approval: Approval) => Promise<void>,
): Promise<number> => {
  const waiting = (await loadWaiting(table, first.space, now)).filter((one) => isLike(grant, first, one));
  const outcome = { state: 'approved', by: signal.id, decider: signal.sender.id } as const;
  let count = 0;
  for (const one of waiting.slice(0, grant.usesMax)) {
    const settled = await settleApproval(table, one, outcome, now);
    if (settled.decidedBy !== signal.id) continue;
    count += 1;
    await changeCard(settled);
  }
  return count;
};

export const grantForTask = async (
  context: CodeContext,
  approval: Approval,
  { uses, expiresAtMs }: SimilarChoice,
  changeCard: (approval: Approval) => Promise<void>,
): Promise<Notice> => {
  const problem = problemForTask(approval);
  if (problem !== '') return approvalNotices.approvedOnly(problem);
  const loosen = [...openForTask(approval)];
  const bounds = {
    count: uses,
    expiresAtMs,
    hours: 1,
    coversTaint: false,
    anySession: false,
    isForTask: true,
  } as const;
  const effects = effectsOfTool(approval.action);
  const grant = buildGrant(approval, effects, { ...bounds, loosen }, context.signal, context.now);
  const unsaved = typeof grant === 'string' ? grant : await saveCounted(context, grant);
  if (typeof grant === 'string' || unsaved !== '') return approvalNotices.approvedOnly(unsaved);
  const others = await approveLike(context, grant, approval, changeCard);
  return approvalNotices.grantedForTask(grant, others);
};
