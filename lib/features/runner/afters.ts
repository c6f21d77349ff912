/** The afters of machines: a word if one is away, and a look whether it was faster than Act. */
import type { AfterEffect, EffectNotice } from '../../core/stages/act/after.ts';

type LoadLate = () => Promise<typeof import('./late-afters.ts')>;

/**
 * @param loadLate loads all late code of Act: loaded apart, this would be one more file of its
 *   start
 */
export const machineAway = (loadLate: LoadLate): EffectNotice => ({
  name: 'machine away',
  takes: (_, { effect }) => effect.state === 'suspended' && effect.handedTo !== undefined,
  build: async (...acted) => (await loadLate()).awayNotice(...acted),
});

export const machineDone = (loadLate: LoadLate): AfterEffect => ({
  name: 'machine done',
  at: 'end',
  takes: (_, { effects }) => effects.some(({ handedTo }) => handedTo !== undefined),
  after: async (deps, turn, { effects }) => {
    await (await loadLate()).wakeIfOver(deps, turn, effects);
    return [];
  },
});
