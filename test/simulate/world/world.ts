/**
 * One simulated world: the functions of the product, the table and queues between them, the servers
 * outside, and the triggers. It delivers as AWS documents: at least once, late, twice, in any order
 * between conversations, with an answer that may be lost. Everything drawn comes from the seed.
 */
import type { Wiring } from '../../../infra/local/wiring.ts';
import type { FunctionName } from '../../../lib/core/store/settings.ts';
import type { Product } from '../bundle.ts';
import type { RowChange } from '../check/rows.ts';
import { currentEnvironment, REGION, setWire } from '../machine/machine.ts';
import type { Outside } from '../outside/outside.ts';
import type { Queued, Trouble, WireAnswer, WireRequest } from '../types.ts';
import { buildSimulatedTable, QUEUE_FAULTS, TABLE_FAULTS } from './aws.ts';
import { buildClock, type Clock } from './clock.ts';
import { buildFaults, type FaultPlan, type Faults, OUTAGES, type Strike } from './faults.ts';
import { buildLambda, type FunctionSetup, type Lambda } from './lambda.ts';
import { buildObjects } from './objects.ts';
import { buildQueues } from './queues.ts';
import { buildRandom, type Stream } from './random.ts';
import {
  buildEventSources,
  buildSend,
  buildTicks,
  DELIVERY_FAULTS,
  HTTP_FAULTS,
  TICK_FAULTS,
  type TriggerOptions,
} from './triggers.ts';
import { buildWire, OUTSIDE_FAULTS } from './wire.ts';

export interface WorldOptions {
  readonly seed: number;
  readonly product: Product;
  readonly wiring: Wiring;
  readonly space: string;
  readonly functions: ReadonlyMap<FunctionName, FunctionSetup>;
  /** Numbers of the faults that may happen; all without it. */
  readonly onlyFaults?: ReadonlySet<number> | undefined;
  /** Where code of the product calls `strikeHere`. */
  readonly strike?: Strike | undefined;
  /** Nothing goes wrong: no fault, no failure of a server, no error of a clock. */
  readonly isQuiet?: boolean;
  /** Takes what functions complain of, and each message that a queue takes. */
  readonly onComplaint?: ((line: string) => void) | undefined;
  readonly onQueued?: ((message: Queued) => void) | undefined;
  /** A long run has its own measures; drawn and usual ones without it. */
  readonly long?: LongRun | undefined;
  /** More are a message that never ends; a usual number without it. */
  readonly invocationsMax?: number | undefined;
  /** Takes each line of the trace with its time. */
  readonly note: (line: string, at: number) => void;
  /** Takes each request that a function did not wait for before it answered. */
  readonly onLeft?: ((request: string) => void) | undefined;
  /** Takes each change of a row of the table. */
  readonly onChange?: ((change: RowChange) => void) | undefined;
  /** Counts something that must happen in some run. */
  readonly mark: (what: string) => void;
  readonly buildOutside: (world: Pick<World, 'now' | 'random' | 'mayFail'>) => Outside;
}

export interface LongRun {
  /** Epoch milliseconds. */
  readonly startAt: number;
  readonly faults: FaultPlan;
  readonly invocationsMax: number;
}

export interface World {
  readonly clock: Clock;
  readonly now: () => number;
  readonly random: Stream;
  readonly faults: Faults;
  readonly outside: Outside;
  readonly lambda: Lambda;
  /** Whether a server outside may fail by itself now. */
  readonly mayFail: () => boolean;
  /** A request of a client to a function's URL; undefined when no answer came. */
  readonly send: (name: FunctionName, request: WireRequest) => Promise<WireAnswer | undefined>;
  readonly tick: (scheduledAt: number) => void;
  /** The local stack ends and loses its queues; its next start is `recover`. */
  readonly shutDown: () => void;
  readonly recover: (scheduledAt: number) => void;
  readonly expire: () => void;
  readonly put: (row: Readonly<Record<string, string | number>>) => void;
  /**
   * When the heartbeat or the log's writer has something to do next; undefined if never. Read from
   * the table itself, to jump there.
   */
  readonly nextDue: () => number | undefined;
  /** What may excuse an outcome nobody knows. */
  readonly troubles: readonly Trouble[];
  /** The largest error of a clock in this run, milliseconds. */
  readonly skewMs: number;
  /** Clocks of functions move in such steps, milliseconds. */
  readonly stepMs: number;
  /** Messages on any queue. */
  readonly messagesLeft: () => number;
}

