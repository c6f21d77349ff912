/** Steps that undo a start: run last to first, each once; one that fails does not keep the others from running. */

export interface Cleanup {
  readonly add: (step: () => unknown) => void;
  /** @throws AggregateError with every step's failure */
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
