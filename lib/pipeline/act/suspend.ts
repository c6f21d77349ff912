/**
 * Suspending: an action the gates ask about becomes a pending approval bound to its exact bytes, and the person is told
 * how to decide. Approval and suspended effect are one transaction; the card is a notice with a decision of its own.
 */

import type { Approval } from '../../approvals/approval.ts';
import { buildCard } from '../../approvals/card.ts';
import { taintSource } from '../../approvals/taint-source.ts';
import { IS_NEW } from '../../aws/condition.ts';
import { approvalKey, indexPartitions, signalKeys } from '../../aws/keys.ts';
import type { Item, Table } from '../../aws/table.ts';
import { ConditionError } from '../../errors.ts';
import { APPROVAL_TTL_MS, PENDING_APPROVALS_MAX } from '../../limits.ts';
import type { Decision, Effect, JudgedAction } from '../../signal/decision.ts';
import type { Signal } from '../../signal/signal.ts';
import { cardSuffix } from '../card-update.ts';
import { parseRecord } from '../ledger.ts';
import { notices } from '../notices.ts';
import { type NoticeContext, saveNotice } from '../notify.ts';
import { packEffect } from '../pack.ts';
import { recordEffect } from './claim.ts';

export interface SuspendDeps {
  readonly table: Table;
  readonly context: NoticeContext;
  /** 128 random bits as 32 hex digits. */
  readonly newApprovalId: () => string;
  readonly policyVersion: string;
  /** Micro-dollars: what it costs, and what of the day is left. */
  readonly costs: NonNullable<Approval['costs']>;
  /** Names what its prompt showed. */
  readonly decision: Pick<Decision, 'seen'>;
}

const buildApproval = (
  deps: SuspendDeps,
  signal: Signal,
  requester: string,
  judged: JudgedAction,
  n: number,
): Approval => {
  const asks = judged.trace.filter((entry) => entry.verdict === 'ask').map(({ gate, reason }) => ({ gate, reason }));
  const origin = judged.facts.at(-1)?.origin ?? 'outside';
  const approval: Approval = {
    schemaVersion: 1,
    id: deps.newApprovalId(),
    space: signal.space,
    session: signal.session,
    signalId: signal.id,
    n,
    action: judged.action,
    actionHash: judged.hash,
    policyVersion: deps.policyVersion,
    reasons: asks.map(({ reason }) => reason),
    asks,
    requester,
    origin,
    ...(origin === 'outside' ? { taintSource: taintSource(signal, deps.decision) } : {}),
    costs: deps.costs,
    state: 'pending',
    createdAt: deps.context.now,
    expiresAtMs: deps.context.now + APPROVAL_TTL_MS,
    unfinishedSpace: indexPartitions.pendingApprovals(signal.space),
    unfinishedAt: deps.context.now + APPROVAL_TTL_MS,
  };
  // A card that cannot show all of it decides nothing: then no chat may.
  const isOnCard = signal.reply.target === 'telegram' && buildCard(approval).isWhole;
  return isOnCard ? { ...approval, cardChat: signal.reply.to } : approval;
};

/** Stays in the list of all approvals, whatever becomes of it. */
const inFeed = (approval: Approval): Item => ({
  ...approval,
  feedSpace: indexPartitions.approvalFeed(approval.space),
  feedAt: approval.createdAt,
});

/** The person, webhook or console behind the turn: a later signal of it is sent by the system itself. */
const requesterOf = async (table: Pick<Table, 'load'>, signal: Signal): Promise<string> => {
  if (signal.id === signal.root) return signal.sender.id;
  const [item] = await table.load([signalKeys.record(signal.space, signal.root)]);
  return item === undefined ? signal.sender.id : parseRecord(signal.root, item).signal.sender.id;
};

/** @returns the effect as it stands, the notice signal to publish, and whether one more was more than people can decide. */
export const suspendAction = async (
  deps: SuspendDeps,
  signal: Signal,
  judged: JudgedAction,
  base: Effect,
): Promise<{ effect: Effect; card: Signal | undefined; isTooMany: boolean }> => {
  const { table } = deps;
  const open = await table.queryIndex({
    index: 'unfinished',
    partition: indexPartitions.pendingApprovals(signal.space),
    limit: PENDING_APPROVALS_MAX,
  });
  if (open.items.length >= PENDING_APPROVALS_MAX) {
    const reason = `${PENDING_APPROVALS_MAX} approvals are open already: decide some first`;
    const refused: Effect = { ...base, state: 'refused', reason, settledAt: deps.context.now };
    await recordEffect(table, signal, refused);
    return { effect: refused, card: undefined, isTooMany: true };
  }
  const approval = buildApproval(deps, signal, await requesterOf(table, signal), judged, base.n);
  const effect: Effect = { ...base, state: 'suspended', approvalId: approval.id };
  try {
    await table.transact([
      { kind: 'put', key: approvalKey(signal.space, approval.id), item: inFeed(approval), condition: IS_NEW },
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
  return { effect, card: await saveCard(deps, signal, approval), isTooMany: false };
};

/** Made again after a crash between the two writes: the stored approval is the one that counts. */
export const saveCard = async (
  deps: Pick<SuspendDeps, 'table' | 'context'>,
  signal: Signal,
  approval: Approval,
): Promise<Signal> => {
  const notice = notices.approvalCard(approval);
  return (await saveNotice(deps.table, deps.context, signal, cardSuffix(approval.n), notice)).signal;
};
