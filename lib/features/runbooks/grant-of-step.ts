/** Names the grant of each step of a run that was approved as a whole. Pure. */
import { createHash } from 'node:crypto';
import type { CurrentStep, Run } from '../../core/ledger/run.ts';

/** `5.1`, and `5.1 undone` for what takes it back. */
export const stepName = (place: string, isUndo: boolean): string => (isUndo ? `${place} undone` : place);

export const grantIdOf = (runId: string, name: string): string =>
  createHash('sha256').update(`passepartout/run-grant\n${runId}\n${name}`).digest('hex').slice(0, 12);

/** The name of a yes to a whole job, which the grants of its steps are named by. */
export const wholeJobId = (job: string, version: number): string => `job ${job} ${version}`;

/** The grant that covers the current step; undefined if the run was not approved as a whole. */
export const grantOfStep = ({ id, approved }: Run, { at, kind }: CurrentStep): string | undefined => {
  const place = at.flatMap((index, n) => (n % 2 === 0 ? [index + 1] : [])).join('.');
  return approved === undefined ? undefined : grantIdOf(approved.job?.id ?? id, stepName(place, kind === 'undo'));
};
