import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { indexPartitions } from '../../lib/aws/keys.ts';
import { startDynamo, type TestDynamo } from '../support/dynamo.ts';
import { buildLogWorld, keyOf } from './log-world.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());

const waiting = async (space: string): Promise<number> => {
  const partition = indexPartitions.unfinishedSignals(space);
  return (await dynamo.table.queryIndex({ index: 'unfinished', partition, limit: 100 })).items.length;
};

describe('runLog', () => {
  it('gives every record of what happened its leaf, and takes ended signals out of the index', async () => {
    const world = buildLogWorld(dynamo);
    await world.say('hello');
    await world.say('and again');
    expect(await waiting(world.space)).toBe(2);
    const report = await world.run();
    expect(report).toMatchObject({ leaves: 4, size: 4, hasMore: false });
    expect(await waiting(world.space)).toBe(0);
    expect(await world.run()).toMatchObject({ leaves: 0, size: 4, checkpoint: undefined });
    const anchor = report.checkpoint?.note ?? '';
    expect(await world.verify({ key: keyOf(world.space), anchor })).toMatchObject({
      status: 'verified',
      leaves: 4,
      records: 4,
      pending: 0,
      checkpoints: 1,
      unknownGateSets: [],
    });
  });
});
