/**
 * Effects of a signal and what they add up to. Pure, but for ending a suspended signal whose last action was settled.
 */

import { Effect } from '../signal/decision.ts';
import type { Signal, SignalState } from '../signal/signal.ts';
import type { Item, Table } from '../store/table.ts';
import { advance, endedAs, noteForLog } from './ledger.ts';
import { parseStored } from './record.ts';

export const parseEffect = (signalId: string, item: Item): Effect => {
  const { pk: _pk, sk: _sk, unfinishedSpace: _space, unfinishedAt: _at, ...rest } = item;
  return parseStored(`effect of ${signalId}`, rest, Effect);
};

/** When the channel of an effect first took nothing, while it waits to be tried again. */
export const waitsSince = (effect: Effect | undefined): number | undefined =>
  effect?.state === 'claimed' && effect.isReleased === true ? effect.waitingSince : undefined;

/** State of a signal whose actions have all ended or are suspended. */
export const stateOfEffects = (effects: readonly Pick<Effect, 'state'>[]): SignalState => {
  if (effects.some((effect) => effect.state === 'suspended')) return 'suspended';
  if (effects.length > 0 && effects.every((effect) => effect.state === 'refused')) return 'refused';
  return 'acted';
};

/** Ends a suspended signal when nothing of it is suspended any more; its log is due in any case. */
export const endSuspended = async (
  table: Pick<Table, 'update'>,
  signal: Signal,
  effects: readonly Effect[],
  now: number,
): Promise<void> => {
  const state = stateOfEffects(effects);
  // Another of its actions may be approved and under way: then the signal is in the index, and stays there unmarked.
  if (state === 'suspended') await noteForLog(table, signal, now);
  else await advance(table, signal, ['suspended'], endedAs(signal.space, state, now));
};
