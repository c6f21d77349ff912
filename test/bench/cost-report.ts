/**
 * `node test/bench/cost-report.ts`: what the 200 scripted turns cost with and without routing by
 * difficulty and the provider's cache, as a table. Exits 1 where what was booked is not what the
 * provider billed.
 */
import { showUsd } from '../../lib/core/base/money.ts';
import { THOUGHT_TOKENS } from './caching-model.ts';
import { type CostOfScript, compareCosts, LARGE } from './compare-costs.ts';
import { quantile } from './drive.ts';
import { TURNS } from './turn-script.ts';

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);
const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;

const columnsOf = (one: CostOfScript, dearest: number): readonly string[] => {
  const prompt = sumOf(one.calls.map((call) => call.prompt));
  const large = one.calls.filter(({ model }) => model === LARGE).length;
  return [
    `${one.isRouted ? 'by difficulty' : 'large model only'}, ${one.hasCache ? 'cache' : 'no cache'}`,
    `${one.calls.length}`,
    percent(large, one.calls.length),
    percent(one.calls.filter(({ isThought }) => isThought).length, one.calls.length),
    `${prompt}`,
    percent(sumOf(one.calls.map((call) => call.cached)), prompt),
    `${sumOf(one.calls.map((call) => call.completion))}`,
    showUsd(one.billedUsd),
    percent(dearest - one.billedUsd, dearest),
    one.bookedUsd === one.billedUsd ? 'the same' : showUsd(one.bookedUsd),
  ];
};

const HEAD = [
  'asked',
  'calls',
  'large',
  'thinking',
  'prompt tokens',
  'cached',
  'answer tokens',
  'billed',
  'saved',
  'booked',
];

const found = await compareCosts((line) => console.error(line));
const dearest = found[0]?.billedUsd ?? 0;
const rows = [HEAD, ...found.map((one) => columnsOf(one, dearest))];
const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
for (const row of rows)
  console.log(row.map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0))).join('  '));
console.log(`An answer with thinking is taken to have ${THOUGHT_TOKENS} tokens of thoughts.`);
const best = found.at(-1);
if (best !== undefined) {
  console.log(
    `Saving on ${TURNS.length} turns: ${showUsd(dearest - best.billedUsd)} of ${showUsd(dearest)} (${percent(dearest - best.billedUsd, dearest)}).`,
  );
  console.log(
    `/cost would say: ${showUsd(best.savedByTier)} by asking small models, ${showUsd(best.savedByCache)} by the cache.`,
  );
  console.log(
    `Bytes of a prompt that were the beginning of the one before in its conversation: p50 ${percent(quantile(best.stableShares, 0.5), 1)}, mean ${percent(sumOf(best.stableShares) / best.stableShares.length, 1)}, least ${percent(Math.min(...best.stableShares), 1)}.`,
  );
}
if (found.some(({ bookedUsd, billedUsd }) => bookedUsd !== billedUsd)) process.exitCode = 1;
