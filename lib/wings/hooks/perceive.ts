/**
 * What wings answer in Perceive, by sensor, and which of them take an event in place of the model.
 */
import type { Hooks, SensorHook, WingHooks } from '../../operations/hooks.ts';
import { ENDING_HOOKS } from './ending.ts';

const jobs: WingHooks = {
  sensors: { 'job-due': async (context) => (await import('../jobs/begin-job-run.ts')).beginJobRun(context) },
  takeEvent: async (deps, signal) =>
    signal.payload.sensor === 'webhook' ? (await import('../jobs/hand-to-jobs.ts')).handToJobs(deps, signal) : [],
};

const runbooks: WingHooks = {
  sensors: { 'run-step': async (context) => (await import('../runbooks/answer-run-step.ts')).answerRunStep(context) },
};

const skills: WingHooks = {
  sensors: { 'skill-event': async (context) => (await import('../skills/run-handler.ts')).answerSkillEvent(context) },
};

const update: SensorHook = async (context) => (await import('../notes/memory-update.ts')).answerMemoryUpdate(context);
const notes: WingHooks = { sensors: { 'buffer-update': update, 'point-update': update } };

export const PERCEIVE_HOOKS: Hooks = [jobs, runbooks, skills, notes, ...ENDING_HOOKS];
