/** The features that take part in Act: a row each. `actuators/lazy.ts` alone imports this list. */
import type { ActFeature } from '../operations/act-feature.ts';
import { actLearning } from './learning/act.ts';
import { actRunner } from './runner/act.ts';

export const ACT_FEATURES: readonly ActFeature[] = [actLearning, actRunner];
