/**
 * The answers of features in Perceive, by sensor, and the features that take an event in place of
 * the model.
 */

import { ENDING_HOOKS } from '../../lib/features/ending.ts';
import { perceiveJobs } from '../../lib/features/jobs/perceive.ts';
import { perceiveRunbooks } from '../../lib/features/runbooks/perceive.ts';
import { runnerHooks } from '../../lib/features/runner/perceive.ts';
import type { FeatureHooks, Hooks, SensorHook } from '../../lib/operations/hooks.ts';

const loadLazy = () => import('./lazy.ts');

const skills: FeatureHooks = {
  sensors: { 'skill-event': async (context) => (await loadLazy()).answerSkillEvent(context) },
};

const update: SensorHook = async (context) => (await loadLazy()).answerMemoryUpdate(context);
const notes: FeatureHooks = { sensors: { 'buffer-update': update, 'point-update': update } };

export const PERCEIVE_HOOKS: Hooks = [perceiveJobs, perceiveRunbooks, runnerHooks, skills, notes, ...ENDING_HOOKS];
