/**
 * GET /api/approvals?state= → {"approvals": […], "role"}: what waits for a person; with a state (plan, approved, denied,
 * expired, done, or all) the flight plans in that state, newest first, at most FEED_LIMIT_MAX. An approval's id is the capability itself
 * (I5), so it is shown to an approver only.
 * POST /api/approvals/<id> {"decision"} → 202 {"id"} of the signal that carries the decision: it is checked again and
 * spent by the pipeline; 404 for an unknown one, 409 in plain words for one that can no longer be decided, and for a yes
 * while space or conversation are stopped.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { Approval } from '../approvals/approval.ts';
import { type FlightStage, STAGES, stageOf } from '../approvals/flight-plan.ts';
import { approvalKey, indexPartitions } from '../aws/keys.ts';
import type { Table } from '../aws/table.ts';
import { ProtocolError } from '../errors.ts';
import { HttpError, type HttpResponse, respondJson } from '../http/function-url.ts';
import { FEED_LIMIT_MAX, PENDING_APPROVALS_MAX } from '../limits.ts';
import { type KillSwitch, loadKillSwitch } from '../pipeline/kill-switch.ts';
import { parseStored, type SessionHead } from '../pipeline/record.ts';
import { loadHead } from '../pipeline/session-controls.ts';
import type { Action } from '../signal/action.ts';
import { consoleSignalId } from '../signal/ids.ts';
import { acceptInput } from './accept-input.ts';
import { isApprovalId } from './console-ids.ts';
import type { ConsoleDeps, RouteCall } from './deps.ts';
import { parseBody } from './parse-body.ts';
import { showAction } from './signal-view.ts';
import type { Caller } from './tokens.ts';

export interface ApprovalView {
  /** Only for an approver. */
  readonly id?: string;
  readonly signalId: string;
  readonly n: number;
  readonly session: string;
  readonly action: Action;
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

/** Pure. */
export const buildApprovalView = (approval: Approval, caller: Caller, now: number): ApprovalView => ({
  ...(caller.kind === 'approver' ? { id: approval.id } : {}),
  signalId: approval.signalId,
  n: approval.n,
  session: approval.session,
  action: showAction(approval.action),
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

const PostedDecision = z.strictObject({ decision: z.enum(['approve', 'deny', 'allow-similar']) });

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

/**
 * Names one decision, so that a repeated request is one signal. A stopped space answers a yes without taking it: after the
 * switch was used again, the same yes is a new one.
 */
const decisionName = (approvalId: string, switches: Switches): string => {
  const hash = createHash('sha256').update(approvalId);
  for (const at of [switches.space?.at, switches.session?.stoppedAt]) if (at !== undefined) hash.update(`\n${at}`);
  return hash.digest('hex').slice(0, 24);
};

/** What may hold the action back, as it stands. */
interface Switches {
  readonly space: KillSwitch | undefined;
  readonly session: SessionHead | undefined;
}

/** Why nothing can be approved now, or undefined. Pure. A no is always taken. */
const stoppedBecause = ({ space, session }: Switches, name: string): string | undefined => {
  if (space?.isStopped === true) return 'The agent is stopped; nothing is performed. /resume first, then approve.';
  if (session?.stoppedBecause === undefined) return undefined;
  return `The conversation ${name} is stopped; nothing is performed there. /resume ${name} first, then approve.`;
};

export const decideApproval = async (
  deps: ConsoleDeps,
  { request, params, caller }: RouteCall,
): Promise<HttpResponse> => {
  const { decision } = parseBody(request, PostedDecision);
  const approval = await loadApproval(deps.table, deps.space, params[0] ?? '');
  const closed = closedBecause(approval, deps.now());
  if (closed !== undefined) throw new HttpError(409, 'not-pending', closed);
  const switches = {
    space: await loadKillSwitch(deps.table, deps.space),
    session: await loadHead(deps.table, approval),
  };
  const stopped = decision === 'deny' ? undefined : stoppedBecause(switches, approval.session);
  if (stopped !== undefined) throw new HttpError(409, 'stopped', stopped);
  return acceptInput(deps, {
    // A hash, because this id is listed for people who may not hold the approval's own (I5).
    id: consoleSignalId(`approval-${decisionName(approval.id, switches)}-${decision}`),
    caller,
    conversation: 'main',
    session: approval.session,
    payload: { sensor: 'approval-decision', approvalId: approval.id, decision },
  });
};
