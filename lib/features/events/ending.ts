/** Events that waited for an answer come again once its job is made. No signal follows. */
import type { FeatureHooks } from '../../core/operations/hooks.ts';
import { isChosenJob } from '../../core/signal/signal.ts';
import { loadLazy } from '../load-lazy.ts';

export const eventEnding: FeatureHooks = {
  nextSignal: async (deps, ended) => {
    if (isChosenJob(ended.signal)) await (await loadLazy()).releaseChosen(deps, ended);
    return undefined;
  },
};
