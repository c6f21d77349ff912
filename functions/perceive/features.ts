/**
 * The answers of features in Perceive, by sensor, and the features that take an event in place of
 * the model.
 */

import { ENDING_HOOKS } from '../../lib/features/ending.ts';
import { perceiveJobs } from '../../lib/features/jobs/perceive.ts';
import { perceiveNotes } from '../../lib/features/notes/perceive.ts';
import { perceiveRunbooks } from '../../lib/features/runbooks/perceive.ts';
import { runnerHooks } from '../../lib/features/runner/perceive.ts';
import type { FeatureHooks, Hooks } from '../../lib/operations/hooks.ts';

const loadLazy = () => import('./lazy.ts');

const skills: FeatureHooks = {
  sensors: { 'skill-event': async (context) => (await loadLazy()).answerSkillEvent(context) },
};

export const PERCEIVE_HOOKS: Hooks = [
  perceiveJobs,
  perceiveRunbooks,
  runnerHooks,
  skills,
  perceiveNotes,
  ...ENDING_HOOKS,
];
