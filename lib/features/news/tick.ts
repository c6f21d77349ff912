/** The part of news in a tick: digests that are due. */
import { isDigestItem } from '../../core/ledger/digests.ts';
import type { FeatureHooks } from '../../core/operations/hooks.ts';

export const newsTick: FeatureHooks = {
  onTick: {
    takes: isDigestItem,
    look: async (deps, items) => (await import('./send-digests.ts')).sendDigests(deps, items),
  },
};
