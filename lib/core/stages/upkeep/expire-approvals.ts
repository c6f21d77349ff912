/** Ends pending approvals when time is over or the rules have changed. */
import type { Approval, Settlement } from '../../approvals/approval.ts';
import { parseApproval, settleApproval } from '../../approvals/approval.ts';
import { SWEEP_BACKOFF_MS } from '../../base/limits.ts';
import type { GateSet } from '../../gates/engine/verify.ts';
import { saveCardUpdate } from '../../judge/approval-notices.ts';
import { loadPolicyVersion } from '../../judge/judge.ts';
import { acceptSignal, perceiveMessage } from '../../ledger/accept.ts';
import type { Hooks } from '../../operations/hooks.ts';
import type { PerceiveMessage } from '../../signal/messages.ts';
import { equals } from '../../store/condition.ts';
import { approvalKey } from '../../store/keys.ts';
import type { Publish } from '../../store/queue.ts';
import type { Item, Table } from '../../store/table.ts';
import { updateIf } from '../../store/update-if.ts';
import { refuseSuspended } from '../suspended.ts';

export interface ExpireDeps {
  readonly table: Table;
  readonly publishPerceive: Publish<PerceiveMessage>;
  readonly gateSet: GateSet;
  readonly hooks: Hooks;
  readonly space: string;
  readonly now: number;
}

/** @param open items of the index of pending approvals @returns how many expired */
export const expireApprovals = async (deps: ExpireDeps, open: readonly Item[]): Promise<number> => {
  const policyVersion = await loadPolicyVersion(deps.table, deps.space, deps.gateSet);
  let expired = 0;
  for (const item of open) {
    const approval = parseApproval(String(item.pk), item);
    const isDue = approval.expiresAtMs <= deps.now;
    const isOutdated = approval.policyVersion !== policyVersion;
    const isToEnd = approval.state === 'pending' && (isDue || isOutdated);
    const settled = isToEnd ? await settleApproval(deps.table, approval, expiryOf(isDue), deps.now) : approval;
    if (settled.state === 'expired') {
      await tellExpired(deps, settled);
      expired += 1;
    }
    // A yes that never came to Act is sent again. At its end Act refuses the action, and the turn
    // goes on.
    if (settled.state === 'approved' && (isDue || isLate(settled, deps.now)))
      await deps.publishPerceive(perceiveMessage({ ...settled, id: settled.signalId }), `unspent:${settled.id}`);
    if (settled.state === 'expired' || isDue) await leaveIndex(deps, settled);
  }
  return expired;
};

/** A yes may come before its signal is suspended: if Act's message is lost, this sweep sees it. */
const isLate = ({ decidedAt = 0 }: Approval, now: number): boolean => now - decidedAt >= SWEEP_BACKOFF_MS[0];

const expiryOf = (isDue: boolean): Settlement => ({
  state: 'expired',
  by: 'heartbeat',
  ...(isDue ? {} : { endedBecause: 'policy' }),
});

const tellExpired = async (deps: ExpireDeps, approval: Approval): Promise<void> => {
  const child = await refuseSuspended(deps, approval, 'expired');
  const update = await saveCardUpdate(deps.table, deps, approval);
  if (update !== undefined) await deps.publishPerceive(perceiveMessage(update.signal), 'notice');
  if (child !== undefined) await acceptSignal({ table: deps.table, publish: deps.publishPerceive }, child);
};

/**
 * Comes last, so that a sweep that died before finds the approval here again. An approval that was
 * never spent in its time leaves too: the last mile refuses it from now on.
 */
const leaveIndex = async ({ table, space }: ExpireDeps, { id, state }: Approval): Promise<void> => {
  const isAsRead = { name: `approval is ${state}`, holds: equals('state', state) };
  await updateIf(table, approvalKey(space, id), { remove: ['unfinishedSpace', 'unfinishedAt'] }, isAsRead);
};
