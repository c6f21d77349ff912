import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Environment } from '../../infra/local/environment.ts';
import { buildPool, type PoolOptions } from '../../infra/local/pool.ts';
import { LOCAL_RARE_WORKER_IDLE_MS, LOCAL_WORKER_GROW_MS, LOCAL_WORKER_IDLE_MS } from '../../lib/limits.ts';

/** Environments whose runs end when the test says so. */
const buildFakes = (options: Partial<PoolOptions> = {}) => {
  const runs: { event: unknown; finish: () => void; die: () => void }[] = [];
  let ended = 0;
  const start = (): Environment => {
    let isAlive = true;
    let isBusy = false;
    return {
      isAlive: () => isAlive,
      end: () => {
        isAlive = false;
        ended += 1;
        return Promise.resolve();
      },
      run: (event) =>
        new Promise((resolve, reject) => {
          expect(isBusy).toBe(false);
          isBusy = true;
          const finish = () => {
            isBusy = false;
            resolve(event);
          };
          const die = () => {
            isAlive = false;
            reject(new Error('died'));
          };
          runs.push({ event, finish, die });
        }),
    };
  };
  const pool = buildPool({
    functionName: 'f',
    environmentsMin: 1,
    environmentsMax: 2,
    waitingMax: 2,
    start,
    ...options,
  });
  return { pool, runs, ended: () => ended };
};

describe('buildPool', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('runs one event at a time in one environment while runs are short', async () => {
    const { pool, runs } = buildFakes();
    const first = pool.invoke('a');
    const second = pool.invoke('b');
    await vi.advanceTimersByTimeAsync(LOCAL_WORKER_GROW_MS - 1);
    expect(runs.map(({ event }) => event)).toStrictEqual(['a']);
    runs[0]?.finish();
    expect(await first).toBe('a');
    await vi.advanceTimersByTimeAsync(0);
    runs[1]?.finish();
    expect(await second).toBe('b');
    expect(pool.size()).toBe(1);
  });

  it('starts another for an event that waits long, never more than allowed, and ends it when idle', async () => {
    const { pool, runs, ended } = buildFakes();
    const all = ['a', 'b', 'c'].map((event) => pool.invoke(event));
    await vi.advanceTimersByTimeAsync(LOCAL_WORKER_GROW_MS * 3);
    expect(runs.map(({ event }) => event)).toStrictEqual(['a', 'b']);
    expect(pool.size()).toBe(2);
    runs[0]?.finish();
    await vi.advanceTimersByTimeAsync(0);
    expect(runs.map(({ event }) => event)).toStrictEqual(['a', 'b', 'c']);
    runs[1]?.finish();
    runs[2]?.finish();
    expect(await Promise.all(all)).toStrictEqual(['a', 'b', 'c']);
    await vi.advanceTimersByTimeAsync(LOCAL_WORKER_IDLE_MS);
    expect([pool.size(), ended()]).toStrictEqual([1, 1]);
  });

  it('keeps none of a rarely used function', async () => {
    const { pool, runs } = buildFakes({ environmentsMin: 0 });
    const run = pool.invoke('a');
    await vi.advanceTimersByTimeAsync(0);
    runs[0]?.finish();
    await run;
    expect(pool.size()).toBe(1);
    await vi.advanceTimersByTimeAsync(LOCAL_RARE_WORKER_IDLE_MS);
    expect(pool.size()).toBe(0);
  });

  it('replaces an environment that died under an event', async () => {
    const { pool, runs } = buildFakes();
    const first = pool.invoke('a');
    const second = pool.invoke('b');
    const failed = expect(first).rejects.toThrow('died');
    await vi.advanceTimersByTimeAsync(0);
    runs[0]?.die();
    await failed;
    await vi.advanceTimersByTimeAsync(0);
    runs[1]?.finish();
    expect(await second).toBe('b');
    expect(pool.size()).toBe(1);
  });

  it('refuses more waiting events than allowed, and everything after its end', async () => {
    const { pool } = buildFakes();
    void pool.invoke('runs').catch(() => undefined);
    const waiting = ['b', 'c'].map((event) => pool.invoke(event));
    const refused = Promise.all(waiting.map((one) => expect(one).rejects.toMatchObject({ outcome: 'stopped' })));
    await expect(pool.invoke('d')).rejects.toMatchObject({ outcome: 'overloaded' });
    await pool.end();
    await refused;
    await expect(pool.invoke('e')).rejects.toMatchObject({ outcome: 'stopped' });
  });
});
