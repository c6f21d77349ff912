import { type BudgetCaps, buildCaps } from '../../lib/core/money/caps.ts';
import { SETTINGS } from '../../lib/core/store/settings.ts';

/** The usual caps. A task has room for the longest answer of any large model. */
export const DEFAULT_CAPS: BudgetCaps = buildCaps({
  BUDGET_TURN_USD: SETTINGS.BUDGET_TURN_USD.default,
  BUDGET_SESSION_USD: SETTINGS.BUDGET_SESSION_USD.default,
  BUDGET_JOB_USD: SETTINGS.BUDGET_JOB_USD.default,
  BUDGET_DAY_USD: SETTINGS.BUDGET_DAY_USD.default,
  BUDGET_DAY_TOKENS: SETTINGS.BUDGET_DAY_TOKENS.default,
});
