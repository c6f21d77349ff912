/**
 * Decides what goes wrong. Each fault that happens has a number, so that a shrinker can leave out
 * single ones. Rates differ from run to run: many runs have few faults, some have many.
 */
import type { Random } from '../types.ts';

/**
 * Where something goes wrong, and how many times as often as at the table: most operations are the
 * table's, and those that are rare go wrong too.
 */
const TIMES = { table: 1, queue: 1, url: 2, outside: 4, delivery: 2, tick: 3 } as const;
export type Place = keyof typeof TIMES;

export interface Faults {
  /** One of the kinds of a place, or undefined when all goes well. Weights are the numbers. */
  readonly draw: <K extends string>(place: Place, kinds: Readonly<Partial<Record<K, number>>>) => K | undefined;
  /** From now on all goes well. */
  readonly heal: () => void;
  /** Numbers of the faults so far. */
  readonly happened: readonly number[];
  readonly isOver: () => boolean;
}

export interface FaultOptions {
  readonly random: Random;
  /** Numbers of the faults that may happen; all without it. */
  readonly only?: ReadonlySet<number> | undefined;
  /** @param kind with its place: `table answer-lost` */
  readonly onFault: (kind: string, number: number) => void;
}

/** Share of the operations that fail in one run. */
const RATES = [0, 0.005, 0.02, 0.05, 0.15] as const;
/** Faults of one run: more would only make it longer. */
const FAULTS_MAX = 60;

export const buildFaults = ({ random, only, onFault }: FaultOptions): Faults => {
  const rate = random.pick(RATES);
  let drawn = 0;
  const happened: number[] = [];
  let isOver = false;
  return {
    draw: <K extends string>(place: Place, kinds: Readonly<Partial<Record<K, number>>>): K | undefined => {
      if (isOver || !random.chance(rate * TIMES[place])) return undefined;
      const entries = Object.entries<number | undefined>(kinds);
      const lots = entries.flatMap(([kind, weight = 0]) => Array.from({ length: weight }, () => kind as K));
      const kind = lots[random.below(lots.length)];
      drawn += 1;
      if (kind === undefined || (only !== undefined && !only.has(drawn)) || happened.length >= FAULTS_MAX)
        return undefined;
      happened.push(drawn);
      onFault(`${place} ${kind}`, drawn);
      return kind;
    },
    heal: () => {
      isOver = true;
    },
    happened,
    isOver: () => isOver,
  };
};
