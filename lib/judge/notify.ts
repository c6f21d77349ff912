/**
 * Texts that code sends: each is an action with a stored decision like any other (I1). `buildNoticeDecision` decides for
 * the signal itself (a command's answer, a refusal); `buildNoticeSignal` makes a signal of its own (a card, a report).
 */

import { SWEEP_BACKOFF_MS } from '../base/limits.ts';
import type { GateSet } from '../gates/engine/verify.ts';
import { saveDecidedSignal } from '../ledger/ledger.ts';
import { buildRecordItem } from '../ledger/record.ts';
import { buildChild } from '../signal/child.ts';
import type { Decision } from '../signal/decision.ts';
import type { Signal } from '../signal/signal.ts';
import type { Table } from '../store/table.ts';
import { buildGatherFacts } from './gather-facts.ts';
import { buildPolicyVersion, codeDecision, judgeAction } from './judge.ts';
import { buildNoticeAction, type Notice } from './notices.ts';

export interface NoticeContext {
  readonly gateSet: GateSet;
  readonly now: number;
}

/** Decides that a signal ends with these notices over its own route. */
export const buildNoticeDecision = async (
  context: NoticeContext,
  signal: Pick<Signal, 'id' | 'space' | 'reply'>,
  outcome: Decision['outcome'],
  reason: string,
  list: readonly Notice[],
): Promise<Decision> => {
  const policyVersion = buildPolicyVersion(context.gateSet);
  const gatherFacts = buildGatherFacts({
    stage: 'reason',
    now: context.now,
    space: signal.space,
    isStopped: false,
    reply: signal.reply,
    origin: 'agent',
    secrets: new Map(),
    webhookUrls: {},
    isLoopbackAllowed: false,
    resolveAddresses: () => Promise.resolve([]),
    policyVersion,
    approval: null,
  });
  const judged = [];
  for (const notice of list)
    judged.push(
      await judgeAction(context.gateSet, buildNoticeAction(notice, notice.route ?? signal.reply), gatherFacts),
    );
  return codeDecision(
    signal.id,
    context.now,
    { gateSet: context.gateSet.version, policyVersion },
    outcome,
    reason,
    judged,
  );
};

/** The signal a notice travels as: a child that takes no turn. */
export const buildNoticeSignal = (parent: Signal, suffix: string, template: string, now: number): Signal => ({
  ...buildChild(parent, suffix, { sensor: 'notice', template }, now),
  type: 'RESPONSE',
  // A notice is no step of the chain: it must reach the person even from its end.
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
