/**
 * `npm run simulate -- --year`, or `--weeks` for the days around the changes of the clocks: plays
 * jobs on simulated time and judges them from outside. Exits with 1 if a promise was broken, or if
 * `verify` and the checker do not agree.
 */
import type { Product } from '../bundle.ts';
import { realNow } from '../machine/machine.ts';
import type { Setup } from '../setup.ts';
import { describeYear, disagreement, judgeYear } from './judge-year.ts';
import type { YearOptions } from './plan-year.ts';

const PROGRESS_MS = 10_000;

/** @returns whether every promise was kept */
export const tellYear = async (
  product: Product,
  setup: Setup,
  seed: number,
  options: YearOptions,
): Promise<boolean> => {
  const startedAt = realNow();
  let toldAt = startedAt;
  const judged = await judgeYear(product, setup, seed, options, (now) => {
    if (realNow() - toldAt < PROGRESS_MS) return;
    toldAt = realNow();
    process.stderr.write(`${new Date(now).toISOString().slice(0, 10)}\n`);
  });
  const disagrees = disagreement(judged);
  const seconds = ((realNow() - startedAt) / 1000).toFixed(0);
  console.log(`seed ${seed} in ${seconds} s: ${describeYear(judged)}`);
  for (const { rule, sentence } of judged.violations) console.log(`${rule}: ${sentence}`);
  if (judged.wrong !== undefined) console.log(`verify: ${judged.wrong}`);
  if (disagrees !== undefined) console.log(disagrees);
  const isKept = judged.violations.length === 0 && disagrees === undefined;
  console.log(isKept ? 'every moment is accounted for, and verify agrees' : 'a promise was broken');
  return isKept;
};
