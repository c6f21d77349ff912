/** The part of runbooks in Act: the powers of their tools. */
import type { ActFeature } from '../../core/operations/act-feature.ts';
import { buildRunbookSource } from './find-runbook.ts';
import { buildRunbookPowers } from './run-powers.ts';

export const actRunbooks: ActFeature = {
  buildPowers: ({ table, space, publishPerceive }) => ({
    runbooks: buildRunbookPowers(table, space, publishPerceive, buildRunbookSource(table, space)),
  }),
};
