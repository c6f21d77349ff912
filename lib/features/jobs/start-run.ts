/**
 * Starts a run outside a job's rule: a person wants it now, an event came, or a condition has
 * become true. The occurrence is stored first; the caller then publishes its signal. A repeat with
 * the same signal id changes nothing.
 */
import { ConditionError, ContendedError } from '../../core/base/errors.ts';
import { allOf, equals, IS_NEW, oneOf } from '../../core/store/condition.ts';
import { jobKeys } from '../../core/store/keys.ts';
import type { Table, Write } from '../../core/store/table.ts';
import type { Job } from './job.ts';
import { beginOccurrence, type NewOccurrence } from './write-occurrence.ts';

/** The job counts one more run, if it is of this version, and no other run began meanwhile. */
const countRun = (space: string, { name, version, running, definition }: Job): Write => ({
  kind: 'update',
  key: jobKeys.record(space, name),
  change: { add: { running: 1 } },
  condition: {
    name: 'the job is as it was read',
    holds: allOf(
      equals('version', version),
      oneOf('state', ['active', 'paused']),
      ...(definition.overlap === 'skip' ? [equals('running', running)] : []),
    ),
  },
});

/** Why an occurrence outside the rule does not start; undefined if it may. */
export const whyNot = ({ definition, running }: Job): string | undefined =>
  definition.overlap === 'skip' && running > 0 ? 'the run before it has not ended' : undefined;

/** @returns whether this call stored it. @throws ContendedError if the job was changed */
export const startRun = async (
  table: Pick<Table, 'transact'>,
  space: string,
  job: Job,
  one: NewOccurrence,
  now: number,
): Promise<boolean> => {
  const isRunning = one.state === 'fired' || one.state === 'late';
  try {
    await table.transact([...beginOccurrence(space, job, one, now), ...(isRunning ? [countRun(space, job)] : [])]);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    if (error.condition === IS_NEW.name) return false;
    throw new ContendedError(`the job ${job.name}`, 1, { cause: error });
  }
};
