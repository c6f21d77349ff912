/** Looks whether a step is still the current one of its run, now and in the claim of its action. */
import { whyRunEnded } from '../../ledger/load-run.ts';
import { isAt, type Run } from '../../ledger/run.ts';
import { stepOf } from '../../signal/ids.ts';
import type { Signal } from '../../signal/signal.ts';
import type { Look } from '../../stages/act/guard.ts';
import { runKeys } from '../../store/keys.ts';

export const lookAtRun = (signal: Pick<Signal, 'id' | 'space'>, run: Run | undefined): Look => {
  const over = whyRunEnded(signal, run);
  const n = stepOf(signal.id);
  if (n === undefined || run === undefined) return { over };
  const check = { kind: 'check', key: runKeys.record(signal.space, run.id), condition: isAt(n) } as const;
  return { over, atClaim: async () => ({ writes: [check] }) };
};
