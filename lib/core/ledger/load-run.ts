/** Reads a run, and says whether a step of it may still be performed. */
import { stepOf } from '../signal/ids.ts';
import type { Signal } from '../signal/signal.ts';
import { runKeys } from '../store/keys.ts';
import { loadItem } from '../store/load-named.ts';
import type { Table } from '../store/table.ts';
import { isLive, parseRun, type Run } from './run.ts';

export const loadRun = async (table: Pick<Table, 'load'>, space: string, id: string): Promise<Run | undefined> => {
  const item = await loadItem(table, runKeys.record(space, id));
  return item === undefined ? undefined : parseRun(item);
};

/** Why a step may not be performed any more; undefined if it may, or if this is no step. */
export const whyRunEnded = ({ id }: Pick<Signal, 'id'>, run: Run | undefined): string | undefined => {
  const n = stepOf(id);
  if (n === undefined) return undefined;
  if (run === undefined) return 'the run it belongs to is not there';
  if (!isLive(run)) return `the run was ${run.state === 'stopped' ? 'stopped' : 'ended'}`;
  return run.n === n ? undefined : 'the run has gone on without it';
};
