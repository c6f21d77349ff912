/** The hooks of features in a tick, each by its own rows, and if a signal is given up. */

import type { BuildHold, Hooks } from '../../lib/core/operations/hooks.ts';
import { delegationTick } from '../../lib/features/delegation/tick.ts';
import { ENDING_HOOKS } from '../../lib/features/ending.ts';
import { jobTick } from '../../lib/features/jobs/tick.ts';
import { newsTick } from '../../lib/features/news/tick.ts';
import { buildRestoreGuard } from '../../lib/features/restore/restore.ts';
import { runbookTick } from '../../lib/features/runbooks/tick.ts';
import { runnerTick } from '../../lib/features/runner/tick.ts';
import { skillFailure } from '../../lib/features/skills/failure.ts';
import { skillTick } from '../../lib/features/skills/tick.ts';

export const FAILURE_HOOKS: Hooks = [skillFailure];

/** In this order: a run that has ended makes room for the next run of its job. */
export const HEARTBEAT_HOOKS: Hooks = [
  runbookTick,
  runnerTick,
  jobTick,
  delegationTick,
  newsTick,
  skillTick,
  ...ENDING_HOOKS,
  ...FAILURE_HOOKS,
];

/** An older copy of the table is held until forgettings are repeated and somebody resumes. */
export const HOLDS: readonly BuildHold[] = [buildRestoreGuard];
