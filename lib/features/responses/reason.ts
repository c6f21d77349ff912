/** The part in Reason: a turn that a program began offers its functions, whose calls are words. */
import type { ReasonFeature } from '../../core/stages/reason/reason-feature.ts';
import { offeredIn } from './functions.ts';

export const reasonResponses: ReasonFeature = {
  offers: offeredIn,
  sayCalls: async (payload, proposal) => {
    const offered = offeredIn(payload);
    return offered && (await import('./say-calls.ts')).sayCalls(offered, proposal);
  },
};
