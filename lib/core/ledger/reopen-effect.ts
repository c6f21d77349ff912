/**
 * Has a failed or unknown effect performed again because a person said so (I7). One transaction
 * makes the effect claimable and sends its signal back to Act; if two people say it at once, one
 * gets a ConditionError.
 */

import { SWEEP_BACKOFF_MS } from '../base/limits.ts';
import type { Effect } from '../signal/decision.ts';
import type { PerceiveMessage } from '../signal/messages.ts';
import { absent, allOf, anyOf, below, type Condition, equals, oneOf } from '../store/condition.ts';
import { indexPartitions, signalKeys } from '../store/keys.ts';
import type { Publish } from '../store/queue.ts';
import type { Item, Table } from '../store/table.ts';
import { perceiveMessage } from './accept.ts';
import type { SignalRecord } from './record.ts';

export interface ReopenDeps {
  readonly table: Pick<Table, 'transact'>;
  readonly publish: Publish<PerceiveMessage>;
  readonly now: number;
}

/** States in which Act may have worked on a signal. Reason leaves the state unchanged. */
const AFTER_REASON: readonly SignalRecord['state'][] = [
  'perceived',
  'reasoned',
  'suspended',
  'acted',
  'refused',
  'dead-lettered',
];

export const mayReopen = ({ state }: SignalRecord): boolean => AFTER_REASON.includes(state);

/** A claim that was given back is tried again by itself: only Act may take it. */
export const isStillOpen = (now: number): Condition => ({
  name: 'the effect failed, or its outcome is unknown',
  holds: anyOf(
    oneOf('state', ['unknown', 'failed']),
    allOf(equals('state', 'claimed'), absent('isReleased'), below('leaseUntil', now)),
  ),
});

/** Puts a record back among the unfinished, where the sweep finds it if a publish is lost. */
export const underWayAgain = (record: SignalRecord, state: SignalRecord['state'], now: number): Item => ({
  state,
  round: record.round + 1,
  sweeps: 0,
  unfinishedSpace: indexPartitions.unfinishedSignals(record.signal.space),
  unfinishedAt: now + SWEEP_BACKOFF_MS[0],
});

/** Nobody changed the record since it was read. */
export const isUnchanged = (record: SignalRecord): Condition => ({
  name: 'the signal is as it was read',
  holds: allOf(equals('state', record.state), equals('round', record.round)),
});

/** An effect with an approval continues where approved ones do: its approval was spent on it. */
export const reopenEffect = async (deps: ReopenDeps, record: SignalRecord, effect: Effect): Promise<void> => {
  const { space, id } = record.signal;
  await deps.table.transact([
    {
      kind: 'update',
      key: signalKeys.effect(space, id, effect.n),
      change: {
        set: { state: 'unknown', resolution: 'retry', settledAt: deps.now },
        remove: ['unfinishedSpace', 'unfinishedAt'],
      },
      condition: isStillOpen(deps.now),
    },
    {
      kind: 'update',
      key: signalKeys.record(space, id),
      change: {
        set: underWayAgain(record, effect.approvalId === undefined ? 'reasoned' : 'suspended', deps.now),
        remove: ['stateReason', 'diedIn', 'awaitsLog'],
      },
      condition: isUnchanged(record),
    },
  ]);
  await deps.publish(perceiveMessage(record.signal), `perceive:${record.round + 1}`);
};
