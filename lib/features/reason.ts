/** The features that take part in Reason: a row each. `stages/reason` alone imports this list. */
import type { ReasonFeature } from '../core/stages/reason/reason-feature.ts';
import { reasonClaims } from './claims/reason.ts';
import { reasonLines } from './lines/reason.ts';
import { reasonResponses } from './responses/reason.ts';
import { reasonRunner } from './runner/reason.ts';
import { reasonSkills } from './skills/reason.ts';
import { reasonVoice } from './voice/reason.ts';
import { reasonWebhooks } from './webhooks/reason.ts';

export const REASON_FEATURES: readonly ReasonFeature[] = [
  reasonRunner,
  reasonSkills,
  reasonVoice,
  reasonWebhooks,
  reasonClaims,
  reasonLines,
  reasonResponses,
];
