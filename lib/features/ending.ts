/** The hooks of features when a signal ends: all that Act needs of them. */
import { jobOf } from '../money/day-spend.ts';
import type { FeatureHooks, Hooks } from '../operations/hooks.ts';
import { stepOf } from '../signal/ids.ts';
import { isChosenJob } from '../signal/signal.ts';

const loadLazy = () => import('./lazy-ending.ts');

/** A step of a run is followed by the next one. */
const runbooks: FeatureHooks = {
  nextSignal: async (deps, ended) =>
    stepOf(ended.signal.id) === undefined ? undefined : (await loadLazy()).nextStep(deps, ended),
};

/** Events that waited for an answer come again once its job is made. No signal follows. */
const events: FeatureHooks = {
  nextSignal: async (deps, ended) => {
    if (isChosenJob(ended.signal)) await (await loadLazy()).releaseChosen(deps, ended);
    return undefined;
  },
};

/** The run of a job ends with the last signal of its turn. */
const jobs: FeatureHooks = {
  onEnded: async (deps, { session, root }) => {
    if (jobOf(session) === undefined) return;
    await (await loadLazy()).closeEnded({ ...deps, now: deps.now() }, root);
  },
};

export const ENDING_HOOKS: Hooks = [runbooks, events, jobs];
