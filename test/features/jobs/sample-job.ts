/** Jobs for tests: definitions with the defaults filled in, made the way Act makes them. */

import type { Table } from '../../../lib/core/store/table.ts';
import { changeJob } from '../../../lib/features/jobs/change-job.ts';
import { JOB_DEFAULTS, type JobDefinition, type JobState, type JobVersion } from '../../../lib/features/jobs/job.ts';

export const sampleJob = (changes: Partial<JobDefinition> & Pick<JobDefinition, 'when'>): JobDefinition => ({
  name: 'morning',
  work: { kind: 'steps', steps: [{ say: 'Good morning' }] },
  to: [{ target: 'telegram', to: '7' }],
  ...JOB_DEFAULTS,
  promises: 'reply',
  ...changes,
});

/** Stores the definition as the effect of a signal of its own. */
export const makeJob = (
  table: Table,
  space: string,
  definition: JobDefinition,
  now: number,
  state: JobState = 'active',
): Promise<JobVersion> => {
  const signalId = `con-${definition.name}-${now}`;
  const changer = { space, signalId, effectId: `${space}/${signalId}#0`, by: 'console-approver', now };
  return changeJob(table, changer, definition.name, () => ({ definition, state, why: 'made' }));
};
