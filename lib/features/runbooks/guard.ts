/**
 * Act performs a step of a run only while it is the run's current step and nobody stopped the run:
 * it looks before it judges, and again in the transaction that claims the action.
 */
import { isAt, isLive, type Run } from '../../ledger/run.ts';
import { stepOf } from '../../signal/ids.ts';
import type { Signal } from '../../signal/signal.ts';
import type { Look } from '../../stages/act/guard.ts';
import { runKeys } from '../../store/keys.ts';

/** Why a step may not be performed any more; undefined if it may, or if this is no step. */
export const whyRunEnded = ({ id }: Pick<Signal, 'id'>, run: Run | undefined): string | undefined => {
  const n = stepOf(id);
  if (n === undefined) return undefined;
  if (run === undefined) return 'the run it belongs to is not there';
  if (!isLive(run)) return `the run was ${run.state === 'stopped' ? 'stopped' : 'ended'}`;
  return run.n === n ? undefined : 'the run has gone on without it';
};

export const lookAtRun = (signal: Pick<Signal, 'id' | 'space'>, run: Run | undefined): Look => {
  const over = whyRunEnded(signal, run);
  const n = stepOf(signal.id);
  if (n === undefined || run === undefined) return { over };
  const check = { kind: 'check', key: runKeys.record(signal.space, run.id), condition: isAt(n) } as const;
  return { over, atClaim: async () => ({ writes: [check] }) };
};
