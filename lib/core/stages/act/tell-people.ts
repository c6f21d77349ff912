/**
 * Stores the notices that a delivery's effects give rise to, each as a decided signal. Repeating
 * changes nothing.
 */
import { saveNotice } from '../../judge/notify.ts';
import type { Signal } from '../../signal/signal.ts';
import type { ActDeps, ActTurn } from './act-context.ts';
import type { Acted, EffectNotice } from './after.ts';

/** @returns the notices' signals, to be published */
export const tellPeople = async (
  list: readonly EffectNotice[],
  deps: ActDeps,
  turn: ActTurn,
  effects: readonly Acted[],
): Promise<readonly Signal[]> => {
  const told: Signal[] = [];
  for (const acted of effects)
    for (const { takes, build } of list) {
      const built = takes(turn, acted) ? await build(deps, turn, acted, effects) : undefined;
      if (built === undefined) continue;
      const context = { gateSet: deps.gateSet, now: deps.now(), settings: turn.settings };
      told.push((await saveNotice(deps.table, context, turn.record.signal, built.suffix, built.notice)).signal);
    }
  return told;
};
