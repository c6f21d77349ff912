/**
 * `/skill off` pauses the jobs of a skill, and `/skill on` lets them go on; those of a built-in
 * skill are made if they are missing or were removed. A repeat changes nothing. Act alone does it.
 */
import { changeJob } from '../jobs/change-job.ts';
import type { Destination, JobState } from '../jobs/job.ts';
import { loadJob } from '../jobs/read-jobs.ts';
import type { Table } from '../store/table.ts';
import type { SkillTrust } from './skill-change.ts';
import { buildJobs, type Drafted, type HashOf, type JobsChange, madeBy } from './skill-jobs.ts';

/** A skill whose jobs are switched. */
export interface Switched {
  readonly skill: Drafted;
  readonly trust: SkillTrust;
  readonly isOn: boolean;
  /** Destination of a job that names none. */
  readonly home: Destination | undefined;
  readonly hashOf: HashOf;
}

/** The state that a job is changed to; undefined if it stays. */
const stateAfter = (isOn: boolean, state: JobState | undefined): JobState | undefined => {
  if (!isOn) return state === 'active' ? 'paused' : undefined;
  return state === 'active' || state === 'ended' ? undefined : 'active';
};

/** @returns a line for each job */
export const switchJobs = async (
  table: Pick<Table, 'load' | 'transact'>,
  change: JobsChange,
  { skill, trust, isOn, home, hashOf }: Switched,
): Promise<readonly string[]> => {
  const lines: string[] = [];
  for (const definition of buildJobs(skill, trust, { ...change, here: home, hashOf })) {
    const { name } = definition;
    const before = await loadJob(table, change.space, name);
    const state = stateAfter(isOn, before?.state);
    const isNew = before === undefined || before.state === 'removed';
    if (state !== undefined)
      await changeJob(table, change, name, (job = before) => ({
        definition: isNew ? definition : (job?.definition ?? definition),
        state,
        why: isNew ? madeBy(skill.name) : `${isOn ? 'resumed' : 'paused'} with the skill ${skill.name}`,
      }));
    const now = state ?? before?.state;
    if (now !== undefined) lines.push(`Its job ${name} is ${now}.`);
  }
  return lines;
};
