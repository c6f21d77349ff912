/** The part of learning in Act: the powers of its tools. */
import type { ActFeature } from '../../core/operations/act-feature.ts';
import { buildLearning } from './learning-powers.ts';

export const actLearning: ActFeature = {
  buildPowers: ({ webhooks: { webhookCalls }, ...context }, { skills }) =>
    skills === undefined ? {} : { learning: buildLearning({ ...context, webhookCalls, skills }) },
};
