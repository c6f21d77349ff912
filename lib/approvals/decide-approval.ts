/**
 * A person decides, or time does: from pending to approved, denied or expired, once. Who may decide: the sender must be
 * an approver as the ingress authenticated them, and a tap counts only in the chat the card was sent to (I5).
 */

import { ConditionError } from '../base/errors.ts';
import { parseStored } from '../ledger/record.ts';
import type { Signal } from '../signal/signal.ts';
import { type Condition, equals } from '../store/condition.ts';
import { approvalKey } from '../store/keys.ts';
import type { Item, Table } from '../store/table.ts';
import { Approval } from './approval.ts';

export const parseApproval = (id: string, item: Item): Approval => parseStored(`approval ${id}`, item, Approval);

export type ApprovalRuling =
  | { readonly kind: 'may-not' }
  | { readonly kind: 'stale'; readonly state: string }
  /** The rules are not those it was asked under: it expires, now or by an earlier delivery of this same signal. */
  | { readonly kind: 'outdated' }
  /** The space is stopped: nothing is approved until it runs again. */
  | { readonly kind: 'stopped' }
  /** Decided, now or by an earlier delivery of this same signal. */
  | { readonly kind: 'decided'; readonly state: 'approved' | 'denied' };

/** What a decision is judged by, beside the approval itself. */
export interface RulingFacts {
  readonly now: number;
  /** Version of the rules now in force. */
  readonly policyVersion: string;
  readonly isStopped: boolean;
}

/** Pure: what a decision signal means for an approval as it stands. */
export const ruleOnApproval = (
  approval: Approval | undefined,
  signal: Signal,
  { now, policyVersion, isStopped }: RulingFacts,
): ApprovalRuling => {
  const { payload } = signal;
  if (approval === undefined || payload.sensor !== 'approval-decision' || approval.space !== signal.space)
    return { kind: 'stale', state: 'unknown' };
  if (!signal.sender.isApprover) return { kind: 'may-not' };
  if (payload.card !== undefined && approval.cardChat !== payload.card.chat) return { kind: 'may-not' };
  const wanted = payload.decision === 'deny' ? 'denied' : 'approved';
  if (approval.state === wanted && approval.decidedBy === signal.id) return { kind: 'decided', state: wanted };
  if (approval.endedBecause === 'policy' && approval.decidedBy === signal.id) return { kind: 'outdated' };
  if (approval.state !== 'pending') return { kind: 'stale', state: approval.state };
  if (now >= approval.expiresAtMs) return { kind: 'stale', state: 'expired' };
  if (approval.policyVersion !== policyVersion) return { kind: 'outdated' };
  if (wanted === 'approved' && isStopped) return { kind: 'stopped' };
  return { kind: 'decided', state: wanted };
};

/** How a pending approval ends. */
export type Settlement =
  | { readonly state: 'approved' | 'denied'; readonly by: string; readonly decider: string }
  | { readonly state: 'expired'; readonly by: string; readonly endedBecause?: 'policy' };

/** Writes the outcome, once. @returns the approval as it stands, by this outcome or another. */
export const settleApproval = async (
  table: Pick<Table, 'update'>,
  approval: Approval,
  { by, ...outcome }: Settlement,
  now: number,
): Promise<Approval> => {
  const isPending: Condition = { name: 'approval is pending', holds: equals('state', 'pending') };
  try {
    const item = await table.update(
      approvalKey(approval.space, approval.id),
      {
        set: { ...outcome, decidedBy: by, decidedAt: now },
        // A denial's own signal is delivered until it is done; nobody but the sweep comes back for an expired one.
        remove: outcome.state === 'denied' ? ['unfinishedSpace', 'unfinishedAt'] : [],
      },
      isPending,
    );
    return parseApproval(approval.id, item);
  } catch (error) {
    if (!(error instanceof ConditionError) || typeof error.current !== 'object' || error.current === null) throw error;
    return parseApproval(approval.id, { ...error.current });
  }
};

/**
 * Notes when a card showed the bounds for allowing similar ones: only those are granted. @returns
 * false once it is decided.
 */
export const noteSimilar = async (
  table: Pick<Table, 'update'>,
  { space, id }: Approval,
  at: number,
): Promise<boolean> => {
  const isPending: Condition = { name: 'approval is pending', holds: equals('state', 'pending') };
  try {
    await table.update(approvalKey(space, id), { set: { similarAt: at } }, isPending);
    return true;
  } catch (error) {
    if (error instanceof ConditionError) return false;
    throw error;
  }
};

/** A yes whose action was refused for good before it was done: it ends unspent, and no plan shows it as still to come. */
export const endUnspent = async (table: Pick<Table, 'update'>, { space, id }: Approval, now: number): Promise<void> => {
  const isApproved: Condition = { name: 'approval is approved and not spent', holds: equals('state', 'approved') };
  try {
    await table.update(
      approvalKey(space, id),
      { set: { state: 'expired', endedBecause: 'refused', endedAt: now }, remove: ['unfinishedSpace', 'unfinishedAt'] },
      isApproved,
    );
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
  }
};
