/**
 * GET /api/budget and GET /api/cost: what was spent, what is left, what was saved; in
 * micro-dollars, and in words.
 */
import { ProtocolError } from '../../base/errors.ts';
import { dayOf, parseDaySpend, resetsAt, spendKey } from '../../money/day-spend.ts';
import { budgetLines } from '../../money/describe-spending.ts';
import { COST_PERIODS, parseCostPeriod, reportCost } from '../../stages/perceive/commands/cost.ts';
import { loadItem } from '../../store/load-named.ts';
import { type HttpResponse, respondJson } from '../function-url.ts';
import type { ConsoleDeps, RouteCall } from './router.ts';

/** The day's committed and remaining money, in micro-dollars, and its tokens. */
export const showBudget = async (deps: ConsoleDeps): Promise<HttpResponse> => {
  const now = deps.now();
  const { caps } = deps.settings;
  const item = await loadItem(deps.table, spendKey(deps.space, now));
  const spend = parseDaySpend(item);
  return respondJson(200, {
    day: dayOf(now),
    caps,
    committed: spend.usd,
    left: Math.max(0, caps.day - spend.usd),
    tokens: spend.tokens,
    resetsAt: resetsAt(now),
    lines: budgetLines(spend, caps, now),
  });
};

/** ?period=day|week|session|job&session=&job= */
export const showCost = async (deps: ConsoleDeps, { request: { query } }: RouteCall): Promise<HttpResponse> => {
  const period = parseCostPeriod(query.get('period') ?? '');
  if (period === undefined) throw new ProtocolError(`period must be one of ${COST_PERIODS.join(', ')}`);
  const session = query.get('session') ?? '';
  if (period === 'session' && session === '') throw new ProtocolError('session is missing: which conversation?');
  const name = period === 'job' ? (query.get('job') ?? '') : session;
  return respondJson(200, { period, ...(await reportCost(deps.table, deps.space, deps.now(), period, name)) });
};
