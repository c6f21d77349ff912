/**
 * How much a run takes. `npm test` holds every promise at least once, in minutes; `TESTS=all` (`npm
 * run test:all`) adds the rest. Tests that break something at every step in turn take a sample of
 * the steps, the same one for the same seed; `STEPS=all` (`npm run soak`) takes every step.
 */
import { createHash } from 'node:crypto';
import { SEED } from './seed.ts';

const SAMPLE_OF = 20;

/** Whether this run has half an hour (`npm run test:all`), not minutes. */
export const TAKES_MORE = process.env.TESTS === 'all' || process.env.STEPS === 'all';

/** Whether this run has hours (`npm run soak`), not minutes. */
export const TAKES_ALL = process.env.STEPS === 'all';

const rankOf = (test: string, step: number): number =>
  createHash('sha256').update(`${SEED} ${test} ${step}`).digest().readUInt32BE();

/** @param test names the test, so that each takes another sample. */
export const isSampled = (test: string, step: number): boolean => TAKES_ALL || rankOf(test, step) % SAMPLE_OF === 0;

/** All rows in a run that takes more; else `count` of them, in their order. */
export const someOf = <Row>(test: string, rows: readonly Row[], count: number): readonly Row[] => {
  const ranks = rows.map((_, at) => rankOf(test, at));
  const last = ranks.toSorted((a, b) => a - b)[count - 1] ?? 0;
  return TAKES_MORE ? rows : rows.filter((_, at) => (ranks[at] ?? 0) <= last);
};

/** The steps taken of `first` to `last`; at least one if there is any. */
export const sampleSteps = (test: string, first: number, last: number): readonly number[] => {
  const steps = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  const taken = steps.filter((step) => isSampled(test, step));
  return taken.length > 0 ? taken : steps.slice(0, 1);
};

/** Runs a step; its failure names the step, and the seed that takes it again. */
export const atStep = async <T>(step: number, run: () => Promise<T>): Promise<T> => {
  try {
    return await run();
  } catch (error) {
    throw new Error(`at step ${step} (TEST_SEED=${SEED} npm test repeats it)`, { cause: error });
  }
};
