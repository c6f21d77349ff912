/**
 * Accepting a signal at an ingress: stored first, published second, and only then may the ingress say yes (I6).
 * A repeat of one that is still `received` is published again under the same deduplication id; any other repeat is
 * already taken care of. A store or queue failure is an UnavailableError: the ingress answers 503 and the sender retries.
 */

import { SWEEP_BACKOFF_MS } from '../base/limits.ts';
import type { PerceiveMessage } from '../signal/messages.ts';
import type { Signal } from '../signal/signal.ts';
import { signalKeys } from '../store/keys.ts';
import { putOnce } from '../store/put-once.ts';
import type { Publish } from '../store/queue.ts';
import type { Table } from '../store/table.ts';
import { buildRecordItem, parseStored, SignalRecord } from './record.ts';

export interface AcceptDeps {
  readonly table: Pick<Table, 'put'>;
  readonly publish: Publish<PerceiveMessage>;
}

/** `repeated` means the same fact was accepted before. */
export type Acceptance = 'accepted' | 'repeated';

export const acceptSignal = async (deps: AcceptDeps, signal: Signal): Promise<Acceptance> => {
  const item = buildRecordItem(signal, 'received', signal.receivedAt + SWEEP_BACKOFF_MS[0]);
  const stored = await putOnce(deps.table, signalKeys.record(signal.space, signal.id), item);
  if (stored === 'put') {
    await deps.publish(perceiveMessage(signal), 'perceive:0');
    return 'accepted';
  }
  const { state, round } = parseStored(`signal ${signal.id}`, stored, SignalRecord);
  if (state === 'received') await deps.publish(perceiveMessage(signal), `perceive:${round}`);
  return 'repeated';
};

export const perceiveMessage = (signal: Pick<Signal, 'space' | 'session' | 'id'>): PerceiveMessage => ({
  stage: 'perceive',
  v: 1,
  space: signal.space,
  session: signal.session,
  signalId: signal.id,
});
