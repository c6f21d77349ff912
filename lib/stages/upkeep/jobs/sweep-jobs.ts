/**
 * The heartbeat's work on jobs, without a model (I12). One query of a sparse index finds runs that
 * may have ended and jobs that are due, so a tick without work costs one request however many jobs
 * there are, and loads nothing that works on jobs.
 */

import type { PerceiveMessage } from '../../../signal/messages.ts';
import { indexPartitions, ORDER_PREFIX } from '../../../store/keys.ts';
import { loadIndexed } from '../../../store/load-named.ts';
import type { PublishMany, SendOrder } from '../../../store/queue.ts';
import type { Item } from '../../../store/table.ts';
import type { TellDeps } from './tell-of-run.ts';

/** Jobs and runs of one tick: the next minute takes the rest. */
const DUE_ITEMS_MAX = 2_000;
/** Keys of one page of the index, as many as one batch read takes. */
const DUE_PAGE_ITEMS = 100;

export interface JobDeps extends TellDeps {
  readonly publishManyPerceive: PublishMany<PerceiveMessage>;
  /** Sends a job of the owner's machine again. */
  readonly sendOrderOf: SendOrder;
}

/** A start finds its queues empty: what waits for a machine is sent again at once. */
const isWaiting = ({ sk, state }: Item): boolean => String(sk).startsWith(ORDER_PREFIX) && state === 'queued';

const loadDue = async ({ table, space, now }: JobDeps, isRecovering: boolean): Promise<readonly Item[]> => {
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

/** @returns the number of runs started. @throws at its end, if one of the items cannot be read */
export const sweepJobs = async (deps: JobDeps, isRecovering = false): Promise<number> => {
  const due = await loadDue(deps, isRecovering);
  if (due.length === 0) return 0;
  const { runDue } = await import('./run-due.ts');
  return runDue(deps, due);
};
