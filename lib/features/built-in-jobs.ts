/** The purpose of a job that came with the program. `jobs/describe-jobs.ts` alone imports it. */
import { purposeOfJob } from './skills/built-in-jobs.ts';

export const BUILT_IN_JOBS: readonly ((job: string) => string | undefined)[] = [purposeOfJob];
