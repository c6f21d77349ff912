/** The part of jobs in Act: the powers of their tools. */
import type { ActFeature } from '../../core/operations/act-feature.ts';
import { buildJobPowers } from './job-powers.ts';

export const actJobs: ActFeature = {
  buildPowers: ({ table, space, publishPerceive }) => ({ jobs: buildJobPowers(table, space, publishPerceive) }),
};
