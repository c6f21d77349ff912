/**
 * GET /api/approvals → {"approvals": […], "role"}: what waits for a person. An approval's id is the capability itself
 * (I5), so it is shown to the approver token only.
 * POST /api/approvals/<id> {"decision"} → 202 {"id"} of the signal that carries the decision: it is checked again and
 * spent by the pipeline; 404 for an unknown one, 409 in plain words for one that can no longer be decided.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { Approval } from '../approvals/approval.ts';
import { approvalKey, indexPartitions } from '../aws/keys.ts';
import type { Table } from '../aws/table.ts';
import { HttpError, type HttpResponse, respondJson } from '../http/function-url.ts';
import { PENDING_APPROVALS_MAX } from '../limits.ts';
import { parseStored } from '../pipeline/record.ts';
import type { Action } from '../signal/action.ts';
import { consoleSignalId } from '../signal/ids.ts';
import { acceptInput } from './accept-input.ts';
import { isApprovalId } from './console-ids.ts';
import type { ConsoleDeps, RouteCall } from './deps.ts';
import { parseBody } from './parse-body.ts';
import { showAction } from './signal-view.ts';
import type { Role } from './tokens.ts';

export interface ApprovalView {
  /** Only for an approver. */
  readonly id?: string;
  readonly signalId: string;
  readonly n: number;
  readonly session: string;
  readonly action: Action;
  readonly reasons: readonly string[];
  /** Epoch milliseconds, both. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Pure. */
export const buildApprovalView = (approval: Approval, role: Role): ApprovalView => ({
  ...(role === 'approver' ? { id: approval.id } : {}),
  signalId: approval.signalId,
  n: approval.n,
  session: approval.session,
  action: showAction(approval.action),
  reasons: approval.reasons,
  createdAt: approval.createdAt,
  expiresAt: approval.expiresAtMs,
});

const loadPending = async (deps: Pick<ConsoleDeps, 'space' | 'table' | 'now'>): Promise<readonly Approval[]> => {
  const page = await deps.table.queryIndex({
    index: 'unfinished',
    partition: indexPartitions.pendingApprovals(deps.space),
    limit: PENDING_APPROVALS_MAX,
  });
  const items = await deps.table.load(page.items.map((item) => ({ pk: String(item.pk), sk: String(item.sk) })));
  const now = deps.now();
  return items
    .flatMap((item) => (item === undefined ? [] : [parseStored('approval', item, Approval)]))
    .filter((approval) => approval.state === 'pending' && approval.expiresAtMs > now)
    .sort((left, right) => left.createdAt - right.createdAt);
};

export const listApprovals = async (deps: ConsoleDeps, { role }: RouteCall): Promise<HttpResponse> => {
  const pending = await loadPending(deps);
  return respondJson(200, { approvals: pending.map((approval) => buildApprovalView(approval, role)), role });
};

const PostedDecision = z.strictObject({ decision: z.enum(['approve', 'deny']) });

const loadApproval = async (table: Pick<Table, 'load'>, space: string, id: string): Promise<Approval> => {
  const [item] = isApprovalId(id) ? await table.load([approvalKey(space, id)], { isConsistent: true }) : [];
  if (item === undefined) throw new HttpError(404, 'not-found', 'there is no such approval');
  return parseStored('approval', item, Approval);
};

/** Why an approval can no longer be decided, or undefined while it can. Pure. */
const closedBecause = (approval: Approval, now: number): string | undefined => {
  switch (approval.state) {
    case 'pending':
      return approval.expiresAtMs > now ? undefined : 'this approval has expired; ask for the action again';
    case 'approved':
      return 'this approval was given already; the action is on its way';
    case 'spent':
      return 'this approval was given already, and the action was performed with it';
    case 'denied':
      return 'this approval was denied already';
    case 'expired':
      return 'this approval has expired; ask for the action again';
    default:
      return approval.state satisfies never;
  }
};

export const decideApproval = async (
  deps: ConsoleDeps,
  { request, params, role }: RouteCall,
): Promise<HttpResponse> => {
  const { decision } = parseBody(request, PostedDecision);
  const approval = await loadApproval(deps.table, deps.space, params[0] ?? '');
  const closed = closedBecause(approval, deps.now());
  if (closed !== undefined) throw new HttpError(409, 'not-pending', closed);
  return acceptInput(deps, {
    // A hash, because this id is listed for people who may not hold the approval's own (I5).
    id: consoleSignalId(`approval-${createHash('sha256').update(approval.id).digest('hex').slice(0, 24)}-${decision}`),
    session: approval.session,
    replyTo: 'main',
    role,
    payload: { sensor: 'approval-decision', approvalId: approval.id, decision },
  });
};
