/**
 * A suspended action after a person decided, or nobody did in time. Approved actions go to Act; a
 * denial or an expiry refuses the effect and tells the model that proposed it, which may try
 * something else. Repeating either changes nothing.
 */

import type { Approval } from '../approvals/approval.ts';
import { parseApproval } from '../approvals/approval.ts';
import { defined } from '../base/defined.ts';
import { SWEEP_BACKOFF_MS } from '../base/limits.ts';
import {
  actMessage,
  advance,
  buildActionResult,
  endSuspended,
  noteChildren,
  parseDecision,
  parseEffect,
  parseRecord,
} from '../ledger/ledger.ts';
import { findEnded, type Hooks, nextSignal, tellEnded } from '../operations/hooks.ts';
import { isText } from '../signal/action.ts';
import type { Because } from '../signal/because.ts';
import type { Decision, Effect } from '../signal/decision.ts';
import { childId, isTyped } from '../signal/ids.ts';
import type { ActMessage } from '../signal/messages.ts';
import { type ActionResult, buildChild, type Signal } from '../signal/signal.ts';
import { equals } from '../store/condition.ts';
import { approvalKey, indexPartitions, signalKeys } from '../store/keys.ts';
import type { Publish } from '../store/queue.ts';
import type { Item, Table } from '../store/table.ts';
import { updateIf } from '../store/update-if.ts';

const reasonOf = (approval: Approval, decision: 'denied' | 'expired'): string => {
  if (decision === 'denied') return 'a person denied it';
  return approval.endedBecause === 'policy'
    ? 'the rules changed, or its chat was removed, before anybody approved it'
    : 'nobody approved it in time';
};

/** The decision of a step that code made: no model proposed it, so none is told. */
const findStepDecision = ({ signalId, action }: Approval, items: readonly Item[]): Decision | undefined => {
  const item = items.find((candidate) => candidate.sk === 'decision');
  const decision = item === undefined ? undefined : parseDecision(signalId, item);
  return action.author === 'model' && decision?.attemptCount === 0 ? decision : undefined;
};

export interface RefuseDeps {
  readonly table: Table;
  readonly hooks: Hooks;
  readonly now: number;
}

/**
 * @param isLast false if the same answer refuses more of the signal: the last one's child tells all
 * @returns the child signal to accept; undefined if the original is gone, or no model is told
 */
export const refuseSuspended = async (
  { table, hooks, now }: RefuseDeps,
  approval: Approval,
  decision: 'denied' | 'expired',
  isLast = true,
): Promise<Signal | undefined> => {
  const reason = reasonOf(approval, decision);
  await refuseEffect(
    table,
    approval,
    decision === 'denied' ? { reason, because: { code: 'denied' } } : { reason },
    now,
  );
  if (!isLast) return undefined;
  const page = await table.query({ pk: signalKeys.partition(approval.space, approval.signalId), isConsistent: true });
  const item = page.items.find((candidate: Item) => candidate.sk === 'record');
  if (item === undefined) return undefined;
  const { signal } = parseRecord(approval.signalId, item);
  const effects = page.items
    .filter((candidate: Item) => String(candidate.sk).startsWith('effect#'))
    .map((effect) => parseEffect(approval.signalId, effect));
  const suffix = `d${approval.n}`;
  const step = findStepDecision(approval, page.items);
  if (step !== undefined) {
    const deps = { table, space: signal.space, now: () => now };
    const next = await nextSignal(hooks, deps, { signal, decision: step, effects });
    await endSuspended(table, signal, effects, now);
    if (next === undefined) await tellEnded(hooks, deps, signal);
    return next;
  }
  if (isTyped(approval.action)) {
    // A command of a person: no model proposed it, so none is told. The card says how it ended.
    await endSuspended(table, signal, effects, now);
    return undefined;
  }
  // The child is named before the signal ends, so that a client knows that it follows.
  await noteChildren(table, signal, [childId(signal.id, suffix)]);
  await endSuspended(table, signal, effects, now);
  return buildChild(
    signal,
    suffix,
    {
      sensor: 'approval-decided',
      decision,
      n: approval.n,
      results: [
        ...othersOf(approval, page.items, effects),
        {
          n: approval.n,
          ...defined({ tool: approval.action.tool }),
          state: 'refused',
          output: reason,
          origin: 'agent',
        },
      ],
    },
    now,
  );
};

