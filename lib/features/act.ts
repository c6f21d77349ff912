/** The features that take part in Act: a row each. `actuators/lazy.ts` alone imports this list. */
import type { ActFeature } from '../core/operations/act-feature.ts';
import { actDelegation } from './delegation/act.ts';
import { actDocuments } from './documents/act.ts';
import { actForgetting } from './forgetting/act.ts';
import { actJobs } from './jobs/act.ts';
import { actLearning } from './learning/act.ts';
import { actMcp } from './mcp/act.ts';
import { actPlans } from './plans/act.ts';
import { actProviders } from './providers/act.ts';
import { actRunbooks } from './runbooks/act.ts';
import { actRunner } from './runner/act.ts';
import { actSkills } from './skills/act.ts';
import { actTending } from './tending/act.ts';
import { actVoice } from './voice/act.ts';
import { actWeb } from './web/act.ts';
import { actWebhooks } from './webhooks/act.ts';

export const ACT_FEATURES: readonly ActFeature[] = [
  actDelegation,
  actDocuments,
  actForgetting,
  actJobs,
  actSkills,
  actLearning,
  actMcp,
  actPlans,
  actProviders,
  actRunbooks,
  actRunner,
  actTending,
  actVoice,
  actWeb,
  actWebhooks,
];
