/**
 * Perceive: the first stage. Takes a signal's id, moves its record on, and sends it where it belongs: a reflex is
 * answered by code at once, anything to be reasoned about waits for its session's turn, a chain too deep ends visibly.
 * It is also where every repeat comes (sweep, redrive, hand-over of a turn): it finds the state and only publishes again.
 */
import { resumeSuspended } from '../approvals/resume-suspended.ts';
import { signalKeys } from '../aws/keys.ts';
import type { Publish } from '../aws/queue.ts';
import type { Table } from '../aws/table.ts';
import type { BudgetCaps } from '../budget/caps.ts';
import { PipelineError } from '../errors.ts';
import type { GateSet } from '../gates/verify.ts';
import { DEPTH_MAX, HISTORY_TURNS_MAX } from '../limits.ts';
import type { Decision, SeenObject } from '../signal/decision.ts';
import type { ActMessage, PerceiveMessage, ReasonMessage } from '../signal/messages.ts';
import { type Route, routeOf } from '../signal/sensors.ts';
import type { Signal } from '../signal/signal.ts';
import { acceptSignal, perceiveMessage } from './accept.ts';
import { buildCommandDecision, type CommandCall } from './command-action.ts';
import { commandCallOf } from './command-calls.ts';
import { loadKillSwitch } from './kill-switch.ts';
import { actMessage, advance, endedAs, parseDecision, saveDecision } from './ledger.ts';
import { answerMemoryReflex, type MemoryCommandDeps } from './memory-commands.ts';
import { type Notice, notices } from './notices.ts';
import { buildNoticeDecision } from './notify.ts';
import { loadPolicyVersion } from './policy-version.ts';
import type { SessionHead, SignalRecord } from './record.ts';
import { answerReflex } from './reflex.ts';
import { describeForgetting, isForgetting, loadRestoreState } from './restore-state.ts';
import { enterTurn } from './session.ts';

export interface PerceiveDeps extends Pick<MemoryCommandDeps, 'memory' | 'privacyTags'> {
  readonly table: Table;
  readonly publishPerceive: Publish<PerceiveMessage>;
  readonly publishReason: Publish<ReasonMessage>;
  readonly publishAct: Publish<ActMessage>;
  readonly gateSet: GateSet;
  readonly assistant: string;
  readonly caps: BudgetCaps;
  readonly now: () => number;
}

/** @throws UnavailableError (retryable), PipelineError (poison). */
export const perceive =
  (deps: PerceiveDeps) =>
  async (message: PerceiveMessage): Promise<void> => {
    const ref = { space: message.space, id: message.signalId };
    const { record } = await advance(deps.table, ref, ['received'], { set: { state: 'perceived' } });
    if (record.state === 'perceived') return routePerceived(deps, record);
    if (record.state === 'reasoned') return republishDecision(deps, record);
    if (record.state === 'suspended') return resumeSuspended({ ...deps, now: deps.now() }, ref.space, ref.id);
    // Any later state: the signal has ended; a repeat has nothing to add.
  };

const routePerceived = async (deps: PerceiveDeps, record: SignalRecord): Promise<void> => {
  const { signal } = record;
  // Commands look at what a plain turn does not: of a table that may hold what was forgotten they say nothing.
  const held = signal.payload.sensor === 'command' ? await loadRestoreState(deps.table, signal.space) : undefined;
  if (held !== undefined && isForgetting(held))
    return decide(deps, record, 'act', '', [notices.stillForgetting(describeForgetting(held))]);
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
  const ending = ENDINGS[routeOf(signal.payload.sensor)];
  if (ending !== undefined) return end(deps, signal, ending);
  if (signal.depth > DEPTH_MAX)
    return decide(deps, record, 'drop', `deeper than ${DEPTH_MAX} steps`, [notices.tooDeep(signal.root)]);
  const entry = await enterTurn(deps.table, signal, deps.now());
  switch (entry.kind) {
    case 'running':
      return deps.publishReason(reasonMessage(signal, entry.head), `reason:${record.round}`);
    case 'waiting':
      return;
    case 'full':
      return decide(deps, record, 'drop', 'too many messages were waiting', [notices.mailboxFull(record.signal.id)]);
  }
};

/** A command that changes something becomes one action, which goes the way of all others. */
const runCommand = async (
  deps: PerceiveDeps,
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
  };
  const name = signal.payload.sensor === 'command' ? signal.payload.name : '';
  return takeDecision(deps, record, await buildCommandDecision(context, signal, name, call));
};

/** Routes that end here, and the reason their record keeps. */
const ENDINGS: Partial<Record<Route, string>> = {
  drop: 'a tick needs no answer',
};

/** A summary is of the turns its signal names, and of the summary before; all others are shown what their session remembers. */
const reasonMessage = (
  { space, session, id, payload }: Signal,
  { recent = [], summary }: SessionHead,
): ReasonMessage => {
  const isSummary = payload.sensor === 'session-summary';
  const object = isSummary ? payload.summary : summary?.id;
  return {
    stage: 'reason',
    v: 1,
    space,
    session,
    signalId: id,
    recent: (isSummary ? payload.turns : recent).slice(-HISTORY_TURNS_MAX),
    ...(object === undefined ? {} : { summary: object }),
  };
};

/** Ends a signal that asks for nothing. */
const end = async (deps: PerceiveDeps, signal: Signal, reason: string): Promise<void> => {
  await advance(deps.table, signal, ['perceived'], endedAs(signal.space, 'dropped', deps.now(), reason));
};

/** Ends Perceive's part with fixed texts, or, with nothing to say, the signal itself. */
const decide = async (
  deps: PerceiveDeps,
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

const takeDecision = async (deps: PerceiveDeps, record: SignalRecord, built: Decision): Promise<void> => {
  const { signal } = record;
  const decision = await saveDecision(deps.table, signal, built);
  await advance(deps.table, signal, ['perceived'], { set: { state: 'reasoned' } });
  await deps.publishAct(actMessage(signal, decision), `act:${record.round}`);
};

const republishDecision = async (deps: PerceiveDeps, record: SignalRecord): Promise<void> => {
  const { signal } = record;
  const [item] = await deps.table.load([signalKeys.decision(signal.space, signal.id)], { isConsistent: true });
  if (item === undefined) throw new PipelineError('the decision of a reasoned signal is missing', signal.id, false);
  await deps.publishAct(actMessage(signal, parseDecision(signal.id, item)), `act:${record.round}`);
};
