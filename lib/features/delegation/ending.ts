/** A helper may have ended with the last signal of its turn; a tick looks where none publishes. */
import type { FeatureHooks } from '../../core/operations/hooks.ts';
import { isTaskId } from '../../core/signal/ids.ts';
import { loadLazy } from '../load-lazy.ts';

export const delegationEnding: FeatureHooks = {
  onEnded: async ({ publishPerceive, ...deps }, { root }) => {
    if (!isTaskId(root) || publishPerceive === undefined) return;
    await (await loadLazy()).lookAtTask({ ...deps, now: deps.now(), publishPerceive, mayPay: true }, root);
  },
};
