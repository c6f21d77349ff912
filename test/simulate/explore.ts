/**
 * Plays a range of seeds and counts what happened, in this process or split over several. The sums
 * are the same either way, because a schedule depends on its seed alone.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Product } from './bundle.ts';
import { realNow } from './machine/machine.ts';
import { type RunResult, runSchedule } from './run.ts';
import type { Setup } from './setup.ts';
import type { Violation } from './types.ts';

export interface Figures {
  schedules: number;
  faults: number;
  deaths: number;
  lostAnswers: number;
  inputs: number;
  unknown: number;
  readonly failing: { readonly seed: number; readonly violations: readonly Violation[] }[];
  /** How often each thing happened. */
  readonly marks: Map<string, number>;
}

/** Seeds one after the other. */
export interface Range {
  readonly seed: number;
  readonly schedules: number;
  /** Each story is a busy hour of news. */
  readonly isNews: boolean;
}

type OnProgress = (figures: Figures) => void;

const PROGRESS_MS = 2_000;
const COUNTS = ['schedules', 'faults', 'deaths', 'lostAnswers', 'inputs', 'unknown'] as const;

const emptyFigures = (): Figures => ({
  schedules: 0,
  faults: 0,
  deaths: 0,
  lostAnswers: 0,
  inputs: 0,
  unknown: 0,
  failing: [],
  marks: new Map(),
});

const count = (figures: Figures, { seed, violations, observed, faults }: RunResult): void => {
  figures.schedules += 1;
  figures.faults += faults.length;
  figures.deaths += observed.troubles.filter(({ kind }) => kind === 'death').length;
  figures.lostAnswers += observed.received.filter(({ isAnswerLost }) => isAnswerLost).length;
  figures.inputs += observed.sent.length;
  figures.unknown += observed.exported.split('"state":"unknown"').length - 1;
  if (violations.length > 0) figures.failing.push({ seed, violations });
};

export const explore = async (
  { seed: from, schedules, isNews }: Range,
  product: Product,
  setup: Setup,
  onProgress: OnProgress,
): Promise<Figures> => {
  const figures = emptyFigures();
  const { marks } = figures;
  const mark = (what: string): void => void marks.set(what, (marks.get(what) ?? 0) + 1);
  let toldAt = realNow();
  for (let seed = from; seed < from + schedules; seed += 1) {
    count(figures, await runSchedule({ product, setup, seed, isNews, mark }));
    if (realNow() - toldAt < PROGRESS_MS) continue;
    toldAt = realNow();
    onProgress(figures);
  }
  return figures;
};

const sum = (parts: readonly Figures[]): Figures => {
  const whole = emptyFigures();
  for (const part of parts) {
    for (const name of COUNTS) whole[name] += part[name];
    whole.failing.push(...part.failing);
    for (const [what, times] of part.marks) whole.marks.set(what, (whole.marks.get(what) ?? 0) + times);
  }
  return whole;
};

const SIMULATE = fileURLToPath(new URL('simulate.ts', import.meta.url));

/** Each message of a worker is its figures so far; the last one before it ends counts. */
const startWorker = ({ seed, schedules, isNews }: Range, onProgress: OnProgress): Promise<Figures> =>
  new Promise((resolve, reject) => {
    const args = ['--worker', '--seed', `${seed}`, '--schedules', `${schedules}`, ...(isNews ? ['--news'] : [])];
    const child = fork(SIMULATE, args, { serialization: 'advanced' });
    let latest = emptyFigures();
    child.on('message', (figures: Figures) => {
      latest = figures;
      onProgress(figures);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0 && latest.schedules === schedules) resolve(latest);
      else reject(new Error(`the worker from seed ${seed} ended with ${code} after ${latest.schedules} schedules`));
    });
  });

/** @throws Error if a worker ends before its last schedule */
export const exploreWith = async (
  workers: number,
  { seed, schedules, isNews }: Range,
  onProgress: OnProgress,
): Promise<Figures> => {
  const share = Math.ceil(schedules / workers);
  const ranges = Array.from({ length: Math.ceil(schedules / share) }, (_, n) => ({
    seed: seed + n * share,
    schedules: Math.min(share, schedules - n * share),
    isNews,
  }));
  const latest = ranges.map(emptyFigures);
  const parts = ranges.map((range, n) =>
    startWorker(range, (figures) => {
      latest[n] = figures;
      onProgress(sum(latest));
    }),
  );
  return sum(await Promise.all(parts));
};
