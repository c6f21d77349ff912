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
  readonly isOut: (service: Service | 'witness' | 's3') => boolean;
  /** Whether a function dies of this request to the table. */
  readonly isPoison: (environment: string, body: string) => boolean;
  /** Code of the product reached the place of this run's strike; the first time counts. */
  readonly strike: (environment: string) => void;
  /** What a strike does to a function's next request. */
  readonly drawStruck: (environment: string) => Strike['kind'] | undefined;
  /** A server outside took a request. */
  readonly noteRequest: () => void;
  /** Of the longest outage or poison: no fault is left so long after the last step. */
  readonly outageMs: number;
  /** One of the kinds of a place, or undefined when all goes well. Weights are the numbers. */
  readonly draw: <K extends string>(place: Place, kinds: Readonly<Partial<Record<K, number>>>) => K | undefined;
  /** From now on all goes well. */
  readonly heal: () => void;
  /** Numbers of the faults so far. */
  readonly happened: readonly number[];
  readonly isOver: () => boolean;
}

/** A fault at a chosen place of the code, in place of a drawn one. */
export interface Strike {
  /** The process dies after a request, or no request of it reaches a service for a while. */
  readonly kind: 'death' | 'silence';
  /** Requests that go well before. */
  readonly skip: number;
}
/** Longer than a client tries by itself. */
const SILENCE_MS = 20_000;

export interface FaultOptions {
  readonly random: Random;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly plan?: FaultPlan | undefined;
  readonly strike?: Strike | undefined;
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
  readonly outages: readonly Outage[];
  readonly poison?: Poison | undefined;
}

/** A turn that one function dies of whenever it works on it, until its message is a dead letter. */
interface Poison {
  readonly functionName: string;
  /** Number of the turn, as this function sees them. */
  readonly nth: number;
  /** So many turns, from that one on: their dead letters wait together. */
  readonly turns: number;
}

interface Outage {
  readonly service: Service;
  /** Epoch milliseconds, or the number of the request to a server outside that it begins with. */
  readonly from: number | { readonly request: number };
  readonly lastsMs: number;
}

/** Share of the operations that fail in one run. */
const RATES = [0, 0.005, 0.02, 0.05, 0.15] as const;
/** Faults of one run: more would only make it longer. */
const FAULTS_MAX = 60;

/** Their numbers among the faults. */
const [POISON, OUTAGE] = [0, 1];
const POISON_PROBABILITY = 0.05;
/** Until a message was delivered as often as allowed, and its notice too. */
const POISON_LASTS_MS = 60 * 60_000;
const ROOT = /"S":"signal#[^#"]+#([^"/]+)/;
const OUTAGE_PROBABILITY = 0.12;
const OUTAGE_BEGINS_MS_MAX = 30_000;
/** Most runs make more requests outside. */
const OUTAGE_REQUESTS_MAX = 6;
/**
 * While Act waits to settle, tries of the client included; shorter than a claim; longer than a
 * model is waited for; longer than the sweep tries.
 */
const OUTAGES_MS = [
  [6_000, 14_000],
  [2_000, 40_000],
  [15 * 60_000, 16 * 60_000],
  [150 * 60_000, 151 * 60_000],
] as const;

const drawPoison = (random: Random): Poison | undefined =>
  random.chance(POISON_PROBABILITY)
    ? {
        functionName: random.pick(['perceive', 'reason', 'act']),
        nth: 1 + random.below(2),
        turns: random.pick([1, 1, 3]),
      }
    : undefined;

/** Without an outage in most runs. */
const drawPlan = (random: Random, now: number): FaultPlan => {
  const plan = { rate: random.pick(RATES), faultsMax: FAULTS_MAX, poison: drawPoison(random) };
  if (!random.chance(OUTAGE_PROBABILITY)) return { ...plan, outages: [] };
  const isAtRequest = random.chance(0.5);
  const from = isAtRequest
    ? { request: 1 + random.below(OUTAGE_REQUESTS_MAX) }
    : now + random.below(OUTAGE_BEGINS_MS_MAX);
  // What was done outside is not yet written down then: the table is the one to fail.
  const service = isAtRequest && random.chance(0.5) ? 'dynamodb' : random.pick(SERVICES);
  const [least, most] = random.pick(OUTAGES_MS);
  return { ...plan, outages: [{ service, from, lastsMs: least + random.below(most - least) }] };
};

/** Counts requests from the place on. */
const buildStruck = (strike: Strike | undefined, now: () => number): Pick<Faults, 'strike' | 'drawStruck'> => {
  let struck: string | undefined;
  let left = strike?.skip ?? 0;
  let until = Number.POSITIVE_INFINITY;
  return {
    strike: (environment) => {
      struck ??= environment;
    },
    drawStruck: (environment) => {
      if (strike === undefined || environment !== struck || now() >= until) return undefined;
      left -= 1;
      if (left >= 0) return undefined;
      if (left === -1) until = now() + (strike.kind === 'death' ? 0 : SILENCE_MS);
      return strike.kind;
    },
  };
};

export const buildFaults = ({ random, now, plan, strike, only, onFault }: FaultOptions): Faults => {
  const { rate, faultsMax, outages, poison } = plan ?? drawPlan(random, now());
  const happened: number[] = [];
  const isOutageLeftOut = only?.has(OUTAGE) === false;
  const told = new Set<object>();
  /** When each outage began. */
  const begun = new Map(outages.flatMap((one) => (typeof one.from === 'number' ? [[one, one.from] as const] : [])));
  const turns = new Set<string>();
  let requests = 0;
  let drawn = OUTAGE;
  let isOver = false;
  const struck = buildStruck(strike, now);
  const isPoison: Faults['isPoison'] = (environment, body) => {
    if (poison === undefined || isOver || only?.has(POISON) === false) return false;
    const [, root] = ROOT.exec(body) ?? [];
    if (root === undefined || !environment.startsWith(`${poison.functionName}-`)) return false;
    turns.add(root);
    const nth = [...turns].indexOf(root) + 1;
    const isHit = nth >= poison.nth && nth < poison.nth + poison.turns;
    if (isHit && !happened.includes(POISON)) {
      happened.push(POISON);
      onFault('poison', POISON);
    }
    return isHit;
  };
  return {
    isPoison,
    isOut: (service) => {
      if (isOutageLeftOut || isOver) return false;
      const outage = outages.find((one) => {
        const passedMs = now() - (begun.get(one) ?? Number.POSITIVE_INFINITY);
        return one.service === service && passedMs >= 0 && passedMs < one.lastsMs;
      });
      if (outage !== undefined && !told.has(outage)) {
        told.add(outage);
        happened.push(OUTAGE);
        onFault(`outage ${service}`, OUTAGE);
      }
      return outage !== undefined;
    },
    strike: (environment) => void (isOver || struck.strike(environment)),
    drawStruck: (environment) => (isOver ? undefined : struck.drawStruck(environment)),
    noteRequest: () => {
      requests += 1;
      for (const one of outages)
        if (typeof one.from === 'object' && one.from.request === requests) begun.set(one, now());
    },
    outageMs: Math.max(poison === undefined ? 0 : POISON_LASTS_MS, ...outages.map(({ lastsMs }) => lastsMs)),
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
