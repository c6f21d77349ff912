/** Events that waited for an answer come again once its job is made. No signal follows. */
import type { FeatureHooks } from '../../operations/hooks.ts';
import { isChosenJob } from '../../signal/signal.ts';
import { loadLazy } from '../load-lazy.ts';

export const eventEnding: FeatureHooks = {
  nextSignal: async (deps, ended) => {
    if (isChosenJob(ended.signal)) await (await loadLazy()).releaseChosen(deps, ended);
    return undefined;
  },
};
