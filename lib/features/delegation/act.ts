/** The part of delegation in Act: the power to begin a helper. */
import type { ActFeature } from '../../core/operations/act-feature.ts';
import { buildDelegationPowers } from './begin-task.ts';

export const actDelegation: ActFeature = {
  buildPowers: ({ table, space, publishPerceive }) => ({
    delegation: buildDelegationPowers(table, space, publishPerceive),
  }),
};
