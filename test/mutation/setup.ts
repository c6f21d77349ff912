/**
 * Property tests of a mutation run: always the same values, and no search for a smaller
 * counterexample once one is found.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: 1, endOnFailure: true });
