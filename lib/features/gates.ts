/** The gates that features add to the fixed ones. `stages/gate-sets.ts` alone imports this list. */
import type { FindGates } from '../core/stages/found-gates.ts';
import { findGatesOfSkills } from './skills/gates.ts';

export const ADDED_GATES: readonly FindGates[] = [findGatesOfSkills];
