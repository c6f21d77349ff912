/** The part of machines in a tick: orders that wait or are over, and those of an older copy. */
import type { FeatureHooks, RestoredHook, TickHook } from '../../core/operations/hooks.ts';
import { ORDER_PREFIX } from '../../core/store/keys.ts';

const loadLate = () => import('./look-at-order.ts');
const isOrder: TickHook['takes'] = ({ sk }) => String(sk).startsWith(ORDER_PREFIX);

export const runnerTick: FeatureHooks = {
  onTick: { takes: isOrder, look: async (deps, items) => (await loadLate()).lookAtOrders(deps, items) },
};

export const runnerRestored: RestoredHook = {
  takes: isOrder,
  lose: async (deps, items) => (await loadLate()).loseOrders(deps, items),
};
