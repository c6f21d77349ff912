/**
 * Sends approved actions of a suspended signal to Act. The signal goes back into the index of unfinished ones first, so
 * that an approval outlives queues that are lost; the sweep comes back here through Perceive. Repeating it is harmless:
 * the approval is spent once, in the transaction that claims the action.
 */

import type { Approval } from '../approvals/approval.ts';
import { parseApproval } from '../approvals/decide-approval.ts';
import { SWEEP_BACKOFF_MS } from '../base/limits.ts';
import { parseEffect } from '../ledger/effects.ts';
import { actMessage, advance, parseDecision } from '../ledger/ledger.ts';
import type { ActMessage } from '../signal/messages.ts';
import { approvalKey, indexPartitions, signalKeys } from '../store/keys.ts';
import type { Publish } from '../store/queue.ts';
import type { Item, Table } from '../store/table.ts';

export interface ResumeDeps {
  readonly table: Table;
  readonly publishAct: Publish<ActMessage>;
  readonly now: number;
}

export const resumeSuspended = async (deps: ResumeDeps, space: string, id: string): Promise<void> => {
  const due = {
    unfinishedSpace: indexPartitions.unfinishedSignals(space),
    unfinishedAt: deps.now + SWEEP_BACKOFF_MS[0],
  };
  const under = { set: due, remove: ['awaitsLog'] };
  const { record } = await advance(deps.table, { space, id }, ['suspended'], under);
  const page = await deps.table.query({ pk: signalKeys.partition(space, id), isConsistent: true });
  const decisionItem = page.items.find((item: Item) => item.sk === 'decision');
  if (decisionItem === undefined) return;
  const whole = actMessage(record.signal, parseDecision(id, decisionItem));
  for (const approval of await approvedOf(deps.table, space, id, page.items)) {
    const actions = [{ n: approval.n, hash: approval.actionHash, approvalId: approval.id }];
    await deps.publishAct({ ...whole, actions }, `approved:${approval.id}:${record.round}`);
  }
};

/** Whatever became of the effect: Act finds it open, lapsed or settled, and closes the signal accordingly. */
const approvedOf = async (
  table: Table,
  space: string,
  id: string,
  items: readonly Item[],
): Promise<readonly Approval[]> => {
  const named = items
    .filter((item) => String(item.sk).startsWith('effect#'))
    .map((item) => parseEffect(id, item).approvalId)
    .filter((approvalId) => approvalId !== undefined);
  const stored = await table.load(
    named.map((approvalId) => approvalKey(space, approvalId)),
    { isConsistent: true },
  );
  return stored
    .filter((item) => item !== undefined)
    .map((item) => parseApproval(String(item.pk), item))
    .filter(({ state, endedBecause }) => state === 'approved' || state === 'spent' || endedBecause === 'refused');
};
