/** A step of a run is followed by the next one. */
import type { FeatureHooks } from '../../core/operations/hooks.ts';
import { stepOf } from '../../core/signal/ids.ts';
import { loadLazy } from '../load-lazy.ts';

export const runbookEnding: FeatureHooks = {
  nextSignal: async (deps, ended) =>
    stepOf(ended.signal.id) === undefined ? undefined : (await loadLazy()).nextStep(deps, ended),
};
