/** The machines as `/status` and `/doctor` show them, with the calls that wait for each. */
import { utcMinute } from '../../core/base/utc-minute.ts';
import { VERSION } from '../../core/base/version.ts';
import { type Finding, finding } from '../../core/language/finding.ts';
import type { MachineState } from '../../core/language/machine-texts.ts';
import type { FindingDeps } from '../../core/operations/feature-views.ts';
import { indexPartitions, ORDER_PREFIX, runnerKeys } from '../../core/store/keys.ts';
import { loadIndexed, loadItem } from '../../core/store/load-named.ts';
import type { Table } from '../../core/store/table.ts';
import { isReady, stateOf } from './describe-runner.ts';
import { type OrderRow, parseOrderRowItem } from './order-row.ts';
import { readRunners } from './runners.ts';

/** Of all kinds of orders that are due or wait, the oldest. */
const ROWS_READ_MAX = 100;

const loadQueued = async (
  table: Pick<Table, 'load' | 'queryIndex'>,
  space: string,
): Promise<ReadonlyMap<string, readonly OrderRow[]>> => {
  const partition = indexPartitions.jobs(space);
  const { items } = await loadIndexed(table, { index: 'unfinished', partition, limit: ROWS_READ_MAX });
  const queued = items
    .filter(({ sk }) => String(sk).startsWith(ORDER_PREFIX))
    .map(parseOrderRowItem)
    .filter(({ state }) => state === 'queued')
    .sort((a, b) => a.waitsUntil - b.waitsUntil);
  return Map.groupBy(queued, ({ runner }) => runner);
};

/** A machine that is off is no problem as long as nothing waits for it. */
export const findRunnerProblems = async ({ table, space, now }: FindingDeps): Promise<readonly Finding[]> => {
  const { runners } = readRunners(await loadItem(table, runnerKeys.list(space)));
  const queued = runners.length === 0 ? undefined : await loadQueued(table, space);
  return runners.flatMap((runner): readonly Finding[] => {
    const count = queued?.get(runner.name)?.length ?? 0;
    const isPaused = runner.isPaused || runner.isCopied === true;
    const mend = isPaused ? `/runners resume ${runner.name}` : `npx passepartout runner start ${runner.name}`;
    const isWell = runner.isCopied !== true && (count === 0 || isReady(runner, now));
    const { name, release = VERSION } = runner;
    if (!isWell) return [finding('machine', name, stateOf(runner, now), count, mend)];
    return release !== VERSION && isReady(runner, now) ? [finding('machineRelease', name, release, VERSION)] : [];
  });
};

/** A machine, and how many calls wait for it, the first until when. */
export interface MachineStatus {
  readonly name: string;
  readonly state: MachineState;
  readonly calls: number;
  readonly until: string;
}

/** The machines as `/status` shows them. */
export const loadRunnerStatus = async (
  table: Pick<Table, 'load' | 'queryIndex'>,
  space: string,
  now: number,
): Promise<readonly MachineStatus[]> => {
  const { runners: all } = readRunners(await loadItem(table, runnerKeys.list(space)));
  if (all.length === 0) return [];
  const queued = await loadQueued(table, space);
  return all.map((runner) => {
    const waiting = queued.get(runner.name) ?? [];
    const until = utcMinute(waiting[0]?.waitsUntil ?? 0);
    return { name: runner.name, state: stateOf(runner, now), calls: waiting.length, until };
  });
};
