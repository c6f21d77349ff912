/**
 * Suspending: an action the gates ask about becomes a pending approval bound to its exact bytes, and the person is told
 * how to decide. Approval and suspended effect are one transaction; the card is a notice with a decision of its own.
 */

import type { Approval } from '../approvals/approval.ts';
import { IS_NEW } from '../aws/condition.ts';
import { approvalKey, indexPartitions, signalKeys } from '../aws/keys.ts';
import type { Table } from '../aws/table.ts';
import { ConditionError } from '../errors.ts';
import { APPROVAL_TTL_MS, PENDING_APPROVALS_MAX } from '../limits.ts';
import type { Effect, JudgedAction } from '../signal/decision.ts';
import type { Signal } from '../signal/signal.ts';
import { notices } from './notices.ts';
import { type NoticeContext, saveNotice } from './notify.ts';
import { packEffect } from './pack.ts';

export interface SuspendDeps {
  readonly table: Table;
  readonly context: NoticeContext;
  /** 128 random bits as 32 hex digits. */
  readonly newApprovalId: () => string;
  readonly policyVersion: string;
}

const buildApproval = (deps: SuspendDeps, signal: Signal, judged: JudgedAction, n: number): Approval => ({
  schemaVersion: 1,
  id: deps.newApprovalId(),
  space: signal.space,
  session: signal.session,
  signalId: signal.id,
  n,
  action: judged.action,
  actionHash: judged.hash,
  policyVersion: deps.policyVersion,
  reasons: judged.trace.filter((entry) => entry.verdict === 'ask').map((entry) => entry.reason),
  state: 'pending',
  createdAt: deps.context.now,
  expiresAtMs: deps.context.now + APPROVAL_TTL_MS,
  ...(signal.reply.target === 'telegram' ? { cardChat: signal.reply.to } : {}),
  unfinishedSpace: indexPartitions.pendingApprovals(signal.space),
  unfinishedAt: deps.context.now + APPROVAL_TTL_MS,
});

/** @returns the effect as it stands, and the notice signals to publish. */
export const suspendAction = async (
  deps: SuspendDeps,
  signal: Signal,
  judged: JudgedAction,
  base: Effect,
): Promise<{ effect: Effect; card: Signal | undefined }> => {
  const { table } = deps;
  const open = await table.queryIndex({
    index: 'unfinished',
    partition: indexPartitions.pendingApprovals(signal.space),
    limit: PENDING_APPROVALS_MAX,
  });
  if (open.items.length >= PENDING_APPROVALS_MAX) {
    return {
      effect: {
        ...base,
        state: 'refused',
        reason: `${PENDING_APPROVALS_MAX} approvals are open already: decide some first`,
      },
      card: undefined,
    };
  }
  const approval = buildApproval(deps, signal, judged, base.n);
  const effect: Effect = { ...base, state: 'suspended', approvalId: approval.id };
  try {
    await table.transact([
      { kind: 'put', key: approvalKey(signal.space, approval.id), item: { ...approval }, condition: IS_NEW },
      {
        kind: 'put',
        key: signalKeys.effect(signal.space, signal.id, base.n),
        item: { ...packEffect(effect) },
        condition: IS_NEW,
      },
    ]);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
  }
  return { effect, card: await saveCard(deps, signal, approval) };
};

/** Made again after a crash between the two writes: the stored approval is the one that counts. */
export const saveCard = async (
  deps: Pick<SuspendDeps, 'table' | 'context'>,
  signal: Signal,
  approval: Approval,
): Promise<Signal> => {
  const notice = notices.approvalCard(approval.id, approval.action, approval.reasons, approval.expiresAtMs);
  return (await saveNotice(deps.table, deps.context, signal, `card-${approval.n}`, notice)).signal;
};
