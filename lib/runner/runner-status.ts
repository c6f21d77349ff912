/** The machines as `/status` shows them, with the calls that wait for each. */
import { indexPartitions, ORDER_PREFIX, runnerKeys } from '../store/keys.ts';
import { loadIndexed, loadItem } from '../store/load-named.ts';
import type { Table } from '../store/table.ts';
import { describeRunnerShortly, timeOfDay } from './describe-runner.ts';
import { parseOrderRowItem } from './order-row.ts';
import { readRunners } from './runners.ts';

/** Of all kinds of orders that are due or wait, the oldest. */
const ROWS_READ_MAX = 100;

/** The machines as `/status` shows them. */
export const runnerStatusLines = async (
  table: Pick<Table, 'load' | 'queryIndex'>,
  space: string,
  now: number,
): Promise<readonly string[]> => {
  const { runners: all } = readRunners(await loadItem(table, runnerKeys.list(space)));
  if (all.length === 0) return [];
  const partition = indexPartitions.jobs(space);
  const { items } = await loadIndexed(table, { index: 'unfinished', partition, limit: ROWS_READ_MAX });
  const queued = items
    .filter(({ sk }) => String(sk).startsWith(ORDER_PREFIX))
    .map(parseOrderRowItem)
    .filter(({ state }) => state === 'queued');
  return all.map((runner) => {
    const waiting = queued.filter((row) => row.runner === runner.name).sort((a, b) => a.waitsUntil - b.waitsUntil);
    const [first] = waiting;
    const until =
      first &&
      `; for it ${waiting.length} ${waiting.length === 1 ? 'call waits' : 'calls wait'}, the first until ${timeOfDay(first.waitsUntil)}`;
    return `Machine ${describeRunnerShortly(runner, now)}${until ?? ''}.`;
  });
};
