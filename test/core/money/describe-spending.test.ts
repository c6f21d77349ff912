import { describe, expect, it } from 'vitest';
import { parseDaySpend } from '../../../lib/core/money/day-spend.ts';
import { budgetLines, type ModelCost, sessionCostLines } from '../../../lib/core/money/describe-spending.ts';
import { EN } from '../../../lib/core/money/spending-words.ts';
import { DEFAULT_CAPS } from '../../support/default-caps.ts';

const NOW = Date.UTC(2026, 8, 21, 14, 13);
const model: ModelCost = {
  provider: 'one',
  model: 'small',
  calls: 1,
  inputTokens: 10,
  cachedTokens: 5,
  tokens: 15,
  usd: 30,
  savedByTier: 0,
  savedByCache: 0,
};
const SAVED = "Saved: $0.00 (0 %) by asking small models, $0.00 (0 %) by the providers' caches.";

describe('sessionCostLines', () => {
  it('sums all the conversation has spent, and says from when on what is told by model counts', () => {
    const spent = { todayUsd: 100, allUsd: 2_000_100, since: '2026-09-19' };
    expect(sessionCostLines({ ...spent, turns: 4, from: NOW - 60_000, models: [model] }, EN)).toStrictEqual([
      'This conversation today: $0.0001; all of it since 2026-09-19: $2.0001. By model, its last 4 tasks, since 2026-09-21 14:12 UTC:',
      'one/small: 1 call, 15 tokens (50 % of the prompts from its cache), $0.00003',
      SAVED,
    ]);
  });

  it('says so where nothing was asked yet', () => {
    const spent = { todayUsd: 0, allUsd: 0, since: '2026-09-21' };
    expect(sessionCostLines({ ...spent, turns: 0, from: undefined, models: [] }, EN)).toStrictEqual([
      'This conversation today: $0.00; all of it since 2026-09-21: $0.00. By model, its last 0 tasks:',
      SAVED,
    ]);
  });
});

describe('budgetLines', () => {
  it('shows that nothing was spent where nothing was', () => {
    const here = { session: 'console:main', head: undefined };
    const lines = budgetLines(parseDaySpend(undefined), DEFAULT_CAPS, NOW, here, EN);
    expect(lines[2]).toMatch(/^This conversation today: \$0\.00 of /);
  });
});
