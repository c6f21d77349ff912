/**
 * GET /api/approvals?state= → {"approvals": […], "role"}: what waits for a person; with a state (plan, approved, denied,
 * expired, done, or all) the flight plans in that state, newest first, at most FEED_LIMIT_MAX. An approval's id is the capability itself
 * (I5), so it is shown to an approver only.
 */
import { Approval } from '../../approvals/approval.ts';
import { type FlightStage, STAGES, stageOf } from '../../approvals/flight-plan.ts';
import { listLookalikes } from '../../approvals/mark-lookalikes.ts';
import { canonicalJson } from '../../base/canonical.ts';
import { ProtocolError } from '../../base/errors.ts';
import { PENDING_APPROVALS_MAX } from '../../base/limits.ts';
import { parseStored } from '../../ledger/record.ts';
import type { Action } from '../../signal/action.ts';
import { indexPartitions } from '../../store/keys.ts';
import { type HttpResponse, respondJson } from '../function-url.ts';
import { FEED_LIMIT_MAX } from '../limits.ts';
import type { ConsoleDeps, RouteCall } from './deps.ts';
import { showAction } from './signal-view.ts';
import type { Caller } from './tokens.ts';

export interface ApprovalView {
  /** Only for an approver. */
  readonly id?: string;
  readonly signalId: string;
  readonly n: number;
  readonly session: string;
  readonly action: Action;
  /** Words of it that may be misread, each with its foreign letters named. */
  readonly lookalikes?: readonly string[];
  readonly reasons: readonly string[];
  /** The same, each with its gate. */
  readonly asks?: Approval['asks'] | undefined;
  /** Who started the turn, and where outside text in it came from. */
  readonly requester?: string | undefined;
  readonly taintSource?: string | undefined;
  /** Micro-dollars: what it costs, and what of the day was left when it was asked for. */
  readonly costs?: Approval['costs'] | undefined;
  readonly stage: FlightStage;
  /** Person who decided, and when. */
  readonly decider?: string | undefined;
  readonly decidedAt?: number | undefined;
  readonly spentAt?: number | undefined;
  /** Epoch milliseconds, both. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Those of the fields that are there. */
const pick = <K extends keyof Approval>(approval: Approval, names: readonly K[]): Partial<Pick<Approval, K>> => {
  const found: Partial<Pick<Approval, K>> = {};
  for (const name of names) if (approval[name] !== undefined) found[name] = approval[name];
  return found;
};

const lookalikesOf = (action: Action): Pick<ApprovalView, 'lookalikes'> => {
  const lookalikes = listLookalikes(canonicalJson(action));
  return lookalikes.length === 0 ? {} : { lookalikes };
};

/** Pure. */
export const buildApprovalView = (approval: Approval, caller: Caller, now: number): ApprovalView => ({
  ...(caller.kind === 'approver' ? { id: approval.id } : {}),
  signalId: approval.signalId,
  n: approval.n,
  session: approval.session,
  action: showAction(approval.action),
  ...lookalikesOf(approval.action),
  reasons: approval.reasons,
  ...pick(approval, ['asks', 'requester', 'taintSource', 'costs', 'decider', 'decidedAt', 'spentAt']),
  stage: stageOf(approval, now),
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

/** Every approval there was, newest first. */
const loadPlans = async (deps: Pick<ConsoleDeps, 'space' | 'table'>): Promise<readonly Approval[]> => {
  const page = await deps.table.queryIndex({
    index: 'feed',
    partition: indexPartitions.approvalFeed(deps.space),
    isDescending: true,
    limit: FEED_LIMIT_MAX,
  });
  const items = await deps.table.load(page.items.map((item) => ({ pk: String(item.pk), sk: String(item.sk) })));
  return items.flatMap((item) => (item === undefined ? [] : [parseStored('approval', item, Approval)]));
};

const parseState = (query: URLSearchParams): FlightStage | 'ALL' | undefined => {
  if ([...query.keys()].some((name) => name !== 'state')) throw new ProtocolError('query takes only state');
  const given = query.get('state')?.toUpperCase();
  if (given === undefined || given === 'ALL') return given;
  const stage = STAGES.find((one) => one === given);
  if (stage === undefined) throw new ProtocolError(`state must be all or one of ${STAGES.join(', ').toLowerCase()}`);
  return stage;
};

export const listApprovals = async (deps: ConsoleDeps, { request, caller }: RouteCall): Promise<HttpResponse> => {
  const state = parseState(request.query);
  const now = deps.now();
  const found = state === undefined ? await loadPending(deps) : await loadPlans(deps);
  const shown = found
    .map((approval) => buildApprovalView(approval, caller, now))
    .filter(({ stage }) => state === undefined || state === 'ALL' || stage === state);
  return respondJson(200, { approvals: shown, role: caller.kind });
};
