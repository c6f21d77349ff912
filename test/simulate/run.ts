/**
 * One run: a story is played in a simulated world, faults end, everything comes to rest, and the
 * checker judges what was seen from outside.
 */
import type { FunctionName } from '../../lib/store/settings.ts';
import type { Product } from './bundle.ts';
import { check } from './check/check.ts';
import { dynamoClient, releaseClients } from './machine/clients.ts';
import type { Setup } from './setup.ts';
import type { Observed, Step, Violation } from './types.ts';
import { CONFIG, startClients } from './world/clients.ts';
import { buildOutside } from './world/outside.ts';
import { buildRandom } from './world/random.ts';
import { buildStory } from './world/story.ts';
import { buildWorld, type World } from './world/world.ts';

export interface RunOptions {
  readonly product: Product;
  readonly setup: Setup;
  readonly seed: number;
  /** Steps of the seed's story that are played; all without it. */
  readonly onlySteps?: ReadonlySet<number>;
  readonly onlyFaults?: ReadonlySet<number>;
  /** Takes each line of the trace. */
  readonly onLine?: (line: string, at: number) => void;
  readonly mark?: (what: string) => void;
}

export interface RunResult {
  readonly seed: number;
  readonly story: readonly Step[];
  readonly observed: Observed;
  readonly violations: readonly Violation[];
  /** Of all lines of the trace: the same for the same seed. */
  readonly traceHash: string;
  /** Numbers of the faults that happened. */
  readonly faults: readonly number[];
}

/** Two sums over the lines, 53 bits: for telling runs apart, not against an attacker. */
const buildTraceHash = () => {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  return {
    add: (line: string): void => {
      for (let n = 0; n < line.length; n += 1) {
        const letter = line.charCodeAt(n);
        a = Math.imul(a ^ letter, 2654435761);
        b = Math.imul(b ^ letter, 1597334677);
      }
    },
    text: () => (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0'),
  };
};

/** One run in so many goes through the SDK whole. */
const SDK_RUN_ONE_IN = 10;
const MINUTE_MS = 60_000;
/** Faults end so long after the last step. */
const HEAL_AFTER_MS = 5 * MINUTE_MS;
/** Ticks after the faults, each at the time something is due: more means a message that never ends. */
const REST_TICKS_MAX = 80;

/** Some ticks of the schedule; the others are missing. */
const planTicks = (world: World, spanMs: number): void => {
  const { clock, random, now, tick } = world;
  for (let ms = MINUTE_MS; ms < spanMs; ms += MINUTE_MS)
    if (random.chance(0.3)) clock.after(ms - (now() % MINUTE_MS), () => tick(Math.floor(now() / MINUTE_MS) * MINUTE_MS));
};

/** Lets all work end: the clock jumps to the next time something is due, and a tick comes. */
const rest = async (world: World): Promise<boolean> => {
  const { clock, now, tick, nextDue } = world;
  for (let ticks = 0; ticks < REST_TICKS_MAX; ticks += 1) {
    await clock.runUntil(Number.POSITIVE_INFINITY);
    const due = nextDue();
    if (due === undefined) return world.messagesLeft() === 0 && world.lambda.runningCount() === 0;
    const tickAt = Math.ceil(Math.max(due, now() + 1) / MINUTE_MS) * MINUTE_MS;
    clock.after(tickAt - now(), () => tick(tickAt));
  }
  return false;
};

const exportEvidence = async ({ product, setup }: RunOptions, world: World): Promise<string> => {
  const table = product.buildTable(dynamoClient(), setup.tableName);
  const parts = await product.collectExport({
    source: product.buildTableSource(table, setup.space, world.now),
    gateSets: [],
    onProgress: () => undefined,
    onProblem: (problem) => {
      throw new Error(`the export is not whole: ${problem}`);
    },
  });
  return [...product.buildExportLines(parts)].join('\n');
};

export const runSchedule = async (options: RunOptions): Promise<RunResult> => {
  const { product, setup, seed, onlySteps, onlyFaults, onLine, mark = () => undefined } = options;
  Object.assign(globalThis, { reached: mark });
  const hash = buildTraceHash();
  releaseClients(seed % SDK_RUN_ONE_IN !== 0);
  const world = buildWorld({
    seed,
    product,
    wiring: setup.wiring,
    functions: setup.functions,
    onlyFaults,
    mark,
    note: (line) => {
      hash.add(line);
      onLine?.(line, world.now());
    },
    buildOutside,
  });
  const { clock, now, random } = world;
  const whole = buildStory(buildRandom(seed, 'story'));
  const story = whole.filter((_, n) => onlySteps === undefined || onlySteps.has(n));
  const { sent } = startClients({
    story,
    outside: world.outside,
    now,
    after: clock.after,
    send: (name: FunctionName, request) => world.send(name, request),
    random: buildRandom(seed, 'clients'),
  });
  const spanMs = Math.max(0, ...story.map(({ afterMs }) => afterMs)) + HEAL_AFTER_MS;
  planTicks(world, spanMs);
  clock.after(spanMs, world.faults.heal);
  await clock.runUntil(now() + spanMs);
  if (random.chance(0.1)) world.expire();
  const isAtRest = await rest(world);
  const observed: Observed = {
    sent,
    received: world.outside.received,
    exported: await exportEvidence(options, world),
    publicKey: setup.publicKey,
    spentMicros: await askSpending(world),
    isUnfinished: !isAtRest,
    troubles: world.troubles,
    skewMs: world.skewMs,
    configured: CONFIGURED,
  };
  return {
    seed,
    story,
    observed,
    violations: check(observed),
    traceHash: hash.text(),
    faults: world.faults.happened,
  };
};
