/**
 * Suspending: an action the gates ask about becomes a pending approval bound to its exact bytes, and the person is told
 * how to decide. Approval and suspended effect are one transaction; the card is a notice with a decision of its own.
 */

import type { Approval } from '../../approvals/approval.ts';
import { buildCard } from '../../approvals/card.ts';
import { CARDS_AS_READ, type CardRoom, findCardRoom } from '../../approvals/open-cards.ts';
import { taintSource } from '../../approvals/taint-source.ts';
import { defined } from '../../base/defined.ts';
import { ConditionError } from '../../base/errors.ts';
import { HOUR_MS } from '../../base/limits.ts';
import { notices } from '../../judge/notices.ts';
import { cardSuffix, type NoticeContext, saveNotice } from '../../judge/notify.ts';
import { packEffect } from '../../ledger/ledger.ts';
import { accountsOf, type QuotaAccount, retryConflicts } from '../../ledger/quota.ts';
import { type ChatMemory, isGroup } from '../../signal/asker.ts';
import type { Decision, Effect, JudgedAction } from '../../signal/decision.ts';
import type { ReplyRoute, Signal } from '../../signal/signal.ts';
import { IS_NEW } from '../../store/condition.ts';
import { approvalKey, indexPartitions, signalKeys } from '../../store/keys.ts';
import type { Item, Table } from '../../store/table.ts';
import { recordEffect } from './claim.ts';
import { loadRoot } from './load-root.ts';

/** An approval nobody answered; a person at dinner comes back within the hour. */
export const APPROVAL_TTL_MS = HOUR_MS;

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
  /** How the chat stands to memory now. */
  readonly chatMemory: ChatMemory;
  /** Telegram chat that hears of what nobody asked for. */
  readonly homeChat?: string | undefined;
}

/**
 * A card shows the whole action, so what was made from memory is shown to no group that is not
 * opened: it goes to the home chat if that is private, else to the private chat of the approver who
 * began the turn. Undefined where the chat itself may see it.
 */
const privateRoute = (
  { chatMemory, homeChat = '' }: SuspendDeps,
  { reply }: Signal,
  requester: string,
  { facts }: JudgedAction,
): ReplyRoute | undefined => {
  if (!isGroup(reply) || chatMemory === 'open' || facts.at(-1)?.isMemoryShown === false) return undefined;
  const isPrivate = (chat: string): boolean => /^\d+$/.test(chat);
  const to = [homeChat, requester.replace(/^telegram:/, '')].find(isPrivate);
  return to === undefined ? { target: 'console', to: 'main' } : { target: 'telegram', to };
};

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
  const cardRoute = privateRoute(deps, signal, requester, judged);
  const route = cardRoute ?? signal.reply;
  // A card that cannot show all of it decides nothing: then no chat may.
  const isOnCard = route.target === 'telegram' && buildCard(approval).isWhole;
  return {
    ...approval,
    ...(isOnCard ? { cardChat: route.to } : {}),
    ...defined({ cardRoute }),
  };
};

/** Stays in the list of all approvals, whatever becomes of it. */
const inFeed = (approval: Approval): Item => ({
  ...approval,
  feedSpace: indexPartitions.approvalFeed(approval.space),
  feedAt: approval.createdAt,
});

/**
 * @returns the effect as it stands, the notice signals to publish, and whether one more was more
 * than people can decide.
 */
export const suspendAction = async (
  deps: SuspendDeps,
  signal: Signal,
  judged: JudgedAction,
  base: Effect,
): Promise<{ effect: Effect; cards: readonly Signal[]; isTooMany: boolean }> => {
  const { table } = deps;
  const root = await loadRoot(table, signal);
  const approval = buildApproval(deps, signal, root.sender.id, judged, base.n);
  const effect: Effect = { ...base, state: 'suspended', approvalId: approval.id };
  const full = await storeWithRoom(deps, signal, { approval, effect }, accountsOf(root));
  if (full !== undefined) {
    const refused: Effect = { ...base, state: 'refused', reason: full.reason, settledAt: deps.context.now };
    await recordEffect(table, signal, refused);
    return { effect: refused, cards: [], isTooMany: full.isOwners };
  }
  return { effect, cards: await saveCards(deps, signal, approval), isTooMany: false };
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
export const saveCards = async (
  { table, context }: Pick<SuspendDeps, 'table' | 'context'>,
  signal: Signal,
  approval: Approval,
): Promise<readonly Signal[]> => {
  const { n, cardRoute: route } = approval;
  const card = notices.approvalCard(approval);
  if (route === undefined) return [(await saveNotice(table, context, signal, cardSuffix(n), card)).signal];
  const told = notices.askedInPrivate();
  return [
    (await saveNotice(table, context, signal, cardSuffix(n), { ...card, route })).signal,
    (await saveNotice(table, context, signal, `asked-${n}`, told)).signal,
  ];
};
