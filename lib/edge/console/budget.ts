/** GET /api/budget → what is committed today and what is left, in micro-dollars and tokens, and in words. */
import { dayOf, parseDaySpend, resetsAt, spendKey } from '../../money/day-spend.ts';
import { budgetLines } from '../../money/describe-budget.ts';
import { loadItem } from '../../store/load-named.ts';
import { type HttpResponse, respondJson } from '../function-url.ts';
import type { ConsoleDeps } from './deps.ts';

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
