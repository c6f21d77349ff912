/**
 * The heartbeat's work for features, without a model (I12). One query of a sparse index finds what
 * is due: jobs, and runs and orders that may have ended. So a tick without work costs one request
 * however many jobs there are, and loads nothing.
 */

import type { TickDeps } from '../../operations/hooks.ts';
import { indexPartitions, ORDER_PREFIX } from '../../store/keys.ts';
import { loadIndexed } from '../../store/load-named.ts';
import type { Item } from '../../store/table.ts';

/** Jobs and runs of one tick: the next minute takes the rest. */
const DUE_ITEMS_MAX = 2_000;
/** Keys of one page of the index, as many as one batch read takes. */
const DUE_PAGE_ITEMS = 100;

/** A start finds its queues empty: what waits for a machine is sent again at once. */
const isWaiting = ({ sk, state }: Item): boolean => String(sk).startsWith(ORDER_PREFIX) && state === 'queued';

const loadDue = async ({ table, space, now }: TickDeps, isRecovering: boolean): Promise<readonly Item[]> => {
  const upTo = isRecovering ? {} : { upTo: now };
  const isDue = (item: Item): boolean => Number(item.unfinishedAt) <= now || (isRecovering && isWaiting(item));
  const found: Item[] = [];
  const partition = indexPartitions.jobs(space);
  let cursor: string | undefined;
  do {
    const page = await loadIndexed(table, { index: 'unfinished', partition, ...upTo, limit: DUE_PAGE_ITEMS, cursor });
    // The index may be behind the item.
    found.push(...page.items.filter(isDue));
    cursor = page.cursor;
  } while (cursor !== undefined && found.length < DUE_ITEMS_MAX);
  return found;
};

/** @returns the number of runs started. @throws at its end the first error */
export const sweepDue = async (deps: TickDeps, isRecovering = false): Promise<number> => {
  const due = await loadDue(deps, isRecovering);
  let started = 0;
  let fault: unknown;
  for (const { onTick } of deps.hooks) {
    const items = onTick === undefined ? [] : due.filter(onTick.takes);
    if (onTick === undefined || items.length === 0) continue;
    const looked = await onTick.look(deps, items);
    started += looked.started;
    fault ??= looked.fault;
  }
  if (fault !== undefined) throw fault;
  return started;
};
