/** The part of forgetting in Act: the power of its tool, and what it does late. */
import type { ActFeature } from '../../core/operations/act-feature.ts';
import { forgetAgain } from './forget-again.ts';
import { forgetLate } from './forget-late.ts';
import { forgetTraces } from './forget-traces.ts';

export const actForgetting: ActFeature = {
  buildPowers: (context) => ({ forgetting: { eraseTraces: (what) => forgetTraces(context, what) } }),
  forgetLate,
  forgetAgain,
};
