/**
 * Many deliveries at once, any of which may die: each runs in a context of its own, and after a
 * random operation of it (on table, model or queue) the process it stands for is gone, which is to
 * say that nothing it tries later happens. What had been done stays done, and the message is seen
 * again, first of its group, as SQS does; one that went well is now and then delivered once more.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { isRetryable, RetryLaterError } from '../../lib/core/base/errors.ts';
import type { StageMessage } from '../../lib/core/signal/messages.ts';
import type { Table } from '../../lib/core/store/table.ts';
import { Crash, type Simulation } from './simulation.ts';

/** One delivery of one message. */
export interface Delivery {
  readonly stage: StageMessage['stage'];
  readonly signalId: string;
  operations: number;
  /** Number of the operation it dies after. */
  readonly crashAt: number;
  isDead: boolean;
}

/** Numbers from 0 to below 1, the same for a seed. */
export const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const WORKERS = 24;
/**
 * Fewer than SQS takes for poison: what is measured is what crashes cost, not what becomes of
 * poison.
 */
const CRASHES_A_MESSAGE_MAX = 2;
const OPERATIONS_MAX = 12;
const SWEEPS_MAX = 10;
/** Longer than any back-off of the sweep, and than SQS remembers what it has seen. */
const SWEEP_AFTER_MS = 31 * 60_000;

export const buildStorm = (random: () => number, chances: { readonly crash: number; readonly repeat: number }) => {
  const context = new AsyncLocalStorage<Delivery>();
  const crashes: Delivery[] = [];

  /** An operation of whichever delivery is running; outside of one, just itself. */
  const step = async <T>(operation: (delivery: Delivery | undefined) => Promise<T>): Promise<T> => {
    const delivery = context.getStore();
    if (delivery?.isDead === true) throw new Crash('dead');
    const result = await operation(delivery);
    if (delivery === undefined) return result;
    delivery.operations += 1;
    if (delivery.isDead) throw new Crash('dead');
    if (delivery.operations < delivery.crashAt) return result;
    delivery.isDead = true;
    crashes.push(delivery);
    throw new Crash(`${delivery.stage} of ${delivery.signalId} after operation ${delivery.operations}`);
  };

  const guard = (table: Table): Table => ({
    load: (...args) => step(() => table.load(...args)),
    query: (...args) => step(() => table.query(...args)),
    queryIndex: (...args) => step(() => table.queryIndex(...args)),
    put: (...args) => step(() => table.put(...args)),
    update: (...args) => step(() => table.update(...args)),
    transact: (...args) => step(() => table.transact(...args)),
  });

  /** Delivers until the queue is empty, many groups at once, each in its order. */
  const drain = async (simulation: Simulation): Promise<void> => {
    const busy = new Set<string>();
    const crashedBefore = new Map<StageMessage, number>();
    const notBefore = new Map<StageMessage, number>();
    const groupOf = (message: StageMessage): string => `${message.stage} ${message.session}`;

    const take = (): StageMessage | undefined => {
      const seen = new Set(busy);
      for (const message of simulation.queue) {
        const group = groupOf(message);
        if (seen.has(group)) continue;
        seen.add(group);
        if ((notBefore.get(message) ?? 0) <= simulation.now()) return message;
      }
      return undefined;
    };

    const deliverOnce = async (message: StageMessage): Promise<boolean> => {
      const before = crashedBefore.get(message) ?? 0;
      const isDoomed = before < CRASHES_A_MESSAGE_MAX && random() < chances.crash;
      const crashAt = isDoomed ? 1 + Math.floor(random() * OPERATIONS_MAX) : Number.POSITIVE_INFINITY;
      const { stage, signalId } = message;
      const delivery: Delivery = { stage, signalId, operations: 0, crashAt, isDead: false };
      try {
        await context.run(delivery, () => simulation.deliver(message));
        return true;
      } catch (error) {
        if (delivery.isDead) crashedBefore.set(message, before + 1);
        else if (error instanceof RetryLaterError) notBefore.set(message, simulation.now() + error.afterMs + 1);
        else if (!(error instanceof Crash) && !isRetryable(error)) throw error;
        return false;
      }
    };

    const waiting: (() => void)[] = [];
    /** Until another delivery has ended, and with it something may have come. */
    const waitForOthers = (): Promise<void> =>
      new Promise((resolve) => {
        waiting.push(resolve);
      });
    /** Two: a delivery leaves one message behind, or two. */
    const wakeOthers = (): void => {
      for (const resolve of waiting.splice(0, simulation.queue.length === 0 ? waiting.length : 2)) resolve();
    };

    const work = async (message: StageMessage): Promise<void> => {
      const group = groupOf(message);
      busy.add(group);
      try {
        const isDone = await deliverOnce(message);
        if (isDone && random() < chances.repeat) await deliverOnce(message);
        if (isDone) simulation.queue.splice(simulation.queue.indexOf(message), 1);
      } finally {
        busy.delete(group);
        wakeOthers();
      }
    };

    const worker = async (): Promise<void> => {
      while (simulation.queue.length > 0) {
        const message = take();
        if (message !== undefined) await work(message);
        else if (busy.size > 0) await waitForOthers();
        else simulation.advance(1_000);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, worker));
  };

  /** As the heartbeat does later: takes up again what a crash left between two steps. */
  const sweepAndDrain = async (simulation: Simulation): Promise<void> => {
    await drain(simulation);
    for (let sweeps = 0; sweeps < SWEEPS_MAX; sweeps += 1) {
      simulation.advance(SWEEP_AFTER_MS);
      await simulation.sweep();
      if (simulation.queue.length === 0) return;
      await drain(simulation);
    }
    throw new Error('some signals never end');
  };

  return { guard, step, sweepAndDrain, crashes, running: () => context.getStore() };
};
