/**
 * The answers of features in Perceive, by sensor, and the features that take an event in place of
 * the model.
 */

import { ENDING_HOOKS } from '../../lib/features/ending.ts';
import { runnerHooks } from '../../lib/features/runner/perceive.ts';
import type { FeatureHooks, Hooks, SensorHook } from '../../lib/operations/hooks.ts';
import { handToJobs } from '../../lib/wings/jobs/hand-to-jobs.ts';

const loadLazy = () => import('./lazy.ts');

const jobs: FeatureHooks = {
  sensors: { 'job-due': async (context) => (await loadLazy()).beginJobRun(context) },
  takeEvent: async (deps, signal) => (signal.payload.sensor === 'webhook' ? handToJobs(deps, signal) : []),
};

const runbooks: FeatureHooks = {
  sensors: { 'run-step': async (context) => (await loadLazy()).answerRunStep(context) },
};

const skills: FeatureHooks = {
  sensors: { 'skill-event': async (context) => (await loadLazy()).answerSkillEvent(context) },
};

const update: SensorHook = async (context) => (await loadLazy()).answerMemoryUpdate(context);
const notes: FeatureHooks = { sensors: { 'buffer-update': update, 'point-update': update } };

export const PERCEIVE_HOOKS: Hooks = [jobs, runbooks, runnerHooks, skills, notes, ...ENDING_HOOKS];
