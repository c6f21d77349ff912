/** What became of one action, as the model is told it. Pure. */
import type { Action } from '../../signal/action.ts';
import type { Effect } from '../../signal/decision.ts';
import type { ActionResult, Origin } from '../../signal/signal.ts';

/** @param origin who wrote its output */
export const resultOf = (effect: Effect, origin: Origin, action: Action | undefined): ActionResult => ({
  n: effect.n,
  ...(action?.tool === undefined ? {} : { tool: action.tool }),
  state: effect.state === 'claimed' ? 'unknown' : effect.state,
  output: effect.state === 'suspended' ? 'waiting for a person to approve it' : (effect.output ?? effect.reason ?? ''),
  origin,
});

/**
 * The others of the same answer, where one comes back after a person decided: each has a place in what the model is shown, and
 * without its result would look as if nobody knew it.
 */
export const otherResults = (
  effects: readonly Effect[],
  actions: readonly (Action | undefined)[],
): readonly ActionResult[] =>
  effects.map((effect) => resultOf(effect, effect.outputOrigin ?? 'agent', actions[effect.n]));
