/**
 * The environments of one function: one event per environment at a time, as on Lambda. A waiting event gets another
 * environment only after it has waited a moment, so that a fast function stays at one and a slow one (a model thinking for
 * one chat) does not hold up the others. Those beyond the minimum are ended when idle.
 */
import { LOCAL_RARE_WORKER_IDLE_MS, LOCAL_WORKER_GROW_MS, LOCAL_WORKER_IDLE_MS } from '../../lib/limits.ts';
import type { Environment } from './environment.ts';
import { InvocationError } from './invocation-error.ts';

export interface PoolOptions {
  readonly functionName: string;
  /** Kept however long they are idle. */
  readonly environmentsMin: number;
  readonly environmentsMax: number;
  /** Events that may wait; one more is refused as `overloaded`. */
  readonly waitingMax: number;
  readonly start: () => Environment;
}

export interface Pool {
  /** @throws InvocationError */
  readonly invoke: (event: unknown) => Promise<unknown>;
  /** Makes the first environment now instead of with the first event. */
  readonly warm: () => void;
  readonly size: () => number;
  /** Refuses what waits, and ends every environment. */
  readonly end: () => Promise<void>;
}

interface Waiting {
  readonly take: (environment: Environment) => void;
  readonly refuse: (error: InvocationError) => void;
  timer: NodeJS.Timeout | undefined;
}

export const buildPool = (options: PoolOptions): Pool => {
  const all = new Set<Environment>();
  const idle: Environment[] = [];
  const waiting: Waiting[] = [];
  const idleTimers = new Map<Environment, NodeJS.Timeout>();
  let isEnded = false;

  const grow = (): Environment => {
    const environment = options.start();
    all.add(environment);
    return environment;
  };

  const serve = (environment: Environment): void => {
    const next = waiting.shift();
    if (next !== undefined) {
      clearTimeout(next.timer);
      next.take(environment);
      return;
    }
    idle.push(environment);
    if (all.size <= options.environmentsMin) return;
    const idleMs = options.environmentsMin === 0 ? LOCAL_RARE_WORKER_IDLE_MS : LOCAL_WORKER_IDLE_MS;
    const timer = setTimeout(() => retire(environment), idleMs);
    timer.unref();
    idleTimers.set(environment, timer);
  };

  const retire = (environment: Environment): void => {
    const at = idle.indexOf(environment);
    if (at < 0 || all.size <= options.environmentsMin) return;
    idle.splice(at, 1);
    all.delete(environment);
    void environment.end();
  };

  const release = (environment: Environment): void => {
    if (isEnded) return;
    if (environment.isAlive()) {
      serve(environment);
      return;
    }
    all.delete(environment);
    if (waiting.length > 0) serve(grow());
  };

  const takeIdle = (): Environment | undefined => {
    for (let next = idle.pop(); next !== undefined; next = idle.pop()) {
      clearTimeout(idleTimers.get(next));
      idleTimers.delete(next);
      if (next.isAlive()) return next;
      all.delete(next);
    }
    return undefined;
  };

  const wait = (): Promise<Environment> =>
    new Promise((take, refuse) => {
      const entry: Waiting = { take, refuse, timer: undefined };
      entry.timer = setTimeout(() => {
        if (all.size >= options.environmentsMax) return;
        waiting.splice(waiting.indexOf(entry), 1);
        take(grow());
      }, LOCAL_WORKER_GROW_MS);
      waiting.push(entry);
    });

  const acquire = async (): Promise<Environment> => {
    if (isEnded) throw new InvocationError(options.functionName, 'stopped', 'the stack is stopping');
    const ready = takeIdle();
    if (ready !== undefined) return ready;
    if (all.size === 0) return grow();
    if (waiting.length >= options.waitingMax) {
      throw new InvocationError(options.functionName, 'overloaded', `${waiting.length} events are waiting`);
    }
    return wait();
  };

  return {
    invoke: async (event) => {
      const environment = await acquire();
      try {
        return await environment.run(event);
      } finally {
        release(environment);
      }
    },
    warm: () => {
      if (all.size === 0 && !isEnded) idle.push(grow());
    },
    size: () => all.size,
    end: async () => {
      isEnded = true;
      for (const { timer, refuse } of waiting.splice(0)) {
        clearTimeout(timer);
        refuse(new InvocationError(options.functionName, 'stopped', 'the stack is stopping'));
      }
      for (const timer of idleTimers.values()) clearTimeout(timer);
      await Promise.all([...all].map((environment) => environment.end()));
    },
  };
};
