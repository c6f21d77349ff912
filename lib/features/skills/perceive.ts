/** The part of skills in Perceive: handlers run on their events, without a model. */
import type { FeatureHooks } from '../../core/operations/hooks.ts';

export const perceiveSkills: FeatureHooks = {
  sensors: { 'skill-event': async (context) => (await import('./run-handler.ts')).answerSkillEvent(context) },
};
