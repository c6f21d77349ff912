/** The checks of features. `examine.ts` alone imports this list. */
import { checkDoor } from '../../features/door/doctor.ts';
import { checkSources } from '../../features/events/doctor.ts';
import { checkJobs } from '../../features/jobs/doctor.ts';
import { checkPrograms } from '../../features/responses/doctor.ts';
import { checkTraces } from '../../features/traces/doctor.ts';
import { checkSearch } from '../../features/web/doctor.ts';
import { checkMachineServers } from '../../runner/doctor.ts';
import type { FeatureCheck } from './check.ts';

export const FEATURE_CHECKS: readonly FeatureCheck[] = [
  checkJobs,
  checkSources,
  checkPrograms,
  checkSearch,
  checkTraces,
  checkDoor,
  checkMachineServers,
];
