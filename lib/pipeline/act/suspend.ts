/**
 * Suspending: an action the gates ask about becomes a pending approval bound to its exact bytes, and the person is told
 * how to decide. Approval and suspended effect are one transaction; the card is a notice with a decision of its own.
 */

import type { Approval } from '../../approvals/approval.ts';
import { buildCard } from '../../approvals/card.ts';
import { CARDS_AS_READ, type CardRoom, findCardRoom } from '../../approvals/open-cards.ts';
import { taintSource } from '../../approvals/taint-source.ts';
import { IS_NEW } from '../../aws/condition.ts';
import { approvalKey, indexPartitions, signalKeys } from '../../aws/keys.ts';
import type { Item, Table } from '../../aws/table.ts';
import { ConditionError } from '../../errors.ts';
import { APPROVAL_TTL_MS } from '../../limits.ts';
import { accountsOf, type QuotaAccount } from '../../quota/quota.ts';
import { retryConflicts } from '../../quota/take-quota.ts';
import type { Decision, Effect, JudgedAction } from '../../signal/decision.ts';
import type { Signal } from '../../signal/signal.ts';
import { cardSuffix } from '../card-update.ts';
import { notices } from '../notices.ts';
import { type NoticeContext, saveNotice } from '../notify.ts';
import { packEffect } from '../pack.ts';
import { recordEffect } from './claim.ts';
import { loadRoot } from './load-root.ts';

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

/** @returns the effect as it stands, the notice signal to publish, and whether one more was more than people can decide. */
export const suspendAction = async (
  deps: SuspendDeps,
  signal: Signal,
  judged: JudgedAction,
  base: Effect,
): Promise<{ effect: Effect; card: Signal | undefined; isTooMany: boolean }> => {
  const { table } = deps;
  const root = await loadRoot(table, signal);
  const approval = buildApproval(deps, signal, root.sender.id, judged, base.n);
  const effect: Effect = { ...base, state: 'suspended', approvalId: approval.id };
  const full = await storeWithRoom(deps, signal, { approval, effect }, accountsOf(root));
  if (full !== undefined) {
    const refused: Effect = { ...base, state: 'refused', reason: full.reason, settledAt: deps.context.now };
    await recordEffect(table, signal, refused);
    return { effect: refused, card: undefined, isTooMany: full.isOwners };
  }
  return { effect, card: await saveCard(deps, signal, approval), isTooMany: false };
};

/** @returns why there is no room for one more; undefined where approval and effect are stored. */
const storeWithRoom = async (
  { table, context: { now } }: SuspendDeps,
  signal: Signal,
  { approval, effect }: { readonly approval: Approval; readonly effect: Effect },
  accounts: readonly QuotaAccount[],
): Promise<Extract<CardRoom, { kind: 'full' }> | undefined> => {
  const { space, id } = signal;
  const write = async (): Promise<Extract<CardRoom, { kind: 'full' }> | undefined> => {
    const room = await findCardRoom(table, space, approval.id, accounts, now);
    if (room.kind === 'full') return room;
    await table.transact([
      { kind: 'put', key: approvalKey(space, approval.id), item: inFeed(approval), condition: IS_NEW },
      { kind: 'put', key: signalKeys.effect(space, id, effect.n), item: { ...packEffect(effect) }, condition: IS_NEW },
      room.write,
    ]);
    return undefined;
  };
  const isOutdated = (error: unknown): boolean => error instanceof ConditionError && error.condition === CARDS_AS_READ;
  try {
    return await retryConflicts(write, isOutdated);
  } catch (error) {
    // Another delivery has suspended it.
    if (!(error instanceof ConditionError)) throw error;
    return undefined;
  }
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
