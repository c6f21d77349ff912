/**
 * Environments of one function. Each takes up to `runsMax` events at a time; when all are full
 * another is started, up to `environmentsMax`, and then events wait. One that dies is replaced by
 * the next event; those not kept are ended when idle.
 */
import type { Environment } from './environment.ts';
import { InvocationError } from './invocation-error.ts';

export interface PoolOptions {
  readonly functionName: string;
  /** Events of one environment at a time. */
  readonly runsMax: number;
  readonly environmentsMax: number;
  /** An environment is ended after so long without work; never, if absent. */
  readonly idleMs: number | undefined;
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

interface Host {
  readonly environment: Environment;
  runs: number;
  idleTimer: NodeJS.Timeout | undefined;
}

interface Waiting {
  readonly take: (host: Host) => void;
  readonly refuse: (error: InvocationError) => void;
}

export const buildPool = (options: PoolOptions): Pool => {
  const hosts = new Set<Host>();
  const waiting: Waiting[] = [];
  let isEnded = false;

  const grow = (): Host => {
    const host: Host = { environment: options.start(), runs: 0, idleTimer: undefined };
    hosts.add(host);
    return host;
  };

  /** Takes one of the places for an event. */
  const occupy = (): Host | undefined => {
    for (const host of hosts) if (!host.environment.isAlive()) hosts.delete(host);
    const free = [...hosts].find(({ runs }) => runs < options.runsMax);
    const host = free ?? (hosts.size < options.environmentsMax ? grow() : undefined);
    if (host === undefined) return undefined;
    clearTimeout(host.idleTimer);
    host.runs += 1;
    return host;
  };

  const retire = (host: Host): void => {
    hosts.delete(host);
    void host.environment.end();
  };

  const release = (host: Host): void => {
    host.runs -= 1;
    if (isEnded) return;
    const next = waiting[0];
    const place = next === undefined ? undefined : occupy();
    if (next !== undefined && place !== undefined) {
      waiting.shift();
      next.take(place);
    }
    if (host.runs > 0 || options.idleMs === undefined) return;
    host.idleTimer = setTimeout(() => retire(host), options.idleMs).unref();
  };

  const acquire = async (): Promise<Host> => {
    if (isEnded) throw new InvocationError(options.functionName, 'stopped', 'the stack is stopping');
    const host = occupy();
    if (host !== undefined) return host;
    if (waiting.length >= options.waitingMax) {
      throw new InvocationError(options.functionName, 'overloaded', `${waiting.length} events are waiting`);
    }
    return new Promise((take, refuse) => waiting.push({ take, refuse }));
  };

  return {
    invoke: async (event) => {
      const host = await acquire();
      try {
        return await host.environment.run(event);
      } finally {
        release(host);
      }
    },
    warm: () => {
      if (hosts.size === 0 && !isEnded) grow();
    },
    size: () => hosts.size,
    end: async () => {
      isEnded = true;
      const error = new InvocationError(options.functionName, 'stopped', 'the stack is stopping');
      for (const { refuse } of waiting.splice(0)) refuse(error);
      for (const { idleTimer } of hosts) clearTimeout(idleTimer);
      await Promise.all([...hosts].map(({ environment }) => environment.end()));
    },
  };
};
