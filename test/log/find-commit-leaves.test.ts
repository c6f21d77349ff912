import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseLeafBytes } from '../../lib/evidence/leaf.ts';
import { parseEntryBundle } from '../../lib/evidence/tiles.ts';
import { findCommitLeaves } from '../../lib/log/find-commit-leaves.ts';
import { loadTile } from '../../lib/log/read-log.ts';
import { logKeys } from '../../lib/store/keys.ts';
import { aNote } from '../memory/notes.ts';
import { startDynamo, type TestDynamo } from '../support/dynamo.ts';
import { fillSpace } from './fill.ts';
import { buildLogWorld, type LogWorld } from './log-world.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());

const remember = async ({ memory }: LogWorld, first: number, count: number): Promise<void> => {
  for (let n = first; n < first + count; n += 1) await memory.remember(aNote({ effectId: `con-${n}#0` }));
};

/** Leaves of commits, out of every entry there is. */
const everyLeaf = async (space: string, size: number): Promise<ReadonlyMap<number, number>> => {
  const leaves = new Map<number, number>();
  for (let index = 0; index * 256 < size; index += 1) {
    const width = Math.min(256, size - index * 256);
    const bytes = (await loadTile(dynamo.table, space, { level: 'entries', index, width })) ?? new Uint8Array(0);
    for (const [at, leaf] of parseEntryBundle(bytes, width).map(parseLeafBytes).entries())
      if (leaf.kind === 'commit') leaves.set(Number(leaf.id), index * 256 + at);
  }
  return leaves;
};

describe('findCommitLeaves', () => {
  it('finds the leaf of every commit, over bundles that have none, and says which is not there yet', async () => {
    const world = buildLogWorld(dynamo);
    const { space } = world;
    const like = await world.say('hello');
    await remember(world, 0, 5);
    await world.run();
    await fillSpace(dynamo, world, like, 0, 64);
    await world.run();
    await remember(world, 5, 5);
    await world.run();
    await fillSpace(dynamo, world, like, 64, 64);
    const { size } = await world.run();
    await remember(world, 10, 1);
    expect(size).toBeGreaterThan(4 * 256);
    const commits = Array.from({ length: 11 }, (_, n) => n + 1);
    const leaves = await everyLeaf(space, size);
    expect(leaves.size).toBe(10);
    expect(await findCommitLeaves(dynamo.table, space, [0, ...commits])).toStrictEqual({
      size,
      checkpointSize: size,
      lastCommit: 10,
      leaves,
    });
    for (const commit of [1, 5, 6, 10])
      expect((await findCommitLeaves(dynamo.table, space, [commit])).leaves).toStrictEqual(
        new Map([[commit, leaves.get(commit)]]),
      );
    const edited = { schemaVersion: 2 };
    await dynamo.table.update(logKeys.entries(space, 0), { set: edited });
    expect((await findCommitLeaves(dynamo.table, space, [1])).problem).toContain('log#');
  });

  it('says nothing of a log that is empty', async () => {
    expect(await findCommitLeaves(dynamo.table, `s${randomBytes(6).toString('hex')}`, [1])).toStrictEqual({
      size: 0,
      checkpointSize: 0,
      lastCommit: 0,
      leaves: new Map(),
    });
  });
});
