/** A decision names the positions of memory and of the log at its prompt. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCheckpoint } from '../../../lib/core/evidence/checkpoint.ts';
import { EMPTY_RANGE, HASH_BYTES } from '../../../lib/core/evidence/merkle.ts';
import { positionOfLog } from '../../../lib/core/log/stored.ts';
import { logKeys } from '../../../lib/core/store/keys.ts';
import { evidenceOf } from '../../flow/adversity-world.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { NONCE } from '../memory/notes.ts';
import { buildLogWorld, keyOf } from './log-world.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo?.stop());

const head = {
  pk: 'log#s',
  sk: 'head',
  schemaVersion: 1,
  size: 1,
  hashes: [new Uint8Array(HASH_BYTES)],
  lastCommit: 0,
  keyId: 'k',
  keyCount: 1,
  checkpointSize: 1,
  at: 1,
};

describe('positionOfLog', () => {
  it('names size and root as the checkpoint has them', () => {
    expect(positionOfLog(head)).toStrictEqual({
      treeSize: 1,
      rootHash: Buffer.alloc(HASH_BYTES).toString('base64'),
    });
  });

  it.each([
    ['there is no log', undefined],
    ['leaves came since the checkpoint', { ...head, checkpointSize: 0 }],
    ['it is empty', { ...head, ...EMPTY_RANGE, checkpointSize: 0 }],
    ['it is of a later release', { ...head, schemaVersion: 2 }],
    ['its hashes are not those of its size', { ...head, hashes: [] }],
  ])('names nothing where %s', (_name, item) => {
    expect(positionOfLog(item)).toStrictEqual({});
  });
});

describe('the memory position of a decision', () => {
  it('names the newest checkpoint, and its record verifies', async () => {
    const world = buildLogWorld(dynamo);
    const by = { signalId: 'seed', effectId: 'seed#0', now: world.simulation.now(), nonce: NONCE };
    await world.memory.remember({ text: 'My bike is a blue Gazelle', tags: [], origin: 'owner', ...by });
    const before = await evidenceOf(dynamo.table, world.space, await world.say('what colour is my bike?'));
    expect(before.decision?.memory).toStrictEqual({ commit: 1 });
    const note = (await world.run()).checkpoint?.note ?? '';
    const { size, root } = parseCheckpoint(note);
    const after = await evidenceOf(dynamo.table, world.space, await world.say('and my bike now?'));
    expect(after.decision?.memory).toStrictEqual({
      commit: 1,
      treeSize: size,
      rootHash: Buffer.from(root).toString('base64'),
    });
    const anchor = (await world.run()).checkpoint?.note ?? '';
    expect(await world.verify({ key: keyOf(world.space), anchor })).toMatchObject({ status: 'verified' });
    const [stored] = await dynamo.table.load([logKeys.head(world.space)]);
    expect(positionOfLog(stored).treeSize).toBeGreaterThan(size);
  });
});