const NO_FAULTS: FaultPlan = { rate: 0, faultsMax: 0, outages: [] };

/** Such clocks give things that happen one after the other the same time. */
const COARSE_CLOCK_PROBABILITY = 0.2;
const COARSE_STEP_MS = 2_000;

/** When a usual run begins, epoch milliseconds. */
export const START = Date.UTC(2026, 0, 15, 9, 30);

/** All kinds of faults with their places, as they are marked. */
export const FAULT_KINDS: readonly string[] = [
  ...Object.entries({
    table: TABLE_FAULTS,
    queue: QUEUE_FAULTS,
    url: HTTP_FAULTS,
    outside: OUTSIDE_FAULTS,
    delivery: DELIVERY_FAULTS,
    tick: TICK_FAULTS,
  }).flatMap(([place, kinds]) => Object.keys(kinds).map((kind) => `${place} ${kind}`)),
  'key unprocessed',
  'table stale-read',
  'poison',
  ...OUTAGES,
];

export const buildWorld = (options: WorldOptions): World => {
  const { seed, product, wiring, functions, space, mark } = options;
  const { long, isQuiet = false } = options;
  const clock = buildClock(long?.startAt ?? START);
  const { now, after } = clock;
  const note = (line: string): void => options.note(line, now());
  const random = buildRandom(seed, 'world');
  const code = buildRandom(seed, 'code');
  const faults = buildFaults({
    random: buildRandom(seed, 'faults'),
    now,
    plan: long?.faults ?? (isQuiet ? NO_FAULTS : undefined),
    only: options.onlyFaults,
    strike: options.strike,
    onFault: (kind, number) => {
      mark(`fault: ${kind}`);
      note(`fault ${number} ${kind}`);
    },
  });
  Object.assign(globalThis, { strikeHere: () => faults.strike(currentEnvironment()?.name ?? '') });
  const mayFail = () => !faults.isOver() && !isQuiet;
  const outside = options.buildOutside({ now, random, mayFail });
  const table = buildSimulatedTable({
    definition: wiring.table,
    space,
    now,
    random,
    // Stale reads keep every write of the run.
    staleMsMax: long === undefined && random.below(5) === 0 && !isQuiet ? 1 + random.below(5_000) : 0,
    isLeftOut: () => faults.draw('key', { unprocessed: 1 }) !== undefined,
    onStale: () => mark('fault: table stale-read'),
    onChange: options.onChange,
  });
  const queues = buildQueues({ plans: wiring.queues, now, random, isGenerous: random.chance(0.5) });
  const wrongMs = random.below(3) === 0 && !isQuiet ? 1 + random.below(1_000) : 0;
  const stepMs = long === undefined && random.chance(COARSE_CLOCK_PROBABILITY) && !isQuiet ? COARSE_STEP_MS : 1;
  const skewMs = wrongMs + stepMs - 1;
  const troubles: Trouble[] = [];
  const lambda = buildLambda({
    product,
    functions,
    clock,
    random,
    skewMsMax: wrongMs,
    stepMs,
    invocationsMax: long?.invocationsMax ?? options.invocationsMax,
    note,
    onDeath: () => troubles.push({ at: now(), kind: 'death' }),
    onLeft: options.onLeft ?? (() => undefined),
  });

  const triggers: TriggerOptions = { clock, random, faults, lambda, queues, wiring, region: REGION, note };
  const { pollAll } = buildEventSources(triggers);
  const parts = {
    clock,
    random,
    faults,
    lambda,
    table,
    queues,
    outside,
    troubles,
    note,
    objects: buildObjects(),
    onQueued: options.onQueued,
    onQueue: pollAll,
  };
  const log = (line: string): void => {
    const { event, level } = JSON.parse(line);
    if (level !== 'info') options.onComplaint?.(`${currentEnvironment()?.name}: ${line}`);
    mark(`log: ${event}`);
    note(`${currentEnvironment()?.name} ${line}`);
  };
  setWire({ now, after, random: code.next, log, ...buildWire(parts) });
  return {
    clock,
    now,
    random,
    faults,
    outside,
    lambda,
    mayFail,
    send: buildSend(triggers),
    ...buildTicks(triggers, random.chance(0.05)),
    shutDown: () => {
      lambda.killAll('the stack ended');
      queues.lose();
    },
    expire: table.expire,
    put: table.put,
    troubles,
    skewMs,
    stepMs,
    nextDue: () => table.nextDue(),
    messagesLeft: () => wiring.queues.reduce((sum, { name }) => sum + queues.countLeft(name), 0),
  };
};
