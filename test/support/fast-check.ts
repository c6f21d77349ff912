/**
 * fast-check with the tests' seed (`seed.ts`); a property that fails prints it, with the path to
 * the smallest counterexample. A property is tried a quarter of the times that its test names, and
 * as often as named by `npm run soak`.
 */
import fastCheck, { type IAsyncProperty, type IProperty, type IRawProperty, type Parameters } from 'fast-check';
import { TAKES_ALL } from './sample.ts';
import { SEED } from './seed.ts';

fastCheck.configureGlobal({ ...fastCheck.readConfigureGlobal(), seed: SEED });

/** Fewer would often miss what a random try can find at all. */
const RUNS_MIN = 25;

/** How often a property is tried whose test names so many times. */
export const runsOf = (named: number): number =>
  TAKES_ALL || named <= RUNS_MIN ? named : Math.max(RUNS_MIN, Math.ceil(named / 4));

function assert<Ts>(property: IAsyncProperty<Ts>, parameters?: Parameters<Ts>): Promise<void>;
function assert<Ts>(property: IProperty<Ts>, parameters?: Parameters<Ts>): void;
function assert<Ts>(property: IRawProperty<Ts>, parameters?: Parameters<Ts>): Promise<void> | void;
function assert<Ts>(property: IRawProperty<Ts>, parameters?: Parameters<Ts>): Promise<void> | void {
  return fastCheck.assert(property, { ...parameters, numRuns: runsOf(parameters?.numRuns ?? 100) });
}

export const fc: typeof fastCheck = { ...fastCheck, assert };
