/**
 * A person's acts that wait for nobody: POST /api/stop, POST /api/resume {"session"?}, POST
 * /api/approvals/<id> {"decision"}, each → 202 {"id"} of the signal that carries it. They have a
 * function of their own, in which no stream, page or list runs. A stop is in force before it is
 * answered; the pipeline checks a resume or a decision again.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { Approval } from '../../approvals/approval.ts';
import { defined } from '../../base/defined.ts';
import { HttpError, type HttpResponse } from '../../http/function-url.ts';
import { type KillSwitch, loadKillSwitch } from '../../ledger/kill-switch.ts';
import type { SessionHead } from '../../ledger/record.ts';
import { loadHead } from '../../ledger/session-controls.ts';
import { consoleSignalId } from '../../signal/ids.ts';
import { SessionName } from '../../signal/signal.ts';
import { approvalKey } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import { parseStored } from '../../store/parse-stored.ts';
import { acceptInput } from './messages.ts';
import { answerRoutes, type ControlDeps, parseBody, type Route, type RouteCall, route } from './router.ts';

const postStop = (deps: ControlDeps, { caller }: RouteCall): Promise<HttpResponse> =>
  acceptInput(deps, caller, { payload: { sensor: 'interrupt' } });

const PostedResume = z.strictObject({ session: z.optional(SessionName) });

/** Without a session: resumes the space. With one: that conversation alone. */
const postResume = (deps: ControlDeps, { request, caller }: RouteCall): Promise<HttpResponse> => {
  const { session } = request.body.byteLength === 0 ? {} : parseBody(request, PostedResume);
  return acceptInput(deps, caller, { payload: { sensor: 'resume', ...defined({ session }) } });
};

const PostedDecision = z.strictObject({ decision: z.enum(['approve', 'deny', 'allow-similar', 'allow-task']) });

/** Approval ids are 128 bits in hex. */
const APPROVAL_ID = /^[0-9a-f]{32}$/;

const loadApproval = async ({ table, space }: ControlDeps, id = ''): Promise<Approval> => {
  const item = APPROVAL_ID.test(id) ? await loadItem(table, approvalKey(space, id)) : undefined;
  if (item === undefined) throw new HttpError(404, 'not-found', 'there is no such approval');
  return parseStored(item, Approval, 'approval');
};

/** Why an approval can no longer be decided; undefined while it can. */
const describeClosed = (approval: Approval, now: number): string | undefined => {
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

interface Stops {
  readonly space: KillSwitch | undefined;
  readonly session: SessionHead | undefined;
}

/** Why nothing can be approved now; undefined if it can. */
const describeStop = ({ space, session }: Stops, name: string): string | undefined => {
  if (space?.isStopped === true) return 'The agent is stopped; nothing is performed. /resume first, then approve.';
  if (session?.stoppedBecause === undefined) return undefined;
  return `The conversation ${name} is stopped; nothing is performed there. /resume ${name} first, then approve.`;
};

/**
 * Names one decision, so that a repeated request is one signal. It depends on the last change of
 * the stops, because a stopped space answers a yes without taking it: the same yes after a resume
 * is a new decision.
 */
const nameDecision = (approvalId: string, stops: Stops): string => {
  const hash = createHash('sha256').update(approvalId);
  for (const at of [stops.space?.at, stops.session?.stoppedAt]) if (at !== undefined) hash.update(`\n${at}`);
  return hash.digest('hex').slice(0, 24);
};

/** 404 for an unknown approval, 409 for a closed one or a yes during a stop. A no is taken. */
const decideApproval = async (deps: ControlDeps, call: RouteCall): Promise<HttpResponse> => {
  const { request, params, caller } = call;
  const { decision } = parseBody(request, PostedDecision);
  const approval = await loadApproval(deps, params[0]);
  const closed = describeClosed(approval, deps.now());
  if (closed !== undefined) throw new HttpError(409, 'not-pending', closed);
  const stops = {
    space: await loadKillSwitch(deps.table, deps.space),
    session: await loadHead(deps.table, approval),
  };
  const stopped = decision === 'deny' ? undefined : describeStop(stops, approval.session);
  if (stopped !== undefined) throw new HttpError(409, 'stopped', stopped);
  return acceptInput(deps, caller, {
    // A hash: this id is listed for people who may not hold the approval's own (I5).
    id: consoleSignalId(`approval-${nameDecision(approval.id, stops)}-${decision}`),
    session: approval.session,
    payload: { sensor: 'approval-decision', approvalId: approval.id, decision },
  });
};

export const CONTROL_ROUTES: readonly Route<ControlDeps>[] = [
  route('POST', '/api/stop', 'speak-as-owner', postStop),
  route('POST', '/api/resume', 'approver', postResume),
  route('POST', '/api/approvals/([^/]+)', 'approver', decideApproval),
];

/** Answers one function URL event. Never throws. */
export const answerControl = (deps: ControlDeps, event: unknown): Promise<HttpResponse> =>
  answerRoutes({ routes: CONTROL_ROUTES, deps }, event);
