/** After a call that a machine did not make: its server may describe the tool otherwise by now. */
import { machineOf } from '../../core/signal/runner-tools.ts';
import type { AfterEffect } from '../../core/stages/act/after.ts';

/** @param loadLate loads all late code of Act */
export const machineOfferChanged = (loadLate: () => Promise<typeof import('./late-after.ts')>): AfterEffect => ({
  name: 'machine offer changed',
  at: 'end',
  takes: ({ decision }, { effects }) =>
    effects.some(({ n, state }) => state === 'refused' && machineOf(decision.actions[n]?.action.url) !== undefined),
  after: async (deps, { record }) => {
    await (await loadLate()).noteMachineOffers(deps.table, record.signal.space);
    return [];
  },
});
