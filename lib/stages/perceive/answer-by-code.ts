/**
 * What Perceive does itself, without a model: commands, approvals, what editors send, notices of what is dropped, and ticks. A file
 * of its own because most signals are for the model: gates, memory and commands are loaded when something asks for them.
 * Takes a perceived record; ends it with a stored decision for Act or, with nothing to say, as dropped.
 */

import type { GateSet } from '../../gates/engine/verify.ts';
import { loadPolicyVersion } from '../../judge/judge.ts';
import { type Notice, notices } from '../../judge/notices.ts';
import { buildNoticeDecision } from '../../judge/notify.ts';
import { acceptSignal, perceiveMessage } from '../../ledger/accept.ts';
import { loadKillSwitch } from '../../ledger/kill-switch.ts';
import { actMessage, advance, endedAs, saveDecision } from '../../ledger/ledger.ts';
import type { SignalRecord } from '../../ledger/record.ts';
import { describeForgetting, isForgetting, loadRestoreState } from '../../log/restore-state.ts';
import type { BudgetCaps } from '../../money/caps.ts';
import type { Decision, SeenObject } from '../../signal/decision.ts';
import type { ActMessage, PerceiveMessage } from '../../signal/messages.ts';
import { routeOf, type Signal } from '../../signal/signal.ts';
import type { Publish } from '../../store/queue.ts';
import type { Table } from '../../store/table.ts';
import { loadChatMemory, refuseCommand } from './command-access.ts';
import { buildCommandDecision, type CommandCall } from './command-action.ts';
import { commandCallOf } from './command-calls.ts';
import { answerMemoryReflex, type MemoryCommandDeps } from './memory-commands.ts';
import { answerReflex } from './reflex.ts';

export interface CodeDeps extends Pick<MemoryCommandDeps, 'memory' | 'privacyTags'> {
  readonly table: Table;
  readonly publishPerceive: Publish<PerceiveMessage>;
  readonly publishAct: Publish<ActMessage>;
  readonly gateSet: GateSet;
  readonly assistant: string;
  readonly caps: BudgetCaps;
  readonly now: () => number;
}

/** Answers or ends whatever is not for the model. @throws UnavailableError (retryable), PipelineError (poison). */
export const answerByCode = async (deps: CodeDeps, record: SignalRecord): Promise<void> => {
  const { signal } = record;
  // Commands look at what a plain turn does not: of a table that may hold what was forgotten they say nothing.
  const held = signal.payload.sensor === 'command' ? await loadRestoreState(deps.table, signal.space) : undefined;
  if (held !== undefined && isForgetting(held))
    return decide(deps, record, 'act', '', [notices.stillForgetting(describeForgetting(held))]);
  const refusal = await refuseCommand(deps.table, signal);
  if (refusal !== undefined) return decide(deps, record, 'act', '', [refusal]);
  const reflex = await answerMemoryReflex(deps, signal);
  if (reflex !== undefined && 'call' in reflex) return runCommand(deps, record, reflex.call);
  if (reflex !== undefined && 'ending' in reflex) return end(deps, signal, reflex.ending);
  if (reflex !== undefined) return decide(deps, record, 'act', '', reflex.notices, reflex.seen);
  if (routeOf(signal.payload.sensor) === 'reflex') {
    const call =
      signal.payload.sensor === 'command' ? commandCallOf(signal.payload.name, signal.payload.rest) : undefined;
    if (call !== undefined) return runCommand(deps, record, call);
    const said = await answerReflex(
      {
        table: deps.table,
        publishAct: (message, step) => deps.publishAct(message, `${step}:${record.round}`),
        accept: (child) => acceptSignal({ table: deps.table, publish: deps.publishPerceive }, child),
        publish: deps.publishPerceive,
        publishNotice: (notice) => deps.publishPerceive(perceiveMessage(notice), 'notice'),
        gateSet: deps.gateSet,
        now: deps.now(),
        assistant: deps.assistant,
        caps: deps.caps,
      },
      signal,
    );
    return decide(deps, record, 'act', '', said);
  }
  return end(deps, signal, 'a tick needs no answer');
};

/** Says why something that was for the model never reaches it. */
export const dropWith = (
  deps: CodeDeps,
  record: SignalRecord,
  reason: string,
  notice: 'tooDeep' | 'mailboxFull',
): Promise<void> => {
  const { id, root } = record.signal;
  const said = notice === 'tooDeep' ? notices.tooDeep(root) : notices.mailboxFull(id);
  return decide(deps, record, 'drop', reason, [said]);
};

/** A command that changes something becomes one action, which goes the way of all others. */
const runCommand = async (
  deps: CodeDeps,
  record: SignalRecord,
  call: CommandCall | { readonly usage: string },
): Promise<void> => {
  const { signal } = record;
  if ('usage' in call) return decide(deps, record, 'act', '', [notices.usage(call.usage)]);
  const context = {
    gateSet: deps.gateSet,
    now: deps.now(),
    isStopped: (await loadKillSwitch(deps.table, signal.space))?.isStopped ?? false,
    policyVersion: await loadPolicyVersion(deps.table, signal.space, deps.gateSet),
    chatMemory: await loadChatMemory(deps.table, signal),
  };
  const name = signal.payload.sensor === 'command' ? signal.payload.name : '';
  return takeDecision(deps, record, await buildCommandDecision(context, signal, name, call));
};

/** Ends a signal that asks for nothing. */
const end = async (deps: CodeDeps, signal: Signal, reason: string): Promise<void> => {
  await advance(deps.table, signal, ['perceived'], endedAs(signal.space, 'dropped', deps.now(), reason));
};

/** Ends Perceive's part with fixed texts, or, with nothing to say, the signal itself. */
const decide = async (
  deps: CodeDeps,
  record: SignalRecord,
  outcome: Decision['outcome'],
  reason: string,
  said: readonly Notice[],
  seen: readonly SeenObject[] = [],
): Promise<void> => {
  const { signal } = record;
  if (said.length === 0) return end(deps, signal, 'there was nothing to do');
  const built = await buildNoticeDecision({ gateSet: deps.gateSet, now: deps.now() }, signal, outcome, reason, said);
  return takeDecision(deps, record, seen.length === 0 ? built : { ...built, seen: [...seen] });
};

const takeDecision = async (deps: CodeDeps, record: SignalRecord, built: Decision): Promise<void> => {
  const { signal } = record;
  const decision = await saveDecision(deps.table, signal, built);
  await advance(deps.table, signal, ['perceived'], { set: { state: 'reasoned' } });
  await deps.publishAct(actMessage(signal, decision), `act:${record.round}`);
};
