/** The machines as `/status` and `/doctor` show them, with the calls that wait for each. */
import { utcMinute } from '../base/utc-minute.ts';
import { VERSION } from '../base/version.ts';
import { indexPartitions, ORDER_PREFIX, runnerKeys } from '../store/keys.ts';
import { loadIndexed, loadItem } from '../store/load-named.ts';
import type { Item, Table } from '../store/table.ts';
import { countWords } from '../text/quoted.ts';
import { describeRunnerShortly, isReady } from './describe-runner.ts';
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
export const describeRunnerProblems = async (
  table: Pick<Table, 'load' | 'queryIndex'>,
  space: string,
  list: Item,
  now: number,
): Promise<readonly string[]> => {
  const { runners } = readRunners(list);
  const queued = runners.length === 0 ? undefined : await loadQueued(table, space);
  return runners.flatMap((runner) => {
    const count = queued?.get(runner.name)?.length ?? 0;
    const isPaused = runner.isPaused || runner.isCopied === true;
    const mend = isPaused ? `/runners resume ${runner.name}` : `npx passepartout runner start ${runner.name}`;
    const isWell = runner.isCopied !== true && (count === 0 || isReady(runner, now));
    const { name, release = VERSION } = runner;
    if (isWell && release !== VERSION && isReady(runner, now))
      return [
        `the machine ${name} runs release ${release}, the stack ${VERSION}: bring it to the same, then npx passepartout runner start ${name}`,
      ];
    if (isWell) return [];
    return [`the machine ${describeRunnerShortly(runner, now)} (${countWords(count, 'call')} for it): ${mend}`];
  });
};

/** The machines as `/status` shows them. */
export const runnerStatusLines = async (
  table: Pick<Table, 'load' | 'queryIndex'>,
  space: string,
  now: number,
): Promise<readonly string[]> => {
  const { runners: all } = readRunners(await loadItem(table, runnerKeys.list(space)));
  if (all.length === 0) return [];
  const queued = await loadQueued(table, space);
  return all.map((runner) => {
    const waiting = queued.get(runner.name) ?? [];
    const [first] = waiting;
    const until =
      first &&
      `; for it ${waiting.length} ${waiting.length === 1 ? 'call waits' : 'calls wait'}, the first until ${utcMinute(first.waitsUntil)}`;
    return `Machine ${describeRunnerShortly(runner, now)}${until ?? ''}.`;
  });
};
