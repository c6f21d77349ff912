/**
 * fast-check with the tests' seed (`seed.ts`); a property that fails prints it, with the path to
 * the smallest counterexample.
 */
import fc from 'fast-check';
import { SEED } from './seed.ts';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });

export { fc };
