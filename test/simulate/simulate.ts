/**
 * `npm run simulate`: plays random stories under random faults and judges them from outside. Exits
 * with 0 if no promise was broken, 1 if one was or something that must happen never happened, and 2
 * for wrong usage. A failing seed is shrunk and told as a story.
 */
import { parseArgs } from 'node:util';
import { loadProduct, type Product } from './bundle.ts';
import { explore, exploreWith, type Figures } from './explore.ts';
import { findPlanted } from './find-planted.ts';
import { fillClients } from './machine/clients.ts';
import { realNow } from './machine/machine.ts';
import { runSchedule } from './run.ts';
import { buildSetup, type Setup } from './setup.ts';
import { shrink } from './shrink.ts';
import { PROBES, unreached } from './sometimes.ts';
import { type TraceLine, tellStory } from './tell-story.ts';
import { WEEKS, YEAR } from './year/judge-year.ts';
import type { YearOptions } from './year/plan-year.ts';
import { tellYear } from './year/year.ts';

const USAGE = `npm run simulate -- [--seed N] [--schedules M] [--workers W] [--story] [--news] [--planted] [--year | --weeks]
  --seed N       the first seed (1)
  --schedules M  how many seeds, one after the other (2000)
  --workers W    processes that share the seeds (1)
  --story        tells the first seed in full, with every request
  --news         each story is a busy hour of news
  --planted      plants each known bug in turn and tells after how many seeds it is found
  --year         200 jobs for a year, on the first seed
  --weeks        100 jobs on the days around the changes of clocks`;

interface Arguments {
  readonly seed: number;
  readonly schedules: number;
  readonly workers: number;
  /** A process that another one started: sends its figures there. */
  readonly isWorker: boolean;
  readonly isStory: boolean;
  readonly isPlanted: boolean;
  readonly isNews: boolean;
  /** Jobs over a long time instead of schedules. */
  readonly long?: YearOptions | undefined;
}

const isWhole = (value: number | undefined, least = 0): value is number =>
  value !== undefined && Number.isSafeInteger(value) && value >= least;

const readArguments = (): Arguments | undefined => {
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: 'string', default: '1' },
        schedules: { type: 'string', default: '2000' },
        workers: { type: 'string', default: '1' },
        worker: { type: 'boolean', default: false },
        story: { type: 'boolean', default: false },
        planted: { type: 'boolean', default: false },
        news: { type: 'boolean', default: false },
        year: { type: 'boolean', default: false },
        weeks: { type: 'boolean', default: false },
      },
    });
    const [seed, schedules, workers] = [values.seed, values.schedules, values.workers].map(Number);
    if (!isWhole(seed) || !isWhole(schedules, 1) || !isWhole(workers, 1)) return undefined;
    const { worker: isWorker, story: isStory, planted: isPlanted, news: isNews } = values;
    const long = values.year ? YEAR : values.weeks ? WEEKS : undefined;
    return { seed, schedules, workers, isWorker, isStory, isPlanted, isNews, long };
  } catch {
    return undefined;
  }
};

/** Shrinks a failing seed and prints its story. */
const tellFailure = async (
  product: Product,
  setup: Setup,
  { seed, isNews }: Pick<Arguments, 'seed' | 'isNews'>,
  isWhole: boolean,
): Promise<void> => {
  const failing = await runSchedule({ product, setup, seed, isNews });
  const { steps, faults } =
    failing.violations.length === 0
      ? { steps: undefined, faults: undefined }
      : await shrink({ product, setup, seed, isNews }, failing);
  const lines: TraceLine[] = [];
  const result = await runSchedule({
    product,
    setup,
    seed,
    isNews,
    ...(steps === undefined ? {} : { onlySteps: steps, onlyFaults: faults }),
    onLine: (text, at) => lines.push({ at, text }),
  });
  console.log(tellStory(result, lines, isWhole));
};

const FAILURES_LISTED_MAX = 50;
const FAILURES_TOLD_MAX = 5;

const buildProgress =
  ({ schedules }: Arguments, startedAt: number) =>
  (figures: Figures) => {
    const rate = figures.schedules / ((realNow() - startedAt) / 1000);
    const counts = `${figures.schedules} of ${schedules} schedules, ${rate.toFixed(0)} a second`;
    process.stderr.write(`${counts}, ${figures.failing.length} failing\n`);
  };

const tellFigures = ({ schedules, failing, ...counts }: Figures, seconds: number): void => {
  const { inputs, faults, deaths, lostAnswers, unknown } = counts;
  console.log(
    `${schedules} schedules in ${seconds.toFixed(1)} s (${(schedules / seconds).toFixed(0)} a second): ` +
      `${inputs} inputs, ${faults} faults, ${deaths} deaths, ${lostAnswers} lost answers outside, ` +
      `${unknown} effects unknown, ${failing.length} schedules with a broken promise`,
  );
};

/** Plays all seeds and tells what was found. @returns the exit code */
const playAll = async (args: Arguments, product: Product, setup: Setup): Promise<number> => {
  const startedAt = realNow();
  const onProgress = buildProgress(args, startedAt);
  const figures =
    args.workers === 1
      ? await explore(args, product, setup, onProgress)
      : await exploreWith(args.workers, args, onProgress);
  tellFigures(figures, (realNow() - startedAt) / 1000);
  // Busy hours alone have no approvals, stops or notes.
  const missing = args.isNews ? [] : unreached(figures.marks, figures.schedules);
  const { failing } = figures;
  for (const what of missing) console.log(`never reached: ${what}`);
  for (const { seed, violations } of failing.slice(0, FAILURES_LISTED_MAX))
    console.log(`seed ${seed}: ${violations.map(({ rule, sentence }) => `${rule}: ${sentence}`).join('; ')}`);
  for (const { seed } of failing.slice(0, FAILURES_TOLD_MAX))
    await tellFailure(product, setup, { ...args, seed }, false);
  return failing.length > 0 || missing.length > 0 ? 1 : 0;
};

/** Plays seeds for the process that started this one. */
const work = async (args: Arguments, product: Product, setup: Setup): Promise<number> => {
  const send = (figures: Figures): void => void process.send?.(figures);
  send(await explore(args, product, setup, send));
  return 0;
};

const main = async (): Promise<number> => {
  const args = readArguments();
  if (args === undefined) {
    console.error(USAGE);
    return 2;
  }
  const setup = await buildSetup();
  await fillClients();
  if (args.long !== undefined) return (await tellYear(await loadProduct(), setup, args.seed, args.long)) ? 0 : 1;
  if (args.isPlanted) return (await findPlanted(args, setup)) ? 0 : 1;
  const product = await loadProduct(PROBES);
  if (args.isWorker) return work(args, product, setup);
  if (!args.isStory) return playAll(args, product, setup);
  await tellFailure(product, setup, args, true);
  return 0;
};

process.exitCode = await main();
