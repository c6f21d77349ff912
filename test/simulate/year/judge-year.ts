/**
 * Plays a plan of jobs and judges it twice: by the checker that reads what was seen from outside,
 * and by the product's own `verify`. Both must agree.
 */
import { verifyExport } from '../../../lib/core/evidence/verifier/verify-export.ts';
import { When } from '../../../lib/features/jobs/job.ts';
import { momentsBetween } from '../../../lib/features/jobs/rule.ts';
import type { Product } from '../bundle.ts';
import { checkJobs } from '../check/jobs.ts';
import { buildJobsRun } from '../check/jobs-view.ts';
import type { Setup } from '../setup.ts';
import type { Gap, ObservedJobs, Violation } from '../types.ts';
import { planYear, type YearOptions } from './plan-year.ts';
import { playYear, yearRandom } from './play-year.ts';

const spanOf = (from: string, until: string): Gap => ({ from: Date.parse(`${from}Z`), until: Date.parse(`${until}Z`) });

export const YEAR: YearOptions = {
  jobs: 200,
  spans: [spanOf('2026-01-01T00:00', '2027-01-01T00:00')],
  changesPerDay: 0.5,
  eventsPerDay: 0.3,
  restartsPerDay: 0.2,
  outagesPerDay: 0.05,
};

/** The days around the changes of the clocks. The stack is down in between. */
export const WEEKS: YearOptions = {
  jobs: 100,
  spans: [
    spanOf('2026-03-06T18:00', '2026-03-09T06:00'),
    spanOf('2026-03-28T06:00', '2026-03-30T06:00'),
    spanOf('2026-04-03T18:00', '2026-04-06T06:00'),
    spanOf('2026-09-05T06:00', '2026-09-07T06:00'),
    spanOf('2026-10-03T06:00', '2026-10-05T06:00'),
    spanOf('2026-10-24T06:00', '2026-10-26T06:00'),
    spanOf('2026-10-31T06:00', '2026-11-02T12:00'),
  ],
  changesPerDay: 2,
  eventsPerDay: 1,
  restartsPerDay: 0.5,
  outagesPerDay: 0.2,
};

/** A job of each kind for a day, whose owner changes much and has many events. */
export const DAY: YearOptions = {
  jobs: 40,
  spans: [spanOf('2026-03-28T18:00', '2026-03-29T12:00')],
  changesPerDay: 40,
  eventsPerDay: 40,
  restartsPerDay: 1,
  outagesPerDay: 1,
};

export interface Judged {
  readonly seen: ObservedJobs;
  readonly violations: readonly Violation[];
  /** What `verify` says; undefined if it found nothing wrong. */
  readonly wrong: string | undefined;
}

async function* linesOf(text: string): AsyncGenerator<string> {
  yield* text.split('\n');
}

/** @returns what `verify` finds wrong */
export const verifySeen = async ({ exported, publicKey }: ObservedJobs): Promise<string | undefined> => {
  const result = await verifyExport(linesOf(exported), {
    key: publicKey,
    now: Date.parse('2027-01-02T00:00Z'),
    momentsBetween: (when, after, until, most) => momentsBetween(When.parse(when), after, until, most),
  });
  if (result.status === 'verified' && result.areRulesComputed) return undefined;
  return 'wrong' in result ? `${result.wrong.id}: ${result.wrong.what}` : result.missing.join('; ');
};

export const judgeYear = async (
  product: Product,
  setup: Setup,
  seed: number,
  options: YearOptions,
  onProgress?: (now: number) => void,
): Promise<Judged> => {
  const plan = planYear(yearRandom(seed), options);
  const seen = await playYear({ product, setup, seed, plan, ...(onProgress === undefined ? {} : { onProgress }) });
  return { seen, violations: checkJobs(seen), wrong: await verifySeen(seen) };
};

/** Rules about the export alone: `verify` must see what they see. */
const OF_EXPORT: readonly string[] = ['job-moment', 'job-shifted', 'job-early', 'log'];

/** Why the two judges do not agree; undefined if they do. */
export const disagreement = ({ violations, wrong }: Judged): string | undefined => {
  const own = violations.find(({ rule }) => OF_EXPORT.includes(rule));
  if (own !== undefined && wrong === undefined) return `verify does not find: ${own.sentence}`;
  return wrong !== undefined && violations.length === 0 ? `only verify finds: ${wrong}` : undefined;
};

/** Counts of one run, as a line. */
export const describeYear = ({ seen }: Judged): string => {
  const { jobs, seen: texts } = buildJobsRun(seen);
  const all = jobs.flatMap(({ occurrences }) => occurrences);
  const counts = [...Map.groupBy(all, ({ state }) => state)].map(([state, list]) => `${list.length} ${state}`);
  const shifted = all.filter(({ isShifted }) => isShifted).length;
  const versions = jobs.reduce((sum, job) => sum + job.versions.length, 0);
  return [
    `${jobs.length} jobs in ${versions} versions, ${all.length} occurrences (${counts.sort().join(', ')})`,
    `${shifted} moved by a clock`,
    `${texts.length} texts and calls received`,
    `${seen.ticks.length} ticks, ${seen.gaps.length} times down, ${seen.troubles.length} deaths and faults`,
  ].join('; ');
};
