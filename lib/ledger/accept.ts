/**
 * Accepting a signal at an ingress: stored first, published second, and only then may the ingress say yes (I6).
 * A repeat of one that is still `received` is published again under the same deduplication id; any other repeat is
 * already taken care of. A store or queue failure is an UnavailableError: the ingress answers 503 and the sender retries.
 */

import { ConditionError } from '../base/errors.ts';
import { SWEEP_BACKOFF_MS } from '../base/limits.ts';
import type { PerceiveMessage } from '../signal/messages.ts';
import type { Signal } from '../signal/signal.ts';
import { IS_NEW } from '../store/condition.ts';
import { signalKeys } from '../store/keys.ts';
import type { Publish } from '../store/queue.ts';
import type { Item, Table } from '../store/table.ts';
import { buildRecordItem, parseStored, SignalRecord } from './record.ts';

export interface AcceptDeps {
  readonly table: Pick<Table, 'put'>;
  readonly publish: Publish<PerceiveMessage>;
}

/** `repeated` means the same fact was accepted before. */
export type Acceptance = 'accepted' | 'repeated';

export const acceptSignal = async (deps: AcceptDeps, signal: Signal): Promise<Acceptance> => {
  const stored = await putIfNew(deps.table, signal);
  if (stored === 'accepted' || stored.state === 'received')
    await deps.publish(perceiveMessage(signal), `perceive:${stored === 'accepted' ? 0 : stored.round}`);
  return stored === 'accepted' ? 'accepted' : 'repeated';
};

const putIfNew = async (table: Pick<Table, 'put'>, signal: Signal): Promise<'accepted' | SignalRecord> => {
  try {
    await table.put(
      signalKeys.record(signal.space, signal.id),
      buildRecordItem(signal, 'received', signal.receivedAt + SWEEP_BACKOFF_MS[0]),
      IS_NEW,
    );
    return 'accepted';
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    const current: Item = typeof error.current === 'object' && error.current !== null ? { ...error.current } : {};
    return parseStored(`signal ${signal.id}`, current, SignalRecord);
  }
};

export const perceiveMessage = (signal: Pick<Signal, 'space' | 'session' | 'id'>): PerceiveMessage => ({
  stage: 'perceive',
  v: 1,
  space: signal.space,
  session: signal.session,
  signalId: signal.id,
});
