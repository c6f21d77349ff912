/**
 * Plays a planned year over the real code. The clock jumps from one minute in which something is
 * due to the next; ticks are missing, late, doubled; the stack ends and starts again with empty
 * queues. Gives all that was seen from outside.
 */
import type { Product } from '../bundle.ts';
import { dynamoClient, releaseClients } from '../machine/clients.ts';
import { CHATS, CONFIG, CONFIGURED } from '../outside/config.ts';
import { buildOutside } from '../outside/outside.ts';
import type { Setup } from '../setup.ts';
import type { Ask, Gap, ObservedJobs, ShownMessage, WireRequest } from '../types.ts';
import { buildRequests } from '../world/client-requests.ts';
import { buildRandom } from '../world/random.ts';
import { backoffMs, type Door } from '../world/sending.ts';
import { buildWorld, type World } from '../world/world.ts';
import { REST_MS, type YearPlan } from './plan-year.ts';

const MINUTE_MS = 60_000;
/** A service is well again, for its clients too, so long after it answers. */
const RECOVERY_MS = 15 * MINUTE_MS;
/** Share of the ticks that are missing, doubled, and late. */
const TICKS = { missing: 0.02, twice: 0.05, late: 0.05 } as const;
const LATE_TICK_MS_MAX = 100_000;
/** Share of the operations that fail. */
const FAULT_RATE = 0.0004;
const OWNER = CHATS[0];

export interface YearRun {
  readonly product: Product;
  readonly setup: Setup;
  readonly seed: number;
  readonly plan: YearPlan;
  readonly onProgress?: (now: number) => void;
}

type Told = ObservedJobs['asks'][number];

const textOf = (ask: Exclude<Ask, { verb: 'event' }>): string => {
  if (ask.verb === 'stop') return '/stop';
  if (ask.verb === 'resume-all') return '/resume';
  return `/jobs ${ask.verb} ${'draft' in ask ? JSON.stringify(ask.draft) : ask.name}`;
};

/** The owner writes, approves the cards of jobs, and systems send events. */
const buildPeople = (world: World) => {
  const { outside, now, clock } = world;
  const requests = buildRequests(CONFIG, now);
  const taken: Told[] = [];
  let updateId = 700_000_001;
  /** Each try is built anew, and the last is an hour after the first. */
  const deliver = async (door: Door, build: () => WireRequest): Promise<number | undefined> => {
    for (let n = 0; n < 60; n += 1) {
      const answer = await world.send(door, build());
      if (answer !== undefined && answer.status < 300) return now();
      await new Promise<void>((resolve) => void clock.after(backoffMs(n + 1), resolve));
    }
    return undefined;
  };
  const update = (one: object): Promise<number | undefined> => {
    const { request } = requests.update(updateId, one);
    updateId += 1;
    return deliver('telegram', () => request);
  };
  const doorOf = (ask: Ask): Promise<number | undefined> =>
    ask.verb === 'event'
      ? deliver('webhook', requests.event(ask.name, ask.id).build)
      : update(outside.telegram.write(OWNER, textOf(ask)));
  outside.onMessage((card: ShownMessage) => {
    const button = card.buttons.find(({ text }) => text === 'Approve');
    if (button === undefined || card.isEdit || !card.text.includes('schedule-job')) return;
    clock.after(2_000, () => void update(outside.telegram.tap(card, button.data)));
  });
  return {
    taken,
    ask: async (one: Ask): Promise<void> => {
      const takenAt = await doorOf(one);
      if (takenAt !== undefined) taken.push({ ...one, takenAt });
    },
  };
};

const withLength = ({ service, from, until }: YearPlan['outages'][number]) => ({
  service,
  from,
  lastsMs: until - from,
});

const buildYearWorld = ({ product, setup, seed, plan }: YearRun, left: string[]): World =>
  buildWorld({
    seed,
    product,
    wiring: setup.wiring,
    space: setup.space,
    functions: setup.functions,
    long: {
      startAt: plan.startAt,
      faults: { rate: FAULT_RATE, faultsMax: Number.POSITIVE_INFINITY, outages: plan.outages.map(withLength) },
      invocationsMax: Number.POSITIVE_INFINITY,
    },
    note: () => undefined,
    mark: () => undefined,
    onLeft: (request) => void left.push(request),
    buildOutside,
  });

