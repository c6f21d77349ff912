/**
 * The answers of features in Perceive, by sensor, and the features that take an event in place of
 * the model.
 */

import type { Hooks } from '../../lib/core/operations/hooks.ts';
import { ENDING_HOOKS } from '../../lib/features/ending.ts';
import { perceiveJobs } from '../../lib/features/jobs/perceive.ts';
import { perceiveNotes } from '../../lib/features/notes/perceive.ts';
import { perceiveRunbooks } from '../../lib/features/runbooks/perceive.ts';
import { runnerHooks } from '../../lib/features/runner/perceive.ts';
import { perceiveSkills } from '../../lib/features/skills/perceive.ts';

export const PERCEIVE_HOOKS: Hooks = [
  perceiveJobs,
  perceiveRunbooks,
  runnerHooks,
  perceiveSkills,
  perceiveNotes,
  ...ENDING_HOOKS,
];
