/**
 * Sends texts that code wrote. Each is an action with a stored decision like any other (I1).
 * `buildNoticeDecision` answers the signal itself (a command's answer, a refusal); `saveNotice`
 * makes a signal of its own (a card, a report).
 */
import * as z from 'zod/mini';
import type { Approval } from '../approvals/approval.ts';
import { SWEEP_BACKOFF_MS } from '../base/limits.ts';
import type { GateSet } from '../gates/engine/verify.ts';
import type { CardEnding } from '../judge/card.ts';
import { parseEffect, parseRecord, saveDecidedSignal } from '../ledger/ledger.ts';
import { buildRecordItem } from '../ledger/record.ts';
import type { Decision } from '../signal/decision.ts';
import { childId } from '../signal/ids.ts';
import { buildChild, type Signal } from '../signal/signal.ts';
import { signalKeys } from '../store/keys.ts';
import { loadNamed } from '../store/load-named.ts';
import type { Table } from '../store/table.ts';
import { buildPolicyVersion, decideByCode } from './judge.ts';
import { buildNoticeAction, type Notice, notices } from './notices.ts';

export interface NoticeContext {
  readonly gateSet: GateSet;
  readonly now: number;
}

/**
 * Decides that a signal ends with these notices. A notice without a route goes to whoever asked.
 */
export const buildNoticeDecision = (
  { gateSet, now }: NoticeContext,
  { id, space, reply }: Pick<Signal, 'id' | 'space' | 'reply'>,
  outcome: Decision['outcome'],
  reason: string,
  list: readonly Notice[],
): Promise<Decision> =>
  decideByCode(
    gateSet,
    { signalId: id, outcome, reason },
    list.map((notice) => buildNoticeAction(notice, notice.route ?? reply)),
    { stage: 'reason', now, space, reply, origin: 'agent', policyVersion: buildPolicyVersion(gateSet) },
  );

/** The signal a notice travels as: a child that takes no turn. */
export const buildNoticeSignal = (parent: Signal, suffix: string, template: string, now: number): Signal => ({
  ...buildChild(parent, suffix, { sensor: 'notice', template }, now),
  type: 'RESPONSE',
  // A notice adds no step: it must reach the person even at the end of the longest chain.
  depth: parent.depth,
});

/** Stores a notice as a decided signal; the caller publishes it. Repeating it changes nothing. */
export const saveNotice = async (
  table: Pick<Table, 'put'>,
  context: NoticeContext,
  parent: Signal,
  suffix: string,
  notice: Notice,
): Promise<{ signal: Signal; decision: Decision }> => {
  const signal = buildNoticeSignal(parent, suffix, notice.template, context.now);
  const built = await buildNoticeDecision(context, signal, 'act', '', [notice]);
  const item = buildRecordItem(signal, 'reasoned', context.now + SWEEP_BACKOFF_MS[0]);
  return { signal, decision: await saveDecidedSignal(table, signal, item, built) };
};

/** Suffix of the signal a card travels as. */
export const cardSuffix = (n: number): string => `card-${n}`;

/**
 * Changes an approval's card when the approval is decided, expires or is spent: its buttons go, and
 * a line says what happened. Made once for each state, also if repeated.
 * @returns the notice's signal, to be published; undefined if no message can be changed
 */
export const saveCardUpdate = async (
  table: Pick<Table, 'load' | 'put'>,
  context: NoticeContext,
  approval: Approval,
  ending?: CardEnding,
): Promise<Signal | undefined> => {
  const { space, signalId, n } = approval;
  const cardId = childId(signalId, cardSuffix(n));
  const items = await loadNamed(table, {
    record: signalKeys.record(space, signalId),
    cardEffect: signalKeys.effect(space, cardId, 0),
  });
  if (items.record === undefined || items.cardEffect === undefined) return undefined;
  const { signal } = parseRecord(signalId, items.record);
  const route = approval.cardRoute ?? signal.reply;
  const message = route.target === 'telegram' ? lastMessageId(parseEffect(cardId, items.cardEffect).output) : undefined;
  if (message === undefined) return undefined;
  const step = ending === undefined ? approval.state : typeof ending === 'string' ? 'spent' : 'handed';
  const notice = { ...notices.cardUpdate(approval, message, ending), route };
  return (await saveNotice(table, context, signal, `c${n}-${step}`, notice)).signal;
};

const SentMessages = z.object({ messageIds: z.array(z.int()) });

/** The message that carries the card's buttons; undefined if the output names none. */
const lastMessageId = (output: string | undefined): number | undefined => {
  try {
    const parsed = SentMessages.safeParse(JSON.parse(output ?? ''));
    return parsed.success ? parsed.data.messageIds.at(-1) : undefined;
  } catch {
    return undefined;
  }
};
