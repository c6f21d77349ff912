/** Reads runs and moves them on, if they are still where they were read and not stopped. */
import { ConditionError, PipelineError } from '../../core/base/errors.ts';
import { loadRun } from '../../core/ledger/load-run.ts';
import { isAt, packRun, parseRun, RUN_IS_LIVE, type Run } from '../../core/ledger/run.ts';
import { indexPartitions, runKeys } from '../../core/store/keys.ts';
import { loadIndexed, loadItem } from '../../core/store/load-named.ts';
import type { Table, Write } from '../../core/store/table.ts';
import { updateIf } from '../../core/store/update-if.ts';
import { sha256Of } from './begin-run.ts';
import { parseRunbook } from './parse-runbook.ts';
import type { Runbook } from './runbook.ts';
import { sourceOf } from './steps-runbook.ts';

/** A text that was parsed when its run began. @throws PipelineError if it is gone */
export const loadRunbook = async (table: Pick<Table, 'load'>, space: string, run: Run): Promise<Runbook> => {
  const text = (await loadItem(table, runKeys.text(space, run.hash)))?.text;
  const isWhole = typeof text === 'string' && sha256Of(text) === run.hash;
  const parsed = isWhole ? parseRunbook(run.runbook, text, undefined, sourceOf(run)) : undefined;
  if (parsed?.kind !== 'runbook')
    throw new PipelineError(
      `the text of the runbook ${run.runbook} is not there, or is of another form`,
      run.id,
      false,
    );
  return parsed.runbook;
};

/** Later runs of the same job compare their outputs with these. */
const keepHashes = (space: string, { runbook, session, hashes }: Run): Write => ({
  kind: 'put',
  key: runKeys.last(space, runbook, session),
  item: { schemaVersion: 1, hashes: JSON.stringify(hashes) },
});

/** @returns the run as it stands then: this one, or another if it went on meanwhile */
export const saveRun = async (
  table: Pick<Table, 'load' | 'put' | 'transact'>,
  space: string,
  run: Run,
): Promise<Run> => {
  const key = runKeys.record(space, run.id);
  const condition = isAt(run.n - 1);
  const isKept = run.state === 'done' && Object.keys(run.hashes).length > 0;
  try {
    if (isKept) await table.transact([{ kind: 'put', key, item: packRun(run), condition }, keepHashes(space, run)]);
    else await table.put(key, packRun(run), condition);
    return run;
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    const current = await loadRun(table, space, run.id);
    if (current === undefined) throw error;
    return current;
  }
};

/** The heartbeat looks at it again then. @returns false if it went on meanwhile */
export const lookAgainAt = async (
  table: Pick<Table, 'update'>,
  space: string,
  run: Run,
  at: number,
): Promise<boolean> => {
  return updateIf(table, runKeys.record(space, run.id), { set: { unfinishedAt: at }, add: { looks: 1 } }, isAt(run.n));
};

/** Ends a run that goes on; the same words again change nothing. @returns it as it stands then */
export const endRun = async (
  table: Pick<Table, 'load' | 'update'>,
  space: string,
  id: string,
  ending: { readonly state: 'stopped' | 'failed'; readonly why: string },
  now: number,
): Promise<Run | undefined> => {
  const change = {
    set: { ...ending, changedAt: now },
    remove: ['unfinishedSpace', 'unfinishedAt', 'dueAt'],
  };
  try {
    return parseRun(await table.update(runKeys.record(space, id), change, RUN_IS_LIVE));
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    return loadRun(table, space, id);
  }
};

/** The newest first. @param limit runs that one answer names */
export const listRuns = async (
  table: Pick<Table, 'load' | 'queryIndex'>,
  space: string,
  limit: number,
): Promise<readonly Run[]> => {
  const partition = indexPartitions.runFeed(space);
  const { items } = await loadIndexed(table, { index: 'feed', partition, limit, isDescending: true });
  return items.map((item) => parseRun(item));
};
