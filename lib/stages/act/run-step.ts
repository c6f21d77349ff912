/**
 * Act performs a step of a run only while it is the run's current step and nobody stopped the run:
 * it looks before it judges, and again in the transaction that claims the action.
 */
import { isAt, isLive, type Run } from '../../runbooks/run.ts';
import { stepOf } from '../../signal/ids.ts';
import type { Signal } from '../../signal/signal.ts';
import { runKeys } from '../../store/keys.ts';
import type { Write } from '../../store/table.ts';

/** Why a step may not be performed any more; undefined if it may, or if this is no step. */
export const whyRunEnded = ({ id }: Pick<Signal, 'id'>, run: Run | undefined): string | undefined => {
  const n = stepOf(id);
  if (n === undefined) return undefined;
  if (run === undefined) return 'the run it belongs to is not there';
  if (!isLive(run)) return `the run was ${run.state === 'stopped' ? 'stopped' : 'ended'}`;
  return run.n === n ? undefined : 'the run has gone on without it';
};

/** Part of the claim: nobody stopped the run meanwhile. */
export const runChecks = ({ id, space }: Signal, run: Run | undefined): readonly Write[] => {
  const n = stepOf(id);
  if (n === undefined || run === undefined) return [];
  return [{ kind: 'check', key: runKeys.record(space, run.id), condition: isAt(n) }];
};
