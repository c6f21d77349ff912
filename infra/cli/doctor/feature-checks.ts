/** The checks of features. `examine.ts` alone imports this list. */
import { checkSources } from '../../features/events/doctor.ts';
import type { FeatureCheck } from './check.ts';
import { checkJobs } from './check-jobs.ts';

export const FEATURE_CHECKS: readonly FeatureCheck[] = [checkJobs, checkSources];
