/**
 * A provider whose key was refused, or whose account has no credit left, is something only its owner can mend: the home chat
 * (or, without one, whoever asked) hears of it once a day, also where another provider answered instead. While all refuse, only
 * people may have them asked: other work ends with a note in its record, until one answers or the time has come to try again.
 */

import type { ProviderTrouble } from '../../base/errors.ts';
import { type Notice, notices } from '../../judge/notices.ts';
import type { Priced } from '../../llm/prices.ts';
import { isEveryKeyRefused, RECOVERIES } from '../../llm/provider-health.ts';
import { isEmbeddingRefused, noticeName } from '../../money/day-spend.ts';
import { claimNotice } from '../../money/reserve.ts';
import type { Sensor, Signal } from '../../signal/signal.ts';
import type { Table } from '../../store/table.ts';
import type { LoadedTurn } from './load-turn.ts';

/** What nobody asked for and nobody waits for: webhooks, jobs and what follows of them, and looking into failures. */
export const isBackground = (signal: Pick<Signal, 'payload'>, root: Sensor): boolean =>
  signal.payload.sensor === 'loop-error' || (root !== 'chat-message' && root !== 'user-input');

export const KEYS_REFUSED = 'every provider refused its key or has no credit left, and nobody waits for this';

/** What the refusal of background work says, while nobody may be asked for it; undefined where the model may be asked. */
export const refusedWork = (
  { record: { signal }, rootPayload, spending }: Pick<LoadedTurn, 'record' | 'rootPayload' | 'spending'>,
  providers: readonly Priced[],
  now: number,
): readonly Notice[] | undefined => {
  if (!isBackground(signal, rootPayload.sensor) || !isEveryKeyRefused(providers, spending.item, now)) return undefined;
  // Whoever wrote hears how their own words ended; of the rest only the record tells, because the owner has been told.
  const isTold = !isBackground({ payload: rootPayload }, rootPayload.sensor);
  const notice = notices.notAsked(signal.id);
  return [isTold ? notice : { ...notice, route: { target: 'system', to: '' } }];
};

/**
 * What makes vectors of notes goes on in the background and has nobody to tell: its refusal stands on the day's counter, and the first
 * turn of a person that reads it there says so, once a day.
 */
export const tellRefusedEmbeddings = async (
  deps: { readonly table: Pick<Table, 'update'>; readonly homeChat: string },
  { record: { signal }, rootPayload, spending: { item } }: Pick<LoadedTurn, 'record' | 'rootPayload' | 'spending'>,
  now: number,
): Promise<readonly Notice[]> => {
  if (!isEmbeddingRefused(item, now)) return [];
  const told: unknown = item?.[noticeName(EMBEDDINGS_TOLD)];
  // Told before, or by an earlier delivery of this very signal, which died before its decision was stored.
  if (told !== undefined && told !== signal.id) return [];
  if (deps.homeChat === '' && isBackground(signal, rootPayload.sensor)) return [];
  if (!(await claimNotice(deps.table, signal.space, now, EMBEDDINGS_TOLD, signal.id))) return [];
  const notice = notices.embeddingsRefused(signal.id);
  return [deps.homeChat === '' ? notice : { ...notice, route: { target: 'telegram', to: deps.homeChat } }];
};

const EMBEDDINGS_TOLD = 'embeddings';

/** @param order the providers as they were asked */
export const tellRefusedKeys = async (
  deps: { readonly table: Pick<Table, 'update'>; readonly homeChat: string },
  signal: Signal,
  order: readonly Priced[],
  troubles: readonly ProviderTrouble[],
  now: number,
): Promise<readonly Notice[]> => {
  const fresh: { readonly name: string; readonly isBilling: boolean }[] = [];
  for (const { place, fault } of troubles) {
    const name = order[place]?.name;
    if (name === undefined || !RECOVERIES[fault].isOwners) continue;
    if (await claimNotice(deps.table, signal.space, now, `provider_${name}_${fault}`, signal.id))
      fresh.push({ name, isBilling: fault === 'billing' });
  }
  const isRefused = (at: number): boolean =>
    troubles.some(({ place, fault }) => place === at && RECOVERIES[fault].isOwners);
  const isEvery = order.every((_, place) => isRefused(place));
  return fresh.map(({ name, isBilling }, index): Notice => {
    const template = isEvery && index === fresh.length - 1 ? 'everyKeyRefused' : 'providerRefused';
    const notice = notices[template](name, isBilling, signal.id);
    return deps.homeChat === '' ? notice : { ...notice, route: { target: 'telegram', to: deps.homeChat } };
  });
};
