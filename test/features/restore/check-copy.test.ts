/** The check of a copy that was made while the stack worked: the log may be behind, not late. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkCopy } from '../../../infra/features/restore/check-copy.ts';
import { MERGE_DELAY_MS } from '../../../lib/core/base/limits.ts';
import { buildLogWorld } from '../../core/log/log-world.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { ownerMessage } from '../../support/simulation.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo?.stop());

it('takes an effect that was tried again since its leaf, until the log is late', async () => {
  const world = buildLogWorld(dynamo, { outside: () => ({ state: 'retry', reason: 'the service is busy' }) });
  const { simulation, space } = world;
  const deliver = async (times: number): Promise<void> => {
    for (let count = 0; count < times; count += 1) await simulation.deliverNext();
  };
  await simulation.accept(ownerMessage(space, 1, 'hello', undefined, simulation.now()));
  await deliver(4);
  await world.run();
  await deliver(1);
  const check = async (): Promise<readonly string[]> => {
    const copy = { table: dynamo.table, space, at: simulation.now(), now: simulation.now(), anchor: undefined };
    return (await checkCopy({ ...copy, onProgress: () => undefined })).problems;
  };
  expect(await check()).toStrictEqual([]);
  simulation.advance(2 * MERGE_DELAY_MS);
  expect(await check()).toStrictEqual([expect.stringContaining('it changed longer ago than the merge delay')]);
});
