/** What the page says of a day with more signals than one answer reads. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HOUR_MS } from '../../../lib/core/base/limits.ts';
import { startConsole, type TestConsole } from '../../core/edge/console/console-server.ts';
import { buildSignal, putSignal } from '../../core/edge/console/stored-fixtures.ts';

const SIGNALS = 510;
const NOW = 1_700_000_100_000;
let world: TestConsole;

beforeAll(async () => {
  world = await startConsole();
  const put = (n: number) =>
    putSignal(world.dynamo.table, { signal: buildSignal(`con-${n}`, { receivedAt: NOW - n * 1000 }), state: 'acted' });
  for (let n = 0; n < SIGNALS; n += 1) await put(n);
});
afterAll(() => world.stop());

it.each([
  ['all of it', NOW - 2 * HOUR_MS, { isCut: true, isDayCut: true }],
  ['a part that was read whole', NOW - 60_000, { isCut: false, isDayCut: true, answered: 61 }],
])('tells %s apart', async (_, from, figures) => {
  const { body } = await world.ask('GET', `/api/figures?from=${from}`);
  expect(body).toMatchObject(figures);
});
