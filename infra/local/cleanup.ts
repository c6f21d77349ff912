/**
 * Steps that undo a start. They run once each, the last one first; a step that fails does not stop
 * the others.
 */
import { SECOND_MS } from '../../lib/base/limits.ts';

/**
 * Running functions get this long to end when the stack stops. The sweep takes up the rest later.
 */
export const LOCAL_STOP_GRACE_MS = 3 * SECOND_MS;

export interface Cleanup {
  readonly add: (step: () => unknown) => void;
  /** @throws AggregateError with the failure of every step */
  readonly run: () => Promise<void>;
}

export const buildCleanup = (): Cleanup => {
  const steps: (() => unknown)[] = [];
  return {
    add: (step) => {
      steps.push(step);
    },
    run: async () => {
      const problems: unknown[] = [];
      for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
        try {
          await step();
        } catch (error) {
          problems.push(error);
        }
      }
      if (problems.length > 0) throw new AggregateError(problems, 'the stack did not stop cleanly');
    },
  };
};
