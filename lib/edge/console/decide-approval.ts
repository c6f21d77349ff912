/**
 * POST /api/approvals/<id> {"decision"} → 202 {"id"} of the signal that carries the decision: it is
 * checked again and spent by the pipeline; 404 for an unknown one, 409 in plain words for one that
 * can no longer be decided, and for a yes while space or conversation are stopped.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { Approval } from '../../approvals/approval.ts';
import { type KillSwitch, loadKillSwitch } from '../../ledger/kill-switch.ts';
import { parseStored, type SessionHead } from '../../ledger/record.ts';
import { loadHead } from '../../ledger/session-controls.ts';
import { consoleSignalId } from '../../signal/ids.ts';
import { approvalKey } from '../../store/keys.ts';
import type { Table } from '../../store/table.ts';
import { HttpError, type HttpResponse } from '../function-url.ts';
import { acceptInput } from './accept-input.ts';
import { isApprovalId } from './console-ids.ts';
import type { ControlDeps, RouteCall } from './deps.ts';
import { parseBody } from './parse-body.ts';

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
 * Names one decision, so that a repeated request is one signal. A stopped space answers a yes
 * without taking it: after the switch was used again, the same yes is a new one.
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
  deps: ControlDeps,
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
