/** What wings look at in a tick, each by the rows of the index that are its own. */
import type { Hooks, WingHooks } from '../../operations/hooks.ts';
import { ORDER_PREFIX } from '../../store/keys.ts';
import { ENDING_HOOKS } from './ending.ts';
import { FAILURE_HOOKS } from './failure.ts';

const runbooks: WingHooks = {
  onTick: {
    takes: ({ sk }) => String(sk).startsWith('run#'),
    look: async (deps, items) => (await import('../runbooks/look-at-run.ts')).lookAtRuns(deps, items),
  },
};

const runners: WingHooks = {
  onTick: {
    takes: ({ sk }) => String(sk).startsWith(ORDER_PREFIX),
    look: async (deps, items) => (await import('../runners/look-at-order.ts')).lookAtOrders(deps, items),
  },
};

const jobs: WingHooks = {
  onTick: {
    takes: ({ sk }) => sk === 'occurrence' || String(sk).startsWith('job#'),
    look: async (deps, items) => (await import('../jobs/run-due.ts')).runDue(deps, items),
  },
};

/** In this order: a run that has ended makes room for the next run of its job. */
export const HEARTBEAT_HOOKS: Hooks = [runbooks, runners, jobs, ...ENDING_HOOKS, ...FAILURE_HOOKS];
