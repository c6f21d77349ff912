import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { alignTick, buildScheduleEvent, startSchedule } from '../../infra/local/triggers.ts';

describe('buildScheduleEvent', () => {
  it('puts the scheduled time where the template asks for it, as EventBridge writes it', () => {
    const input = '{"scheduledAt":"<aws.scheduler.scheduled-time>"}';
    expect(buildScheduleEvent(input, 1_700_000_000_000)).toStrictEqual({ scheduledAt: '2023-11-14T22:13:20Z' });
  });
});

describe('alignTick', () => {
  it.each([
    [0, 60_000, 0],
    [59_999, 60_000, 0],
    [60_000, 60_000, 60_000],
    [61_500, 1_000, 61_000],
  ])('puts %s on the grid of %s', (nowMs, intervalMs, expected) => {
    expect(alignTick(nowMs, intervalMs)).toBe(expected);
  });
});

describe('startSchedule', () => {
  it('fires on the grid, one run at a time, until stopped', async () => {
    const ticks: number[] = [];
    let running = 0;
    let runningMax = 0;
    const stop = startSchedule({
      intervalMs: 20,
      log: () => undefined,
      fire: async (scheduledAtMs) => {
        ticks.push(scheduledAtMs);
        running += 1;
        runningMax = Math.max(runningMax, running);
        await sleep(50);
        running -= 1;
      },
    });
    await expect.poll(() => ticks.length).toBeGreaterThanOrEqual(3);
    stop();
    const count = ticks.length;
    await sleep(80);
    expect(ticks.length).toBe(count);
    expect(ticks.every((tick) => tick % 20 === 0)).toBe(true);
    expect(new Set(ticks).size).toBe(count);
    expect(runningMax).toBe(1);
  });
});
