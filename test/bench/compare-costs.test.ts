/**
 * The first conversation of the script the costs are compared on: what is billed, what is booked,
 * what is said to be saved.
 */
import { expect, it } from 'vitest';
import { microDollarsOf, priceOf } from '../../lib/core/llm/prices.ts';
import { startDynamo } from '../support/dynamo.ts';
import { LARGE, runScript, SMALL } from './compare-costs.ts';
import { TURNS } from './turn-script.ts';

const openai = { name: 'openai', baseUrl: 'https://api.openai.com/v1' };

it('books what the provider bills, and says that saved which it would have cost more without', async () => {
  await using dynamo = await startDynamo();
  const turns = TURNS.slice(0, 20);
  const found = await runScript(dynamo, { isRouted: true, hasCache: true }, turns);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
  // Each turn once, those with a tool and the rejected one twice, and one summary.
  expect(found.calls).toHaveLength(28);
  expect(new Set(found.calls.map(({ model }) => model))).toStrictEqual(new Set([SMALL, LARGE]));
  expect(found.calls.some(({ cached }) => cached >= 1_024)).toBe(true);
  const without = sum(
    found.calls.map((call) => microDollarsOf(priceOf({ ...openai, model: LARGE }), { ...call, cached: 0 })),
  );
  expect(found.bookedUsd).toBe(found.billedUsd);
  expect(found.bookedUsd + found.savedByTier + found.savedByCache).toBe(without);
});
