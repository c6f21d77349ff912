/**
 * Act, the third stage: performs the actions of a stored decision. It alone holds actuators and
 * their secrets (I2). Everything is stored before it is published, and the write that takes the
 * signal out of the index of unfinished signals comes last (I6), so that a repeat after a crash
 * finds each action claimed or settled (I7).
 * @throws RetryLaterError, UnavailableError (retryable); PipelineError, StoredItemError (poison)
 */

import type { Approval } from '../../approvals/approval.ts';
import { hashOf } from '../../base/canonical.ts';
import type { GateSet } from '../../gates/engine/verify.ts';
import { noteForLog, parseRecord } from '../../ledger/ledger.ts';
import type { SignalRecord } from '../../ledger/record.ts';
import type { Effect } from '../../signal/decision.ts';
import type { ActMessage } from '../../signal/messages.ts';
import type { Signal } from '../../signal/signal.ts';
import { routeOf } from '../../signal/signal.ts';
import { signalKeys } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import { type AtWork, startAtWork } from '../at-work.ts';
import type { ActDeps, ActStageDeps, ActTurn, LoadedDecision, Performed, Task } from './act-context.ts';
import { loadLazy } from './act-context.ts';
import { finish } from './finish.ts';
import { countBlocked, countRefused } from './flood.ts';
import { FORGOTTEN } from './forgotten.ts';
import { checkNamed, groupReads, isToBeDone, loadDecision } from './load-decision.ts';
import { performAction } from './perform.ts';
import { prepareTask } from './prepare-task.ts';

/** Only an action that was asked about has a card; a runner's result names no approval. */
const updateCardOf = async (deps: ActDeps, turn: ActTurn, task: Task, effect: Effect): Promise<readonly Signal[]> => {
  const approvalId = task.approvalId ?? (task.effect?.handedTo && effect.approvalId);
  if (approvalId === undefined) return [];
  return (await loadLazy()).updateCard(deps, turn, { ...task, approvalId }, effect);
};

export const act =
  (given: ActStageDeps) =>
  async (message: ActMessage): Promise<void> => {
    // 1. Load the decision, and erase what it says of things forgotten meanwhile.
    const loaded = await loadDecision(given, message);
    // 2. Stop if there is nothing to do, or if the message names anything but this decision's
    // actions.
    const { state, signal } = loaded.record;
    // It may have been decided after it was given up: then the log has not seen the decision.
    if (state === 'dead-lettered') return noteForLog(given.table, signal, given.now());
    if (!isToBeDone(state, message)) return;
    checkNamed(message, loaded.decision);
    const deps: ActDeps = { ...given, gateSet: await given.gateSets.of(loaded.records, loaded.settings) };
    // 3. Count what the gates blocked: too much stops the conversation.
    const isForged = hashOf('decision', loaded.decision) !== message.decisionHash;
    const policy = await given.loadPolicy(loaded.policyText);
    let turn: ActTurn = { ...loaded, policy, isForged, head: await countBlocked(deps, loaded) };
    // 4. Perform each action in order, or suspend it and ask a person.
    const effects: Effect[] = [];
    const notices: Signal[] = [];
    const asked: Approval[] = [];
    const atWork = showAtWork(given, deps.gateSet, turn, message);
    try {
      for (const group of groupReads(message.actions, turn.decision)) {
        for (const { task, performed } of await performGroup(deps, turn, group)) {
          effects.push(performed.effect);
          if (performed.isTooMany) turn = { ...turn, head: await (await loadLazy()).stopForApprovals(deps, turn) };
          if (performed.asked !== undefined) asked.push(performed.asked);
          notices.push(...(await updateCardOf(deps, turn, task, performed.effect)));
        }
      }
    } finally {
      await atWork?.end();
    }
    if (asked.length > 0) notices.push(...(await (await loadLazy()).saveCards(deps, loaded.record.signal, asked)));
    // 5. Count what only the last mile blocked, and tell the owner if that stopped the
    // conversation.
    turn = { ...turn, head: await countRefused(deps, turn, effects) };
    if (turn.head?.stoppedBecause !== undefined) notices.push(...(await (await loadLazy()).tellStopped(deps, turn)));
    // 6. Keep back outputs that showed something forgotten meanwhile.
    const kept = await withholdForgotten(given, turn, effects);
    // 7. Close the signal: results to the model, notices to people, the turn handed on, the record
    // moved.
    await finish(deps, turn, kept, notices);
    // 8. Erase what was forgotten while the signal was being closed.
    await withholdForgotten(given, turn, effects);
  };

/**
 * Performs neighbours together. All are waited for before one's failure is thrown: nothing may go
 * on afterwards.
 */
const performGroup = async (
  deps: ActDeps,
  turn: ActTurn,
  group: ActMessage['actions'],
): Promise<readonly { readonly task: Task; readonly performed: Performed }[]> => {
  const settled = await Promise.allSettled(
    group.map(async (named) => {
      const task = await prepareTask(deps, turn, named);
      return { task, performed: await performAction(deps, turn, task) };
    }),
  );
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
};

/**
 * Only while a tool of the turn runs: a text that is slow to send gains nothing from another text.
 */
const showAtWork = (
  deps: ActStageDeps,
  gateSet: GateSet,
  { record, decision }: LoadedDecision,
  message: ActMessage,
): AtWork | undefined => {
  const hasTool = message.actions.some(({ n }) => decision.actions[n]?.action.tool !== undefined);
  if (deps.atWork === undefined || !hasTool || routeOf(record.signal.payload.sensor) !== 'reason') return undefined;
  const { space, root } = record.signal;
  const loadRootRecord = async (): Promise<SignalRecord | undefined> => {
    const item = await loadItem(deps.table, signalKeys.record(space, root));
    return item === undefined ? undefined : parseRecord(root, item);
  };
  const isApproved = message.actions.some(({ approvalId }) => approvalId !== undefined);
  // The line is performed here and now, without a sign of life of its own.
  const gateSets = { of: async () => gateSet };
  const atWorkDeps = {
    ...deps,
    ...deps.atWork,
    gateSet,
    loadLook: loadLazy,
    send: act({ ...deps, gateSets, atWork: undefined }),
  };
  return startAtWork(atWorkDeps, record, loadRootRecord, isApproved ? deps.now() : undefined);
};

/** @returns the effects, without outputs if a tool showed something that is forgotten by now */
const withholdForgotten = async (
  { forgetLate }: ActStageDeps,
  { record, decision }: LoadedDecision,
  effects: readonly Effect[],
): Promise<readonly Effect[]> => {
  const results = effects.flatMap(({ n, output }) => {
    const tool = decision.actions[n]?.action.tool;
    return tool === undefined || output === undefined ? [] : [{ tool, output }];
  });
  if (results.length === 0 || (await forgetLate?.(record.signal, { results })) !== true) return effects;
  return effects.map((effect) => ({ ...effect, output: FORGOTTEN }));
};
