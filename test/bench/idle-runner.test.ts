import { expect, it } from 'vitest';
import { costOfIdleRunner } from './measure-cost.ts';

it('costs at most ten cents a month to have a machine that gets no job', () => {
  const { polls, opens } = costOfIdleRunner();
  expect(polls).toBeCloseTo(0.0657, 4);
  expect(polls + opens).toBeLessThan(0.1);
});
