/**
 * Decides what goes wrong. Each fault that happens has a number, so that a shrinker can leave out
 * single ones. Rates differ from run to run: many runs have few faults, some have many.
 */
import type { Random } from '../types.ts';

/**
 * Where something goes wrong, and how many times as often as at the table: most operations are the
 * table's, and those that are rare go wrong too.
 */
const TIMES = { table: 1, key: 0.1, queue: 1, url: 2, outside: 4, delivery: 3, tick: 3 } as const;
export type Place = keyof typeof TIMES;

/** Services that may be out for a while, in some runs. */
const SERVICES = ['dynamodb', 'sqs', 'model', 'telegram', 'webhook'] as const;
export type Service = (typeof SERVICES)[number];
export const OUTAGES: readonly string[] = SERVICES.map((service) => `outage ${service}`);

export interface Faults {
  /** Whether nothing reaches a service now. */
  readonly isOut: (service: Service) => boolean;
  /** Longest outage of this run, milliseconds: no fault is left so long after the last step. */
  readonly outageMs: number;
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
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly plan?: FaultPlan | undefined;
  /** Numbers of the faults that may happen; all without it. */
  readonly only?: ReadonlySet<number> | undefined;
  /** @param kind with its place: `table answer-lost` */
  readonly onFault: (kind: string, number: number) => void;
}

/** What may go wrong in a run that is told so, in place of a draw. */
export interface FaultPlan {
  /** Share of the operations that fail. */
  readonly rate: number;
  readonly faultsMax: number;
  readonly outages: readonly { readonly service: Service; readonly from: number; readonly until: number }[];
}

/** Share of the operations that fail in one run. */
const RATES = [0, 0.005, 0.02, 0.05, 0.15] as const;
/** Faults of one run: more would only make it longer. */
const FAULTS_MAX = 60;

/** Its number among the faults. */
const OUTAGE = 1;
const OUTAGE_PROBABILITY = 0.08;
const OUTAGE_BEGINS_MS_MAX = 30_000;
/** Shorter than a claim; longer than a model is waited for; longer than the sweep tries. */
const OUTAGES_MS = [20_000, 15 * 60_000, 150 * 60_000] as const;

/** Without an outage in most runs. */
const drawPlan = (random: Random, now: number): FaultPlan => {
  const plan = { rate: random.pick(RATES), faultsMax: FAULTS_MAX };
  if (!random.chance(OUTAGE_PROBABILITY)) return { ...plan, outages: [] };
  const from = now + random.below(OUTAGE_BEGINS_MS_MAX);
  const lastsMs = random.pick(OUTAGES_MS);
  return { ...plan, outages: [{ service: random.pick(SERVICES), from, until: from + lastsMs }] };
};

export const buildFaults = ({ random, now, plan, only, onFault }: FaultOptions): Faults => {
  const { rate, faultsMax, outages } = plan ?? drawPlan(random, now());
  const happened: number[] = [];
  const isOutageLeftOut = only?.has(OUTAGE) === false;
  const told = new Set<object>();
  let drawn = OUTAGE;
  let isOver = false;
  return {
    isOut: (service) => {
      if (isOutageLeftOut || isOver) return false;
      const outage = outages.find((one) => one.service === service && now() >= one.from && now() < one.until);
      if (outage !== undefined && !told.has(outage)) {
        told.add(outage);
        happened.push(OUTAGE);
        onFault(`outage ${service}`, OUTAGE);
      }
      return outage !== undefined;
    },
    outageMs: Math.max(0, ...outages.map(({ from, until }) => until - from)),
    draw: <K extends string>(place: Place, kinds: Readonly<Partial<Record<K, number>>>): K | undefined => {
      if (isOver || !random.chance(rate * TIMES[place])) return undefined;
      const entries = Object.entries<number | undefined>(kinds);
      const lots = entries.flatMap(([kind, weight = 0]) => Array.from({ length: weight }, () => kind as K));
      const kind = lots[random.below(lots.length)];
      drawn += 1;
      if (kind === undefined || (only !== undefined && !only.has(drawn)) || happened.length >= faultsMax)
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
