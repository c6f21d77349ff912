/**
 * How long a record waits for its leaf at worst: the heartbeat's ticks, the writer's queue and its
 * runs under a clock of their own, with the code that takes messages off the queue and the writer
 * as they are.
 */
import type { Context, SQSEvent } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MERGE_DELAY_MS, RECEIVE_COUNT_MAX } from '../../../lib/core/base/limits.ts';
import { GATE_SET } from '../../../lib/core/gates/engine/gate-set.ts';
import { LogMessage } from '../../../lib/core/signal/messages.ts';
import { batch } from '../../../lib/core/stages/batch.ts';
import { buildWriter } from '../../../lib/core/stages/upkeep/writer.ts';
import { logKeys } from '../../../lib/core/store/keys.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { buildLogWorld, SECRET } from './log-world.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());

const TICK_MS = 60_000;

interface Waiting {
  readonly id: string;
  readonly body: string;
  visibleAt: number;
  receives: number;
}

/**
 * @param runMs how long each run takes; @param lateMs how much later than due each second tick
 * comes
 */
const buildClockwork = (runMs: number, lateMs: number) => {
  const world = buildLogWorld(dynamo);
  const { simulation, space } = world;
  const queue: Waiting[] = [];
  const counts = { runs: 0, buried: 0 };
  const hooks: { afterReading?: (() => Promise<void>) | undefined } = {};
  const work = buildWriter({
    table: dynamo.table,
    space,
    readSecrets: async () => new Map([['LOG_SIGNING_KEY', SECRET]]),
    wake: () => Promise.reject(new Error('one run is enough')),
    anchors: undefined,
    loadGateSet: async () => GATE_SET,
    log: () => undefined,
    now: simulation.now,
  });
  const handler = batch(
    LogMessage,
    async (message, remainingMs, seeAgain) => {
      counts.runs += 1;
      await work(message, remainingMs, seeAgain);
      await hooks.afterReading?.();
      simulation.advance(runMs);
    },
    {
      postpone: async (receipt, delayS) => {
        const message = queue.find(({ id }) => id === receipt);
        if (message !== undefined) message.visibleAt = simulation.now() + delayS * 1000;
      },
      bury: async () => {
        counts.buried += 1;
      },
      checkData: async () => undefined,
      log: () => undefined,
    },
  );
  const startedAt = simulation.now();
  let ticks = 0;
  const nextTick = (): number => startedAt + ticks * TICK_MS + (ticks % 2 === 1 ? lateMs : 0);

  /** One second, or as long as a run takes. */
  const step = async (): Promise<void> => {
    const now = simulation.now();
    if (nextTick() <= now) {
      ticks += 1;
      const body = JSON.stringify({ stage: 'log', v: 1, space, round: 0, tickAt: now });
      queue.push({ id: `m${now}`, body, visibleAt: now, receives: 0 });
    }
    const first = queue.find(({ visibleAt }) => visibleAt <= now);
    if (first === undefined) return simulation.advance(1_000);
    first.receives += 1;
    const attributes = { ApproximateReceiveCount: `${first.receives}`, MessageGroupId: `${space}/${first.id}` };
    const Records = [{ messageId: first.id, receiptHandle: first.id, body: first.body, attributes }];
    const event = { Records } as unknown as SQSEvent;
    const { batchItemFailures } = await handler(event, { getRemainingTimeInMillis: () => 60_000 } as Context);
    if (batchItemFailures.length === 0) queue.splice(queue.indexOf(first), 1);
    expect(first.receives).toBeLessThan(RECEIVE_COUNT_MAX);
  };
  return { world, simulation, counts, hooks, step, startedAt };
};

describe('a record and its leaf', () => {
  it.each([
    ['quick runs', 0, 0],
    ['runs of ten seconds', 10_000, 0],
    ['each second tick ten seconds late, and runs of five', 5_000, 10_000],
  ])('are never further apart than the merge delay: %s', async (_name, runMs, lateMs) => {
    const { world, simulation, counts, hooks, step, startedAt } = buildClockwork(runMs, lateMs);
    const waited: number[] = [];
    const waitFrom = async (id: string, writtenAt: number): Promise<void> => {
      const isLogged = async (): Promise<boolean> =>
        (await dynamo.table.load([logKeys.marks(world.space, id)], { isConsistent: true }))[0] !== undefined;
      while (!(await isLogged())) await step();
      waited.push(simulation.now() - writtenAt);
    };
    // Some time after a run that took something, and then where no run can see it any more: after
    // one has read and before it ends.
    for (const afterMs of [0, 4_000, 11_000, 23_000]) {
      const due = simulation.now() + afterMs;
      while (simulation.now() < due) await step();
      const writtenAt = simulation.now();
      await waitFrom(await world.say(`after ${afterMs} ms`), writtenAt);
      let late: readonly [string, number] | undefined;
      hooks.afterReading = async () => {
        hooks.afterReading = undefined;
        const at = simulation.now();
        late = [await world.say(`in the run after ${afterMs} ms`), at];
      };
      while (late === undefined) await step();
      await waitFrom(...late);
    }
    expect(waited).toHaveLength(8);
    expect(Math.max(...waited)).toBeLessThanOrEqual(MERGE_DELAY_MS);
    expect(Math.max(...waited)).toBeGreaterThanOrEqual(30_000);
    expect(counts.buried).toBe(0);
    // Two a minute, not one for each second of it.
    const minutes = Math.ceil((simulation.now() - startedAt) / TICK_MS);
    expect(counts.runs).toBeLessThanOrEqual(2 * minutes);
    expect(await world.verify()).toMatchObject({ status: 'consistent', pending: 0 });
  });
});