/** The clock goes on to a time even if nothing happens until then. */
const runTo = async ({ clock, now }: World, at: number): Promise<void> => {
  if (at <= now()) return;
  clock.after(at - now(), () => undefined);
  await clock.runUntil(at);
};

const fireTick = (world: World, ticks: number[], at: number): void => {
  const { random, clock, faults } = world;
  const fire = (): void => {
    ticks.push(world.now());
    world.tick(at);
  };
  const isWell = faults.isOver();
  if (!isWell && random.chance(TICKS.missing)) return;
  if (!isWell && random.chance(TICKS.late)) clock.after(random.below(LATE_TICK_MS_MAX), fire);
  else fire();
  if (!isWell && random.chance(TICKS.twice)) clock.after(random.below(3) * 200, fire);
};

/** The stack is down for a while, and starts with empty queues. */
const goDown = async (world: World, ticks: number[], { from, until }: Gap): Promise<void> => {
  await runTo(world, from);
  world.shutDown();
  await runTo(world, until);
  ticks.push(world.now());
  world.recover(Math.floor(until / MINUTE_MS) * MINUTE_MS);
  await runTo(world, world.now() + 1_000);
};

const nextMinute = (at: number): number => Math.ceil(at / MINUTE_MS) * MINUTE_MS;

/** From minute to minute in which something is due. */
const play = async (run: YearRun, world: World, ask: (one: Ask) => Promise<void>): Promise<readonly number[]> => {
  const { plan, onProgress } = run;
  const [asks, downs, ticks] = [[...plan.asks], [...plan.downs], [] as number[]];
  world.clock.after(plan.endAt - REST_MS - plan.startAt, world.faults.heal);
  for (let n = 0; world.now() < plan.endAt; n += 1) {
    // The clients of environments that ended are free again.
    releaseClients(true);
    const due = Math.min(world.nextDue() ?? plan.endAt, asks[0]?.at ?? plan.endAt, plan.endAt);
    const tickAt = nextMinute(Math.max(due, world.now() + 1));
    const [down] = downs;
    if (down !== undefined && down.from < tickAt + MINUTE_MS) {
      downs.shift();
      await goDown(world, ticks, down);
      continue;
    }
    await runTo(world, tickAt);
    while (asks[0] !== undefined && asks[0].at <= tickAt) void ask(asks.shift() as Ask);
    fireTick(world, ticks, tickAt);
    await runTo(world, tickAt + MINUTE_MS - 1);
    if (n % 100 === 0) onProgress?.(world.now());
  }
  return ticks;
};

const exportAll = async ({ product, setup }: YearRun, world: World): Promise<string> => {
  const problems: string[] = [];
  const parts = await product.collectExport({
    source: product.buildTableSource(product.buildTable(dynamoClient(), setup.tableName), setup.space, world.now),
    gateSets: [product.gateSetContent(product.GATE_SET)],
    onProgress: () => undefined,
    onProblem: (problem) => problems.push(problem),
  });
  if (problems.length > 0) throw new Error(`the export is not whole: ${problems.slice(0, 3).join('; ')}`);
  return [...product.buildExportLines(parts)].join('\n');
};

export const playYear = async (run: YearRun): Promise<ObservedJobs> => {
  releaseClients(true);
  // A thread starts in real time, which no simulated clock waits for.
  await run.product.loadSandbox();
  const left: string[] = [];
  const world = buildYearWorld(run, left);
  const { taken, ask } = buildPeople(world);
  const ticks = await play(run, world, ask);
  const exported = await exportAll(run, world);
  return {
    sent: [],
    received: world.outside.received,
    troubles: world.troubles,
    configured: CONFIGURED,
    skewMs: world.skewMs,
    stepMs: world.stepMs,
    exported,
    publicKey: run.setup.publicKey,
    spentMicros: 0,
    restedAt: Number.MAX_SAFE_INTEGER,
    isUnfinished: world.messagesLeft() > 0 || world.lambda.runningCount() > 0,
    asks: taken,
    left,
    ticks,
    gaps: [...run.plan.downs, ...run.plan.outages.map(({ from, until }) => ({ from, until: until + RECOVERY_MS }))],
  };
};

/** A seed gives the same plan and the same run. */
export const yearRandom = (seed: number) => buildRandom(seed, 'year');
