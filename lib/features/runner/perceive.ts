/** The part of machines in Perceive: orders that are over, and machines that a stop reaches. */
import type { FeatureHooks } from '../../core/operations/hooks.ts';
import { runnerKeys } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import { readRunners } from './runners.ts';

export const runnerHooks: FeatureHooks = {
  findEnded: async (...handed) => (await import('./find-ended.ts')).findEnded(...handed),
  namesStopped: async ({ table, space }) => {
    const { runners } = readRunners(await loadItem(table, runnerKeys.list(space)));
    return runners.filter(({ seenAt }) => seenAt !== undefined).map(({ name }) => name);
  },
};
