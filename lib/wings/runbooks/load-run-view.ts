/** Loads runs with all that their words need: the runbook, and whether a person is waited for. */
import { PipelineError } from '../../base/errors.ts';
import { makeVisible } from '../../base/make-visible.ts';
import { parseEffect } from '../../ledger/ledger.ts';
import type { RunView } from '../../runbooks/describe-run.ts';
import { fillInputs, type Inputs } from '../../runbooks/inputs.ts';
import { isLive, type Run } from '../../runbooks/run.ts';
import { INPUT_CHARS_MAX } from '../../runbooks/runbook-file.ts';
import { listRuns, loadRun, loadRunbook } from '../../runbooks/store-run.ts';
import { childId, stepSuffix } from '../../signal/ids.ts';
import { signalKeys } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import type { Table } from '../../store/table.ts';
import { defang } from '../../text/tappable.ts';
import { isHanded } from '../signals/plain-words.ts';
import { eventOf } from './load-scope.ts';

type ReadTable = Pick<Table, 'load' | 'query'>;

const isAsking = async (table: ReadTable, space: string, run: Run): Promise<boolean> => {
  if (!isLive(run) || run.current === undefined) return false;
  const id = childId(run.id, stepSuffix(run.n));
  const { items } = await table.query({ pk: signalKeys.partition(space, id), skPrefix: 'effect#' });
  // A step that a machine has waits for nobody's yes.
  return items.map((item) => parseEffect(id, item)).some((one) => one.state === 'suspended' && !isHanded(one));
};

/** An event's words hide nothing, and none of their links can be tapped. */
const inputsOf = async (table: ReadTable, space: string, { eventId, inputs }: Run): Promise<Inputs> => {
  if (eventId === undefined) return inputs;
  const event = eventOf(eventId, await loadItem(table, signalKeys.record(space, eventId)));
  const filled = Object.entries(fillInputs(inputs, event));
  const shown = filled.map(([name, value]) => [name, makeVisible(defang(value.slice(0, INPUT_CHARS_MAX)))] as const);
  return { ...inputs, ...Object.fromEntries(shown) };
};

/** Undefined if there is no such run. */
export const loadRunView = async (table: ReadTable, space: string, id: string): Promise<RunView | undefined> => {
  const run = await loadRun(table, space, id);
  if (run === undefined) return undefined;
  const runbook = await loadRunbook(table, space, run).catch((error: unknown) => {
    if (error instanceof PipelineError) return undefined;
    throw error;
  });
  return { run, runbook, inputs: await inputsOf(table, space, run), isAsking: await isAsking(table, space, run) };
};

/** The newest first. @param limit runs that one answer names */
export const listRunViews = async (
  table: ReadTable & Pick<Table, 'queryIndex'>,
  space: string,
  limit: number,
): Promise<readonly Pick<RunView, 'run' | 'isAsking'>[]> => {
  const runs = await listRuns(table, space, limit);
  return Promise.all(runs.map(async (run) => ({ run, isAsking: await isAsking(table, space, run) })));
};
