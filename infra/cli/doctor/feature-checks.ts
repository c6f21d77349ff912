/** The checks of features. `examine.ts` alone imports this list. */
import { checkSources } from '../../features/events/doctor.ts';
import { checkJobs } from '../../features/jobs/doctor.ts';
import { checkTraces } from '../../features/traces/doctor.ts';
import { checkSearch } from '../../features/web/doctor.ts';
import type { FeatureCheck } from './check.ts';

export const FEATURE_CHECKS: readonly FeatureCheck[] = [checkJobs, checkSources, checkSearch, checkTraces];