/** The other calls of the same answer: the model is told their results too. */
const othersOf = (
  { signalId, n }: Approval,
  items: readonly Item[],
  effects: readonly Effect[],
): readonly ActionResult[] => {
  const item = items.find((candidate) => candidate.sk === 'decision');
  if (item === undefined) return [];
  const actions = parseDecision(signalId, item).actions.map(({ action }) => action);
  const calls = effects.filter((effect) => {
    const action = actions[effect.n];
    return effect.n !== n && action?.author === 'model' && !isText(action);
  });
  return calls.map((effect) => buildActionResult(effect, actions[effect.n]));
};

const refuseEffect = async (
  table: Table,
  approval: Approval,
  why: { readonly reason: string; readonly because?: Because },
  now: number,
): Promise<void> => {
  const isSuspended = { name: 'effect is suspended', holds: equals('state', 'suspended') };
  const key = signalKeys.effect(approval.space, approval.signalId, approval.n);
  await updateIf(table, key, { set: { state: 'refused', ...why, settledAt: now } }, isSuspended);
};

export interface ResumeDeps {
  readonly table: Table;
  readonly hooks: Hooks;
  readonly publishAct: Publish<ActMessage>;
  readonly now: number;
}

/**
 * Sends approved actions of a suspended signal to Act, and those whose machine has ended with them.
 * The signal returns to the index of unfinished ones first, so that this outlives lost queues;
 * without such an action it waits, and no sweep counts tries. The claim spends each approval once.
 */
export const resumeSuspended = async (deps: ResumeDeps, space: string, id: string): Promise<void> => {
  const page = await deps.table.query({ pk: signalKeys.partition(space, id), isConsistent: true });
  const decisionItem = page.items.find((item: Item) => item.sk === 'decision');
  if (decisionItem === undefined) return;
  const effects = page.items
    .filter((item) => String(item.sk).startsWith('effect#'))
    .map((item) => parseEffect(id, item));
  const approved = await approvedOf(deps.table, space, effects);
  const over = await overOf(deps, space, id, effects);
  if (approved.length + over.length === 0) return;
  const due = {
    unfinishedSpace: indexPartitions.unfinishedSignals(space),
    unfinishedAt: deps.now + SWEEP_BACKOFF_MS[0],
  };
  const under = { set: due, remove: ['awaitsLog'] };
  const { record } = await advance(deps.table, { space, id }, ['suspended'], under);
  const whole = actMessage(record.signal, parseDecision(id, decisionItem));
  for (const [first, ...rest] of byAnswer(approved)) {
    const actions = [first, ...rest].map(({ n, actionHash: hash, id: approvalId }) => ({ n, hash, approvalId }));
    // Another person's answer may have sent a part of this one before: the count tells them apart.
    const count = rest.length === 0 ? '' : `-${actions.length}`;
    await deps.publishAct({ ...whole, actions }, `approved:${first.id}${count}:${record.round}`);
  }
  for (const { n, actionHash: hash, approvalId } of over) {
    const actions = [{ n, hash, isHanded: true as const, ...defined({ approvalId }) }];
    await deps.publishAct({ ...whole, actions }, `handed:${n}:${record.round}`);
  }
};

/** All that one answer approved is performed together: one turn tells the model of it. */
const byAnswer = (approved: readonly Approval[]): readonly (readonly [Approval, ...Approval[]])[] => {
  const groups = new Map<string, [Approval, ...Approval[]]>();
  for (const approval of approved.toSorted((a, b) => a.n - b.n)) {
    const answer = approval.decidedBy ?? approval.id;
    const group = groups.get(answer);
    if (group === undefined) groups.set(answer, [approval]);
    else group.push(approval);
  }
  return [...groups.values()];
};

/** Effects that a machine has, and whose job has ended or has no time left. */
const overOf = async (
  { table, hooks, now }: ResumeDeps,
  space: string,
  id: string,
  effects: readonly Effect[],
): Promise<readonly Effect[]> => {
  const handed = effects.filter(({ state, handedTo }) => state === 'suspended' && handedTo !== undefined);
  return handed.length === 0 ? [] : findEnded(hooks, { table, space, now }, id, handed);
};

/** Act finds each effect open, lapsed or settled, and closes the signal accordingly. */
const approvedOf = async (table: Table, space: string, effects: readonly Effect[]): Promise<readonly Approval[]> => {
  const named = effects.flatMap(({ approvalId, handedTo }) =>
    approvalId === undefined || handedTo !== undefined ? [] : [approvalId],
  );
  const stored = await table.load(
    named.map((approvalId) => approvalKey(space, approvalId)),
    { isConsistent: true },
  );
  return stored
    .filter((item) => item !== undefined)
    .map((item) => parseApproval(String(item.pk), item))
    .filter(({ state, endedBecause }) => state === 'approved' || state === 'spent' || endedBecause === 'refused');
};
