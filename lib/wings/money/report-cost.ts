/** The costs of a day, a week, a conversation or a job, in words. */

import { DAY_MS } from '../../base/limits.ts';
import { parseHead } from '../../ledger/session.ts';
import { dayOf, jobSession, parseDaySpend, sessionEntry, sessionUsd, spendKey } from '../../money/day-spend.ts';
import { accountCosts, type CostSums, dayCostLines, jobsCosts, sumCosts } from '../../money/describe-spending.ts';
import { describeUse, loadSkillUse } from '../../skills/skill-use.ts';
import { sessionKey } from '../../store/keys.ts';
import type { Table } from '../../store/table.ts';
import type { CostPeriod } from './operations.ts';

export interface CostReport extends CostSums {
  readonly lines: readonly string[];
  /** Only for a conversation or job: the day of its first call. */
  readonly since?: string;
}

const loadDays = async (table: Pick<Table, 'load'>, space: string, now: number, count: number) => {
  const moments = Array.from({ length: count }, (_, index) => now - index * DAY_MS);
  const items = await table.load(moments.map((at) => spendKey(space, at)));
  return moments.map((at, index) => ({ at, spend: parseDaySpend(items[index]) }));
};

const reportDays = async (table: Pick<Table, 'load'>, space: string, now: number, count: number) => {
  const days = await loadDays(table, space, now, count);
  const uses = [...(await loadSkillUse(table, space))].map(([name, use]) => `  ${name}: ${describeUse(use)}`);
  const skills = uses.length === 0 ? [] : ['Turns that were shown a skill, since it was first shown:', ...uses];
  return { lines: [...dayCostLines(days), ...skills], ...sumCosts(days.map(({ spend }) => spend)) };
};

/** @param who begins a sentence: `This conversation` */
const reportAccount = async (table: Pick<Table, 'load'>, space: string, now: number, session: string, who: string) => {
  const [head, item] = await table.load([sessionKey(space, session), spendKey(space, now)]);
  const copied = head === undefined ? undefined : parseHead(session, head).spend;
  const spend = parseDaySpend(item);
  return accountCosts(who, {
    todayUsd: sessionEntry(spend, session, copied)?.usd ?? 0,
    allUsd: sessionUsd(spend, session, copied),
    since: copied?.since ?? dayOf(now),
  });
};

/** @param of the conversation of `session`; the job of `job`, or empty for all jobs */
export const reportCost = async (
  table: Pick<Table, 'load'>,
  space: string,
  now: number,
  period: CostPeriod,
  of: string,
): Promise<CostReport> => {
  switch (period) {
    case 'day':
      return reportDays(table, space, now, 1);
    case 'week':
      return reportDays(table, space, now, 7);
    case 'session':
      return reportAccount(table, space, now, of, 'This conversation');
    case 'job':
      return of === ''
        ? jobsCosts(await loadDays(table, space, now, 7))
        : reportAccount(table, space, now, jobSession(of), `The job ${of}`);
    default: {
      const never: never = period;
      return never;
    }
  }
};
