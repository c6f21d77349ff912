/**
 * What models cost on the 200 scripted turns, and what routing by difficulty and the provider's
 * cache save of it; how much of a prompt stays the same from one call of a conversation to the
 * next. `cost-report.ts` prints all four combinations.
 */
import { startDynamo } from '../support/dynamo.ts';
import { runScript } from './compare-costs.ts';
import { quantile } from './drive.ts';
import type { Measure } from './measure.ts';
import { TURNS } from './turn-script.ts';

const MICRO = 1_000_000;

export const measureTokens: Measure = async (context) => {
  context.progress(`tokens: ${TURNS.length} scripted turns`);
  await using dynamo = await startDynamo();
  const { calls, billedUsd, savedByTier, savedByCache, stableShares } = await runScript(dynamo, {
    isRouted: true,
    hasCache: true,
  });
  const whole = billedUsd + savedByTier + savedByCache;
  const prompt = calls.reduce((sum, call) => sum + call.prompt, 0);
  const cached = calls.reduce((sum, call) => sum + call.cached, 0);
  const group = `models, ${TURNS.length} scripted turns at list prices`;
  return [
    { group, name: 'asked by difficulty, with the cache', value: billedUsd / MICRO, unit: 'dollars' },
    { group, name: 'the large model alone, without', value: whole / MICRO, unit: 'dollars' },
    { group, name: 'saved by small models', value: (100 * savedByTier) / whole, unit: '%' },
    { group, name: 'saved by the cache', value: (100 * savedByCache) / whole, unit: '%' },
    { group, name: 'prompt tokens from the cache', value: (100 * cached) / prompt, unit: '%' },
    { group, name: 'bytes of a prompt as in the one before, p50', value: 100 * quantile(stableShares, 0.5), unit: '%' },
  ];
};
