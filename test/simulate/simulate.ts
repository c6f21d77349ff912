/**
 * `npm run simulate`: plays random stories under random faults and judges them from outside. Exits
 * with 0 if no promise was broken, 1 if one was or something that must happen never happened, and 2
 * for wrong usage. A failing seed is shrunk and told as a story.
 */
import { parseArgs } from 'node:util';
import { loadProduct, type Patch, type Product } from './bundle.ts';
import { fillClients } from './machine/clients.ts';
import { realNow } from './machine/machine.ts';
import { PLANTED } from './planted.ts';
import { runSchedule } from './run.ts';
import { buildSetup, type Setup } from './setup.ts';
import { shrink } from './shrink.ts';
import { PROBES, unreached } from './sometimes.ts';
import { type TraceLine, tellStory } from './tell-story.ts';
import type { Violation } from './types.ts';

const USAGE = `npm run simulate -- [--seed N] [--schedules M] [--story] [--planted]
  --seed N       the first seed (1)
  --schedules M  how many seeds, one after the other (2000)
  --story        tells the first seed in full, with every request
  --planted      plants each known bug in turn and tells after how many seeds it is found`;

interface Arguments {
  readonly seed: number;
  readonly schedules: number;
  readonly isStory: boolean;
  readonly isPlanted: boolean;
}

const readArguments = (): Arguments | undefined => {
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: 'string', default: '1' },
        schedules: { type: 'string', default: '2000' },
        story: { type: 'boolean', default: false },
        planted: { type: 'boolean', default: false },
      },
    });
    const [seed, schedules] = [Number(values.seed), Number(values.schedules)];
    if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(schedules) || schedules < 1) return undefined;
    return { seed, schedules, isStory: values.story, isPlanted: values.planted };
  } catch {
    return undefined;
  }
};

const load = (patches: readonly Patch[] = []): Promise<Product> => loadProduct([...PROBES, ...patches]);

/** Shrinks a failing seed and prints its story. */
const tellFailure = async (product: Product, setup: Setup, seed: number, isWhole: boolean): Promise<void> => {
  const failing = await runSchedule({ product, setup, seed });
  const { steps, faults } =
    failing.violations.length === 0
      ? { steps: undefined, faults: undefined }
      : await shrink({ product, setup, seed }, failing);
  const lines: TraceLine[] = [];
  const result = await runSchedule({
    product,
    setup,
    seed,
    ...(steps === undefined ? {} : { onlySteps: steps, onlyFaults: faults }),
    onLine: (text, at) => lines.push({ at, text }),
  });
  console.log(tellStory(result, lines, isWhole));
};

const PROGRESS_MS = 2_000;
const FAILURES_TOLD_MAX = 5;

interface Figures {
  schedules: number;
  faults: number;
  deaths: number;
  lostAnswers: number;
  inputs: number;
  unknown: number;
  readonly failing: { readonly seed: number; readonly violations: readonly Violation[] }[];
}

const explore = async ({ seed: from, schedules }: Arguments, product: Product, setup: Setup): Promise<number> => {
  const marks = new Map<string, number>();
  const mark = (what: string): void => void marks.set(what, (marks.get(what) ?? 0) + 1);
  const figures: Figures = { schedules: 0, faults: 0, deaths: 0, lostAnswers: 0, inputs: 0, unknown: 0, failing: [] };
  const startedAt = realNow();
  let toldAt = startedAt;
  for (let seed = from; seed < from + schedules; seed += 1) {
    const { violations, observed, faults } = await runSchedule({ product, setup, seed, mark });
    figures.schedules += 1;
    figures.faults += faults.length;
    figures.deaths += observed.troubles.filter(({ kind }) => kind === 'death').length;
    figures.lostAnswers += observed.received.filter(({ isAnswerLost }) => isAnswerLost).length;
    figures.inputs += observed.sent.length;
    figures.unknown += observed.exported.split('"state":"unknown"').length - 1;
    if (violations.length > 0) figures.failing.push({ seed, violations });
    if (realNow() - toldAt < PROGRESS_MS) continue;
    toldAt = realNow();
    const rate = figures.schedules / ((toldAt - startedAt) / 1000);
    process.stderr.write(
      `${figures.schedules} of ${schedules} schedules, ${rate.toFixed(0)} a second, ${figures.failing.length} failing\n`,
    );
  }
  const seconds = (realNow() - startedAt) / 1000;
  const missing = unreached(marks);
  console.log(
    `${figures.schedules} schedules in ${seconds.toFixed(1)} s (${(figures.schedules / seconds).toFixed(0)} a second): ` +
      `${figures.inputs} inputs, ${figures.faults} faults, ${figures.deaths} deaths, ${figures.lostAnswers} lost answers outside, ` +
      `${figures.unknown} effects unknown, ${figures.failing.length} schedules with a broken promise`,
  );
  for (const what of missing) console.log(`never reached: ${what}`);
  for (const { seed, violations } of figures.failing.slice(0, 50))
    console.log(`seed ${seed}: ${violations.map(({ rule, sentence }) => `${rule}: ${sentence}`).join('; ')}`);
  for (const { seed } of figures.failing.slice(0, FAILURES_TOLD_MAX)) await tellFailure(product, setup, seed, false);
  return figures.failing.length > 0 || missing.length > 0 ? 1 : 0;
};

/** After how many seeds each planted bug is found. */
const findPlanted = async ({ seed: from, schedules }: Arguments, setup: Setup): Promise<number> => {
  let lost = 0;
  console.log('| planted bug | found by | after seeds |\n|---|---|---|');
  for (const { name, patches } of PLANTED) {
    const product = await load(patches);
    let found: { readonly seeds: number; readonly rules: string } | undefined;
    for (let seed = from; seed < from + schedules && found === undefined; seed += 1) {
      const { violations } = await runSchedule({ product, setup, seed });
      if (violations.length > 0)
        found = { seeds: seed - from + 1, rules: [...new Set(violations.map(({ rule }) => rule))].join(', ') };
    }
    if (found === undefined) lost += 1;
    console.log(`| ${name} | ${found?.rules ?? '**not found**'} | ${found?.seeds ?? `more than ${schedules}`} |`);
  }
  return lost > 0 ? 1 : 0;
};

const main = async (): Promise<number> => {
  const args = readArguments();
  if (args === undefined) {
    console.error(USAGE);
    return 2;
  }
  const setup = await buildSetup();
  await fillClients();
  if (args.isPlanted) return findPlanted(args, setup);
  const product = await load();
  if (!args.isStory) return explore(args, product, setup);
  await tellFailure(product, setup, args.seed, true);
  return 0;
};

process.exitCode = await main();
