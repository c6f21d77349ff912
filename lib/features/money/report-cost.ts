/**
 * The costs of a day, a week, a conversation or a job, in words. Reads the day's counters and, for
 * a conversation, its head and the attempts of its last tasks.
 */

import { ATTEMPTS_MAX, CONSENSUS_PROVIDERS_MAX, DAY_MS } from '../../core/base/limits.ts';
import { parseAttempt, parseDecision } from '../../core/ledger/ledger.ts';
import { parseHead } from '../../core/ledger/session.ts';
import {
  dayOf,
  type HeadSpend,
  jobSession,
  parseDaySpend,
  sessionEntry,
  sessionUsd,
  spendKey,
} from '../../core/money/day-spend.ts';
import {
  type CostSums,
  costsByModel,
  dayCostLines,
  jobCosts,
  jobsCosts,
  type Spent,
  sessionCostLines,
  sumCosts,
} from '../../core/money/describe-spending.ts';
import type { SpendingTexts } from '../../core/money/spending-words.ts';
import type { Attempt } from '../../core/signal/decision.ts';
import { childId } from '../../core/signal/ids.ts';
import { type Key, sessionKey, signalKeys } from '../../core/store/keys.ts';
import type { Table } from '../../core/store/table.ts';
import { describeUse, loadSkillUse } from '../skills/skill-use.ts';
import type { CostPeriod } from './operations.ts';

/** Model calls of a task are counted in its first steps. Few tasks have more. */
const COST_STEPS_MAX = 4;

export interface CostReport extends CostSums {
  readonly lines: readonly string[];
  /** Only for a conversation: micro-dollars of all its calls, and the day of the first. */
  readonly conversationUsd?: number;
  readonly since?: string;
}

const loadDays = async (table: Pick<Table, 'load'>, space: string, now: number, count: number) => {
  const moments = Array.from({ length: count }, (_, index) => now - index * DAY_MS);
  const items = await table.load(moments.map((at) => spendKey(space, at)));
  return moments.map((at, index) => ({ at, spend: parseDaySpend(items[index]) }));
};

const reportDays = async (
  table: Pick<Table, 'load'>,
  space: string,
  now: number,
  count: number,
  say: SpendingTexts,
) => {
  const days = await loadDays(table, space, now, count);
  const uses = [...(await loadSkillUse(table, space))].map(([name, use]) => `  ${name}: ${describeUse(use)}`);
  const skills = uses.length === 0 ? [] : [say.skillTurns, ...uses];
  return { lines: [...dayCostLines(days, say), ...skills], ...sumCosts(days.map(({ spend }) => spend)) };
};

/** The keys of a signal's attempts: rejected ones have their own, the last is in the decision. */
const attemptKeys = (space: string, id: string): readonly Key[] => [
  signalKeys.decision(space, id),
  ...Array.from({ length: ATTEMPTS_MAX + CONSENSUS_PROVIDERS_MAX - 1 }, (_, index) =>
    signalKeys.attempt(space, id, index + 1),
  ),
];

const stepsOf = (root: string): readonly string[] => {
  const steps = [root];
  while (steps.length < COST_STEPS_MAX) steps.push(childId(steps.at(-1) ?? root, '1'));
  return steps;
};

const loadAttempts = async (
  table: Pick<Table, 'load'>,
  space: string,
  roots: readonly string[],
): Promise<readonly Attempt[]> => {
  const ids = roots.flatMap(stepsOf);
  const found: Attempt[] = [];
  for (const items of await Promise.all(ids.map((id) => table.load(attemptKeys(space, id))))) {
    let decided: number | undefined;
    for (const item of items) {
      if (item === undefined) continue;
      const { sk } = item;
      const attempt = sk === 'decision' ? parseDecision('', item).attempt : parseAttempt('', item);
      // The last rejected attempt of a refusal stands in its decision, and nowhere else.
      const isDecided = sk !== 'decision' && attempt?.n === decided;
      if (attempt !== undefined && !isDecided) found.push(attempt);
      if (sk === 'decision') decided = attempt?.n;
    }
  }
  return found;
};

const reportSession = async (
  table: Pick<Table, 'load'>,
  space: string,
  now: number,
  session: string,
  say: SpendingTexts,
) => {
  const [head] = await table.load([sessionKey(space, session)]);
  const parsed = head === undefined ? undefined : parseHead(session, head);
  const roots = [...(parsed?.recent ?? []), ...(parsed?.turn === undefined ? [] : [parsed.turn])];
  const attempts = await loadAttempts(table, space, roots);
  const models = costsByModel(attempts);
  const spent = await loadSpent(table, space, now, session, parsed?.spend);
  const from = attempts.length === 0 ? undefined : Math.min(...attempts.map(({ at }) => at));
  return {
    lines: sessionCostLines({ ...spent, turns: roots.length, from, models }, say),
    ...sumCosts(models),
    conversationUsd: spent.allUsd,
    since: spent.since,
  };
};

/** Spending of a conversation, by the day's counter and its head. */
const loadSpent = async (
  table: Pick<Table, 'load'>,
  space: string,
  now: number,
  session: string,
  head: HeadSpend | undefined,
): Promise<Spent> => {
  const [item] = await table.load([spendKey(space, now)]);
  const spend = parseDaySpend(item);
  return {
    todayUsd: sessionEntry(spend, session, head)?.usd ?? 0,
    allUsd: sessionUsd(spend, session, head),
    since: head?.since ?? dayOf(now),
  };
};

const reportJob = async (table: Pick<Table, 'load'>, space: string, now: number, job: string, say: SpendingTexts) => {
  const session = jobSession(job);
  const [item] = await table.load([sessionKey(space, session)]);
  const head = item === undefined ? undefined : parseHead(session, item).spend;
  return jobCosts(job, await loadSpent(table, space, now, session, head), say);
};

/** @param of the conversation of `session`; the job of `job`, or empty for all jobs */
export const reportCost = async (
  table: Pick<Table, 'load'>,
  space: string,
  now: number,
  period: CostPeriod,
  of: string,
  say: SpendingTexts,
): Promise<CostReport> => {
  switch (period) {
    case 'day':
      return reportDays(table, space, now, 1, say);
    case 'week':
      return reportDays(table, space, now, 7, say);
    case 'session':
      return reportSession(table, space, now, of, say);
    case 'job':
      return of === '' ? jobsCosts(await loadDays(table, space, now, 7), say) : reportJob(table, space, now, of, say);
    default: {
      const never: never = period;
      return never;
    }
  }
};
