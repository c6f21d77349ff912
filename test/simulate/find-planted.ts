/**
 * Plants each known bug in turn and plays seeds until one breaks a promise that the product keeps
 * with the same seed. Prints a Markdown table: the bug, the rules that found it, and how many seeds
 * that took.
 */
import { loadProduct, type Product } from './bundle.ts';
import type { Range } from './explore.ts';
import { realNow } from './machine/machine.ts';
import { PLANTED, PLANTED_NEWS } from './planted.ts';
import { runSchedule } from './run.ts';
import type { Setup } from './setup.ts';

interface Found {
  readonly seeds: number;
  readonly rules: readonly string[];
  readonly sentence: string;
}

const rulesOf = async (product: Product, setup: Setup, seed: number, isNews: boolean) => {
  const { violations } = await runSchedule({ product, setup, seed, isNews });
  return { rules: [...new Set(violations.map(({ rule }) => rule))], sentence: violations[0]?.sentence ?? '' };
};

/** @param whole the product without a bug, which must keep its promises with the same seed */
const findOne = async (
  { seed: from, schedules, isNews }: Range,
  setup: Setup,
  product: Product,
  whole: Product,
): Promise<Found | undefined> => {
  for (let seeds = 1; seeds <= schedules; seeds += 1) {
    const { rules, sentence } = await rulesOf(product, setup, from + seeds - 1, isNews);
    if (rules.length === 0) continue;
    const known = await rulesOf(whole, setup, from + seeds - 1, isNews);
    if (known.rules.length === 0) return { seeds, rules, sentence };
  }
  return undefined;
};

/** @returns whether every bug was found */
export const findPlanted = async (range: Range, setup: Setup): Promise<boolean> => {
  const whole = await loadProduct();
  let isEach = true;
  console.log('| planted bug | found by | after seeds |\n|---|---|---|');
  for (const { name, patches } of range.isNews ? PLANTED_NEWS : PLANTED) {
    const startedAt = realNow();
    const found = await findOne(range, setup, await loadProduct(patches), whole);
    isEach &&= found !== undefined;
    console.log(
      `| ${name} | ${found?.rules.join(', ') ?? '**not found**'} | ${found?.seeds ?? `more than ${range.schedules}`} |`,
    );
    const seconds = ((realNow() - startedAt) / 1000).toFixed(0);
    process.stderr.write(`${name}: ${seconds} s, ${found?.sentence ?? 'not found'}\n`);
  }
  return isEach;
};
