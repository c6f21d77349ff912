/** The part of skills in Perceive: handlers run on their events, without a model. */
import type { FeatureHooks } from '../../core/operations/hooks.ts';
import { routeOf } from '../../core/signal/signal.ts';
import { findListeners } from './find-listeners.ts';
import { hasEvents, sendSkillEvents } from './skill-events.ts';

export const perceiveSkills: FeatureHooks = {
  sensors: { 'skill-event': async (context) => (await import('./run-handler.ts')).answerSkillEvent(context) },
  // To the handlers that listen to its sensor, or to turns that begin.
  onBegun: async ({ table, publishPerceive, now }, signal) => {
    if (!hasEvents(signal)) return;
    const { space, id, root, payload } = signal;
    const isTurn = routeOf(payload.sensor) === 'reason' && id === root;
    const hooks = [`sensor:${payload.sensor}`, ...(isTurn ? ['before-turn'] : [])];
    const listeners = await findListeners({ table, space }, hooks, now());
    await sendSkillEvents({ table, publish: publishPerceive }, signal, 's', listeners, now());
  },
};
