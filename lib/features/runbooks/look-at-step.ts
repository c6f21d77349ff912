/** Looks whether a step is still the current one of its run, now and in the claim of its action. */
import { whyRunEnded } from '../../core/ledger/load-run.ts';
import { isAt, type Run } from '../../core/ledger/run.ts';
import { stepOf } from '../../core/signal/ids.ts';
import type { Signal } from '../../core/signal/signal.ts';
import type { Look } from '../../core/stages/act/guard.ts';
import { runKeys } from '../../core/store/keys.ts';

export const lookAtRun = (signal: Pick<Signal, 'id' | 'space'>, run: Run | undefined): Look => {
  const over = whyRunEnded(signal, run);
  const n = stepOf(signal.id);
  if (n === undefined || run === undefined) return { over };
  const check = { kind: 'check', key: runKeys.record(signal.space, run.id), condition: isAt(n) } as const;
  return { over, atClaim: async () => ({ writes: [check] }) };
};
