/** Environments whose runs end when the test says so. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Environment } from '../../infra/local/environment.ts';
import { buildPool, type PoolOptions } from '../../infra/local/function-pools.ts';

const buildFakes = (options: Partial<PoolOptions> = {}) => {
  const runs: { event: unknown; environment: number; finish: () => void; die: () => void }[] = [];
  let started = 0;
  let ended = 0;
  const start = (): Environment => {
    let isAlive = true;
    started += 1;
    const environment = started;
    return {
      isAlive: () => isAlive,
      end: () => {
        isAlive = false;
        ended += 1;
        return Promise.resolve();
      },
      run: (event) =>
        new Promise((resolve, reject) => {
          const die = () => {
            isAlive = false;
            reject(new Error('died'));
          };
          runs.push({ event, environment, finish: () => resolve(event), die });
        }),
    };
  };
  const pool = buildPool({
    functionName: 'f',
    runsMax: 2,
    environmentsMax: 1,
    idleMs: undefined,
    waitingMax: 2,
    start,
    ...options,
  });
  const places = () => runs.map(({ event, environment }) => [event, environment]);
  return { pool, runs, places, ended: () => ended };
};

const pause = () => vi.advanceTimersByTimeAsync(0);

describe('buildPool', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('runs events beside each other in one environment, up to its maximum, and the rest in order', async () => {
    const { pool, runs, places } = buildFakes();
    const all = ['a', 'b', 'c', 'd'].map((event) => pool.invoke(event));
    await pause();
    expect(places()).toStrictEqual([
      ['a', 1],
      ['b', 1],
    ]);
    runs[1]?.finish();
    await pause();
    runs[0]?.finish();
    await pause();
    expect(places().slice(2)).toStrictEqual([
      ['c', 1],
      ['d', 1],
    ]);
    for (const { finish } of runs) finish();
    expect(await Promise.all(all)).toStrictEqual(['a', 'b', 'c', 'd']);
    expect(pool.size()).toBe(1);
  });

  it('starts another at once when all are full, and ends those that are idle', async () => {
    const { pool, runs, places, ended } = buildFakes({ runsMax: 1, environmentsMax: 2, idleMs: 1_000 });
    const all = ['a', 'b', 'c'].map((event) => pool.invoke(event));
    await pause();
    expect(places()).toStrictEqual([
      ['a', 1],
      ['b', 2],
    ]);
    runs[0]?.finish();
    await pause();
    expect(places()[2]).toStrictEqual(['c', 1]);
    for (const { finish } of runs) finish();
    await Promise.all(all);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([pool.size(), ended()]).toStrictEqual([0, 2]);
  });

  it('keeps an environment that has no idle time', async () => {
    const { pool, runs, ended } = buildFakes();
    const run = pool.invoke('a');
    await pause();
    runs[0]?.finish();
    await run;
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect([pool.size(), ended()]).toStrictEqual([1, 0]);
  });

  it('replaces an environment that died under an event', async () => {
    const { pool, runs, places } = buildFakes({ runsMax: 1 });
    const first = pool.invoke('a');
    const second = pool.invoke('b');
    const failed = expect(first).rejects.toThrow('died');
    await pause();
    runs[0]?.die();
    await failed;
    await pause();
    expect(places()[1]).toStrictEqual(['b', 2]);
    runs[1]?.finish();
    expect(await second).toBe('b');
    expect(pool.size()).toBe(1);
  });

  it('refuses more waiting events than allowed, and everything after its end', async () => {
    const { pool } = buildFakes({ runsMax: 1 });
    void pool.invoke('runs').catch(() => undefined);
    const waiting = ['b', 'c'].map((event) => pool.invoke(event));
    const refused = Promise.all(waiting.map((one) => expect(one).rejects.toMatchObject({ outcome: 'stopped' })));
    await expect(pool.invoke('d')).rejects.toMatchObject({ outcome: 'overloaded' });
    await pool.end();
    await refused;
    await expect(pool.invoke('e')).rejects.toMatchObject({ outcome: 'stopped' });
  });
});
