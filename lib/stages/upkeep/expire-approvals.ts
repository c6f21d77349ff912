/**
 * What a sweep does with approvals: pending ones end with their time, or as soon as the rules are not those they were asked under. A
 * file of its own because most minutes find none, and what refuses, tells and judges is loaded only where one is found.
 */
import type { Approval, Settlement } from '../../approvals/approval.ts';
import { parseApproval, settleApproval } from '../../approvals/approval.ts';
import { ConditionError } from '../../base/errors.ts';
import type { GateSet } from '../../gates/engine/verify.ts';
import { loadPolicyVersion } from '../../judge/judge.ts';
import { saveCardUpdate } from '../../judge/notify.ts';
import { acceptSignal, perceiveMessage } from '../../ledger/accept.ts';
import type { PerceiveMessage } from '../../signal/messages.ts';
import { equals } from '../../store/condition.ts';
import { approvalKey } from '../../store/keys.ts';
import type { Publish } from '../../store/queue.ts';
import type { Item, Table } from '../../store/table.ts';
import { refuseSuspended } from '../suspended.ts';

export interface ExpireDeps {
  readonly table: Table;
  readonly publishPerceive: Publish<PerceiveMessage>;
  readonly gateSet: GateSet;
  readonly space: string;
  readonly now: number;
}

/** @param open those that stand in the index of pending ones. @returns how many expired. */
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
    if (settled.state === 'expired' || isDue) await leaveIndex(deps, settled);
  }
  return expired;
};

const expiryOf = (isDue: boolean): Settlement => ({
  state: 'expired',
  by: 'heartbeat',
  ...(isDue ? {} : { endedBecause: 'policy' }),
});

const tellExpired = async (deps: ExpireDeps, approval: Approval): Promise<void> => {
  const child = await refuseSuspended(deps.table, approval, 'expired', deps.now);
  const update = await saveCardUpdate(deps.table, deps, approval);
  if (update !== undefined) await deps.publishPerceive(perceiveMessage(update), 'notice');
  if (child !== undefined) await acceptSignal({ table: deps.table, publish: deps.publishPerceive }, child);
};

/**
 * Last, so that a sweep that died before finds the approval here again. One that was approved but never spent in its time
 * leaves too: the last mile refuses it from now on.
 */
const leaveIndex = async (deps: ExpireDeps, { id, state }: Approval): Promise<void> => {
  await deps.table
    .update(
      approvalKey(deps.space, id),
      { remove: ['unfinishedSpace', 'unfinishedAt'] },
      { name: `approval is ${state}`, holds: equals('state', state) },
    )
    .catch((error: unknown) => {
      if (!(error instanceof ConditionError)) throw error;
    });
};
