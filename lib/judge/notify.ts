/**
 * Sends texts that code wrote. Each is an action with a stored decision like any other (I1).
 * `buildNoticeDecision` answers the signal itself (a command's answer, a refusal); `saveNotice`
 * makes a signal of its own (a card, a report).
 */
import { SWEEP_BACKOFF_MS } from '../base/limits.ts';
import type { GateSet } from '../gates/engine/verify.ts';
import { saveDecidedSignal } from '../ledger/ledger.ts';
import { buildRecordItem } from '../ledger/record.ts';
import type { Decision } from '../signal/decision.ts';
import { buildChild, type Signal } from '../signal/signal.ts';
import type { Table } from '../store/table.ts';
import { baseFacts } from './base-facts.ts';
import { decideByCode } from './judge.ts';
import { buildNoticeAction, type Notice } from './notices.ts';
import { NO_POLICY } from './policy/space-policy.ts';

export interface NoticeContext {
  readonly gateSet: GateSet;
  readonly now: number;
}

/** Decides that a signal ends with these notices; one without a route goes to the asker. */
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
    baseFacts(
      { stage: 'reason', now, space, setup: { gateSet }, policy: NO_POLICY, settings: undefined },
      { reply, origin: 'agent' },
    ),
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
