/**
 * Mutants that no test can notice, or that none should: each with the reason. `check.ts` holds this list against the report
 * of a run, and complains about reasons that explain nothing any more.
 */

interface Survivor {
  /** Path, or the beginning of one. */
  readonly file: string;
  /** Name of Stryker's mutator; any where absent. */
  readonly mutator?: string;
  /** What the mutant stands in place of. */
  readonly original: RegExp;
  /** What it is replaced by; anything where absent. */
  readonly replacement?: RegExp;
  readonly why: string;
}

export const SURVIVORS: readonly Survivor[] = [
  {
    file: 'lib/',
    original: /satisfies never/,
    why: 'the branch of a switch that types say is never reached',
  },
];

export const explanationOf = (
  file: string,
  mutator: string,
  original: string,
  replacement: string,
): string | undefined =>
  SURVIVORS.find(
    (one) =>
      file.startsWith(one.file) &&
      (one.mutator === undefined || one.mutator === mutator) &&
      one.original.test(original) &&
      (one.replacement === undefined || one.replacement.test(replacement)),
  )?.why;
