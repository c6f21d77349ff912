/**
 * Approvals that wait for a person, and a person's earlier words: grants and stopped
 * conversations. This function cannot write a grant: what is posted becomes a signal, and the
 * pipeline decides from who sent it.
 */

import { type Approval, type FlightStage, parseApproval, STAGES, stageOf } from '../../approvals/approval.ts';
import { type Grant, isUsable } from '../../approvals/grant.ts';
import { GrantWish, loadGrants } from '../../approvals/grants.ts';
import { similarProblem } from '../../approvals/similar.ts';
import { defined } from '../../base/defined.ts';
import { ProtocolError } from '../../base/errors.ts';
import { asShown, buildCardLines, describeGrant } from '../../judge/card.ts';
import { loadPolicyHash } from '../../judge/policy/policy-setting.ts';
import { loadWaiting } from '../../judge/waiting-approvals.ts';
import { parseHead } from '../../ledger/session.ts';
import { loadStoppedSessions } from '../../ledger/session-controls.ts';
import { showAction } from '../../stages/explain/signal-view.ts';
import { indexPartitions, sessionKey } from '../../store/keys.ts';
import { loadIndexed } from '../../store/load-named.ts';
import type { IndexQuery } from '../../store/table.ts';
import { type HttpResponse, respondJson } from '../function-url.ts';
import { FEED_LIMIT_MAX } from '../limits.ts';
import { acceptInput } from './messages.ts';
import { type ConsoleDeps, checkQuery, parseBody, type RouteCall } from './router.ts';
import type { Caller } from './tokens.ts';
import type { ApprovalView, GrantView, StoppedSessionView } from './views.ts';

const buildApprovalView = (approval: Approval, caller: Caller, stage: FlightStage): ApprovalView => {
  const { asks, requester, taintSource, costs, decider, decidedAt, spentAt } = approval;
  return {
    ...(caller.kind === 'approver' ? { id: approval.id } : {}),
    signalId: approval.signalId,
    n: approval.n,
    session: approval.session,
    action: showAction(asShown(approval)),
    ...buildCardLines(approval),
    similarProblem: similarProblem(approval),
    reasons: approval.reasons,
    ...defined({ asks, requester, taintSource, costs, decider, decidedAt, spentAt }),
    stage,
    createdAt: approval.createdAt,
    expiresAt: approval.expiresAtMs,
  };
};

/** All there ever were, newest first. */
const loadPlans = async ({ table, space }: ConsoleDeps): Promise<readonly Approval[]> => {
  const partition = indexPartitions.approvalFeed(space);
  const query: IndexQuery = { index: 'feed', partition, isDescending: true, limit: FEED_LIMIT_MAX };
  return (await loadIndexed(table, query)).items.map((item) => parseApproval('of the feed', item));
};

const parseStage = (query: URLSearchParams): FlightStage | 'ALL' | undefined => {
  checkQuery(query, ['state']);
  const given = query.get('state')?.toUpperCase();
  if (given === undefined || given === 'ALL') return given;
  const stage = STAGES.find((one) => one === given);
  if (stage === undefined) throw new ProtocolError(`state must be all or one of ${STAGES.join(', ').toLowerCase()}`);
  return stage;
};

/**
 * GET /api/approvals?state= → {"approvals", "role"}: what waits; with a state (plan, approved,
 * denied, expired, done, all) the flight plans in that state, newest first, at most FEED_LIMIT_MAX.
 */
export const listApprovals = async (deps: ConsoleDeps, { request, caller }: RouteCall): Promise<HttpResponse> => {
  const wanted = parseStage(request.query);
  const now = deps.now();
  const found = wanted === undefined ? await loadWaiting(deps.table, deps.space, now) : await loadPlans(deps);
  const policyHash = await loadPolicyHash(deps.table, deps.space);
  const approvals = found
    .map((approval) => buildApprovalView(approval, caller, stageOf(approval, now, policyHash)))
    .filter(({ stage }) => wanted === undefined || wanted === 'ALL' || stage === wanted);
  return respondJson(200, { approvals, role: caller.kind });
};

const buildGrantView = (grant: Grant): GrantView => ({
  id: grant.id,
  description: describeGrant(grant),
  target: grant.target,
  ...defined({ tool: grant.tool }),
  uses: grant.uses,
  usesMax: grant.usesMax,
  createdAt: grant.createdAt,
  expiresAt: grant.expiresAtMs,
  createdBy: grant.createdBy,
  ...defined({ session: grant.session, taintSource: grant.taintSource }),
});

/** GET /api/grants → {"grants"}: standing yeses in force, longest first. */
export const listGrants = async (deps: ConsoleDeps): Promise<HttpResponse> => {
  const grants = await loadGrants(deps.table, deps.space);
  return respondJson(200, { grants: grants.filter((grant) => isUsable(grant, deps.now())).map(buildGrantView) });
};

/**
 * POST /api/grants {"approval","loosen"?,"count"?,"hours"?,"coversTaint"?,"anySession"?} → 202
 * {"id"}
 */
export const addGrant = (deps: ConsoleDeps, { request, caller }: RouteCall): Promise<HttpResponse> => {
  const rest = JSON.stringify(parseBody(request, GrantWish));
  return acceptInput(deps, { caller, payload: { sensor: 'command', name: 'grant-add', rest } });
};

/** POST /api/grants/<id>/revoke → 202 {"id"} */
export const revokeGrant = (deps: ConsoleDeps, { params: [rest = ''], caller }: RouteCall): Promise<HttpResponse> =>
  acceptInput(deps, { caller, payload: { sensor: 'command', name: 'revoke', rest } });

/** GET /api/stopped → {"sessions", "role"}: stopped conversations, oldest stop first. */
export const listStopped = async (deps: ConsoleDeps, { caller }: RouteCall): Promise<HttpResponse> => {
  const names = await loadStoppedSessions(deps.table, deps.space);
  const heads = await deps.table.load(
    names.map((name) => sessionKey(deps.space, name)),
    { isConsistent: true },
  );
  const sessions = heads.flatMap((item, index): StoppedSessionView[] => {
    const session = names[index] ?? '';
    const head = item === undefined ? undefined : parseHead(session, item);
    // The index may lag: conversations that were resumed meanwhile are left out.
    if (head?.stoppedBecause === undefined) return [];
    const { stoppedBecause: because, stoppedAt = 0, stoppedBy: signalId = '' } = head;
    return [{ session, because, stoppedAt, signalId }];
  });
  return respondJson(200, { sessions, role: caller.kind });
};
