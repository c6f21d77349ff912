/** Loads runs with all that their words need: the runbook, and whether a person is waited for. */
import { PipelineError } from '../../base/errors.ts';
import { parseEffect } from '../../ledger/ledger.ts';
import type { RunView } from '../../runbooks/describe-run.ts';
import { isLive, type Run } from '../../runbooks/run.ts';
import { listRuns, loadRun, loadRunbook } from '../../runbooks/store-run.ts';
import { childId, stepSuffix } from '../../signal/ids.ts';
import { signalKeys } from '../../store/keys.ts';
import type { Table } from '../../store/table.ts';
import { isHanded } from '../signals/plain-words.ts';

type ReadTable = Pick<Table, 'load' | 'query'>;

const isAsking = async (table: ReadTable, space: string, run: Run): Promise<boolean> => {
  if (!isLive(run) || run.current === undefined) return false;
  const id = childId(run.id, stepSuffix(run.n));
  const { items } = await table.query({ pk: signalKeys.partition(space, id), skPrefix: 'effect#' });
  // A step that a machine has waits for nobody's yes.
  return items.map((item) => parseEffect(id, item)).some((one) => one.state === 'suspended' && !isHanded(one));
};

/** Undefined if there is no such run. */
export const loadRunView = async (table: ReadTable, space: string, id: string): Promise<RunView | undefined> => {
  const run = await loadRun(table, space, id);
  if (run === undefined) return undefined;
  const runbook = await loadRunbook(table, space, run).catch((error: unknown) => {
    if (error instanceof PipelineError) return undefined;
    throw error;
  });
  return { run, runbook, isAsking: await isAsking(table, space, run) };
};

/** The newest first, without their runbooks. @param limit runs that one answer names */
export const listRunViews = async (
  table: ReadTable & Pick<Table, 'queryIndex'>,
  space: string,
  limit: number,
): Promise<readonly Omit<RunView, 'runbook'>[]> => {
  const runs = await listRuns(table, space, limit);
  return Promise.all(runs.map(async (run) => ({ run, isAsking: await isAsking(table, space, run) })));
};
