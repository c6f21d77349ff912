/** The features that take part in Act, loaded with the first call of a tool: one row each. */
import { actLearning } from '../../lib/features/learning/act.ts';
import type { ActFeature } from '../../lib/operations/feature.ts';

export const ACT_FEATURES: readonly ActFeature[] = [actLearning];
