/**
 * An event for a handler of a skill travels as a signal of its own, a child of the signal it is
 * about. Perceive runs the handler (`run-handler.ts`), so that its code runs at one
 * place. The signal carries no words of its parent: these are read again when it runs.
 */

import type { JsonObject } from '../../core/base/json.ts';
import { DEPTH_MAX } from '../../core/base/limits.ts';
import { type AcceptDeps, acceptSignal } from '../../core/ledger/accept.ts';
import { buildChild, type Sensor, type Signal } from '../../core/signal/signal.ts';
import type { Listener } from './listener.ts';

/** Signals that tell nobody anything new: an event about them could cause itself again. */
const WITHOUT_EVENTS: ReadonlySet<Sensor> = new Set(['skill-event', 'notice', 'heartbeat']);

export const hasEvents = ({ payload, depth }: Signal): boolean =>
  depth < DEPTH_MAX && !WITHOUT_EVENTS.has(payload.sensor);

/** Names the moment in the ids of its events: `s`tart, `a`fter the turn, `e`rror. */
type SkillMoment = 's' | 'a' | 'e';

/** Stores and publishes an event for each listener. A repeat changes nothing. @returns their ids */
export const sendSkillEvents = async (
  accept: AcceptDeps,
  parent: Signal,
  moment: SkillMoment,
  listeners: readonly Listener[],
  now: number,
  report: JsonObject = {},
): Promise<readonly string[]> => {
  const events = listeners.map(({ skill, handler, on }, n) =>
    buildChild(parent, `h${moment}${n}`, { sensor: 'skill-event', skill, handler, on, report }, now),
  );
  for (const event of events) await acceptSignal(accept, event);
  return events.map(({ id }) => id);
};
