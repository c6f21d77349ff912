/**
 * The jobs that a skill brings: made with the version that names them, and removed with it. Words
 * of a skill from elsewhere never become the owner's: its jobs ask for the skill by name only, and
 * the turn is shown its text as outside text (I13).
 */
import { ProtocolError } from '../../core/base/errors.ts';
import type { Destination } from '../../core/signal/destination.ts';
import type { Table } from '../../core/store/table.ts';
import { changeJob } from '../jobs/change-job.ts';
import { completeJob } from '../jobs/complete-job.ts';
import { type JobDefinition, JobName, type RunbookWork } from '../jobs/job.ts';
import type { JobDraft } from '../jobs/job-draft.ts';
import { loadJob, loadVersion } from '../jobs/read-jobs.ts';
import type { SkillTrust } from './skill-change.ts';
import type { SkillDefinition } from './skill-definition.ts';

export type Drafted = Pick<SkillDefinition, 'name' | 'trigger' | 'jobs' | 'runbooks'>;

/** SHA-256 of a file of the skill; undefined if it has none of this name. */
export type HashOf = (file: string) => string | undefined;

/** The drafts of all its jobs, each under the skill's name. */
const draftsOf = ({ name, trigger: { schedule }, jobs }: Drafted): readonly JobDraft[] => [
  ...(schedule === undefined ? [] : [{ ...schedule, name, prompt: `Do what the skill ${name} says.` }]),
  ...jobs.map((job) => ({ ...job, name: `${name}-${job.name}` })),
];

interface Making {
  readonly zone: string;
  readonly now: number;
  /** Destination of a job that names none. */
  readonly here?: Destination | undefined;
  readonly hashOf: HashOf;
}

/** A job of a skill runs the skill's own runbooks only, as they are in this version. */
const runbookOf = ({ runbooks = [] }: Drafted, draft: JobDraft, hashOf: HashOf): RunbookWork | undefined => {
  if (draft.runbook === undefined) return undefined;
  const file = runbooks.find(({ name }) => name === draft.runbook)?.file;
  const hash = file === undefined ? undefined : hashOf(file);
  if (hash === undefined)
    throw new ProtocolError(`its job ${draft.name} names the runbook ${draft.runbook}, which the skill does not have`);
  return { kind: 'runbook', runbook: draft.runbook, hash, inputs: draft.inputs ?? {} };
};

export const buildJobs = (
  skill: Drafted,
  trust: SkillTrust,
  { zone, now, here, hashOf }: Making,
): readonly JobDefinition[] =>
  draftsOf(skill).map((draft) => {
    if (!JobName.safeParse(draft.name).success)
      throw new ProtocolError(`its job ${draft.name} needs a name of at most 32 letters, digits and "-"`);
    if (trust === 'outside' && (draft.steps ?? draft.runbook) !== undefined)
      throw new ProtocolError(`its job ${draft.name} has steps, which only a skill that you vouch for may have`);
    const { prompt } = draft;
    const asked = { ...draft, prompt: `Work by the skill ${skill.name}, as its job ${draft.name} asks.` };
    const job = trust === 'outside' && prompt !== undefined ? asked : draft;
    return completeJob({ promises: 'nothing', ...job }, { zone, now, here, work: runbookOf(skill, draft, hashOf) });
  });

/** Stands for the hash of a file that is only looked at. */
const NO_HASH = '0'.repeat(64);

/** The faults of a skill's jobs, in words for its author; undefined if there are none. */
export const jobProblem = (skill: Drafted): string | undefined => {
  try {
    buildJobs(skill, 'owner', { zone: 'UTC', now: 0, hashOf: () => NO_HASH });
    return undefined;
  } catch (error) {
    if (error instanceof ProtocolError) return error.message;
    throw error;
  }
};

/** The person who changes the skill, the effect, and the time. */
export interface JobsChange {
  readonly space: string;
  readonly by: string;
  readonly now: number;
  readonly signalId: string;
  readonly effectId: string;
  readonly zone: string;
}

type JobTable = Pick<Table, 'load' | 'transact'>;

/** A job that lives and that no earlier try of this effect made. */
const isOfOthers = async (table: JobTable, { space, effectId }: JobsChange, name: string): Promise<boolean> => {
  const job = await loadJob(table, space, name);
  if (job === undefined || (job.state !== 'active' && job.state !== 'paused')) return false;
  return (await loadVersion(table, space, name, job.version))?.effectId !== effectId;
};

/**
 * Looks before anything is changed. @param own names of the jobs the version in force brought
 * @throws ProtocolError if a job cannot be made, or somebody else's has its name
 */
export const planJobs = async (
  table: JobTable,
  change: JobsChange,
  skill: Drafted,
  trust: SkillTrust,
  own: readonly string[],
  hashOf: HashOf,
): Promise<readonly JobDefinition[]> => {
  const jobs = buildJobs(skill, trust, { ...change, hashOf });
  for (const { name } of jobs) {
    if (!own.includes(name) && (await isOfOthers(table, change, name)))
      throw new ProtocolError(`there is a job ${name} already; remove it or give the skill's another name`);
  }
  return jobs;
};

/** Why the first version of a skill's job was made. */
export const madeBy = (skill: string): string => `made by the skill ${skill}`;

/** Makes the jobs of a version, and removes those of the version before that it does not have. */
export const putJobs = async (
  table: JobTable,
  change: JobsChange,
  skill: string,
  jobs: readonly JobDefinition[],
  before: readonly string[],
): Promise<void> => {
  for (const definition of jobs) {
    await changeJob(table, change, definition.name, (job) => ({
      definition,
      state: job?.state === 'paused' ? 'paused' : 'active',
      why: madeBy(skill),
    }));
  }
  for (const name of before.filter((one) => !jobs.some((job) => job.name === one))) {
    const job = await loadJob(table, change.space, name);
    if (job === undefined || job.state === 'removed') continue;
    const why = `removed with the skill ${skill}`;
    await changeJob(table, change, name, ({ definition } = job) => ({ definition, state: 'removed', why }));
  }
};
