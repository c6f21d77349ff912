/**
 * Perceive: the first stage. Takes a signal's id, moves its record on, and sends it where it belongs: a reflex is
 * answered by code at once, anything to be reasoned about waits for its session's turn, a chain too deep ends visibly.
 * It is also where every repeat comes (sweep, redrive, hand-over of a turn): it finds the state and only publishes again.
 */

import { defined } from '../../base/defined.ts';
import { PipelineError } from '../../base/errors.ts';
import { DEPTH_MAX, HISTORY_TURNS_MAX } from '../../base/limits.ts';
import { actMessage, advance, parseDecision } from '../../ledger/ledger.ts';
import type { SessionHead, SignalRecord } from '../../ledger/record.ts';
import { enterTurn } from '../../ledger/session.ts';
import type { PerceiveMessage, ReasonMessage } from '../../signal/messages.ts';
import { routeOf, type Signal } from '../../signal/signal.ts';
import { signalKeys } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import type { Publish } from '../../store/queue.ts';
import type { CodeDeps } from './answer-by-code.ts';

export interface PerceiveDeps extends Omit<CodeDeps, 'gateSet' | 'memory'> {
  readonly publishReason: Publish<ReasonMessage>;
  /** Only what code answers is judged here: a message for the model needs neither gates nor memory. */
  readonly loadGateSet: () => Promise<CodeDeps['gateSet']>;
  /** The same one each time. */
  readonly loadMemory: () => Promise<CodeDeps['memory']>;
}

/** @throws UnavailableError (retryable), PipelineError (poison). */
export const perceive =
  (deps: PerceiveDeps) =>
  async (message: PerceiveMessage): Promise<void> => {
    const ref = { space: message.space, id: message.signalId };
    const { record } = await advance(deps.table, ref, ['received'], { set: { state: 'perceived' } });
    if (record.state === 'perceived') return routePerceived(deps, record);
    if (record.state === 'reasoned') return republishDecision(deps, record);
    if (record.state === 'suspended') return resume(deps, ref.space, ref.id);
    // Any later state: the signal has ended; a repeat has nothing to add.
  };

const resume = async (deps: PerceiveDeps, space: string, id: string): Promise<void> => {
  const { resumeSuspended } = await import('../suspended.ts');
  return resumeSuspended({ ...deps, now: deps.now() }, space, id);
};

const routePerceived = async (deps: PerceiveDeps, record: SignalRecord): Promise<void> => {
  const { signal } = record;
  if (routeOf(signal.payload.sensor) !== 'reason') {
    const { answerByCode } = await import('./answer-by-code.ts');
    return answerByCode(await loadCodeDeps(deps), record);
  }
  if (signal.depth > DEPTH_MAX) return drop(deps, record, `deeper than ${DEPTH_MAX} steps`, 'tooDeep');
  const entry = await enterTurn(deps.table, signal, deps.now());
  switch (entry.kind) {
    case 'running':
      return deps.publishReason(reasonMessage(signal, entry.head), `reason:${record.round}`);
    case 'waiting':
      return;
    case 'full':
      return drop(deps, record, 'too many messages were waiting', 'mailboxFull');
  }
};

const loadCodeDeps = async (deps: PerceiveDeps): Promise<CodeDeps> => ({
  ...deps,
  gateSet: await deps.loadGateSet(),
  memory: await deps.loadMemory(),
});

const drop = async (
  deps: PerceiveDeps,
  record: SignalRecord,
  reason: string,
  notice: 'tooDeep' | 'mailboxFull',
): Promise<void> => {
  const { dropWith } = await import('./answer-by-code.ts');
  return dropWith(await loadCodeDeps(deps), record, reason, notice);
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
    recent: isSummary ? payload.turns : recent.slice(-HISTORY_TURNS_MAX),
    ...defined({ summary: object }),
  };
};

const republishDecision = async (deps: PerceiveDeps, record: SignalRecord): Promise<void> => {
  const { signal } = record;
  const item = await loadItem(deps.table, signalKeys.decision(signal.space, signal.id));
  if (item === undefined) throw new PipelineError('the decision of a reasoned signal is missing', signal.id, false);
  await deps.publishAct(actMessage(signal, parseDecision(signal.id, item)), `act:${record.round}`);
};
