import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ContendedError, StoredItemError } from '../../../lib/core/base/errors.ts';
import { MERGE_DELAY_MS } from '../../../lib/core/base/limits.ts';
import { verifyExport } from '../../../lib/core/evidence/verifier/verify-export.ts';
import { changeOwnerSetting } from '../../../lib/core/ledger/change-owner-setting.ts';
import { pairedChatKey } from '../../../lib/core/ledger/paired-chats.ts';
import { collectCommits } from '../../../lib/core/log/collect.ts';
import { quickCheck } from '../../../lib/core/log/quick-check.ts';
import { NO_COMMIT_HASH, splitRecord } from '../../../lib/core/memory/commit.ts';
import { commitKeys } from '../../../lib/core/memory/keys.ts';
import { indexPartitions, logKeys, signalKeys } from '../../../lib/core/store/keys.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { Crash, signalWith } from '../../support/simulation.ts';
import { buildLogWorld, keyOf, OTHER_SECRET, SECRET, signersOf } from './log-world.ts';

const DEPLOY = '{"webhook":"deploys","body":{},"explanation":"the owner asked for it"}';

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

  it('logs nothing twice and loses nothing, wherever a run dies', async () => {
    const world = buildLogWorld(dynamo);
    await world.say('one');
    const before = world.simulation.operations();
    await world.run({ table: world.simulation.table });
    const steps = world.simulation.operations() - before;
    for (let k = 1; k <= steps; k += 1) {
      // Each in a chat of its own: a long talk has a summary too.
      await world.say(`message ${k}`, `${k}`);
      world.simulation.crashAt(k);
      await world.run({ table: world.simulation.table }).catch((error: unknown) => {
        if (!(error instanceof Crash)) throw error;
      });
      world.simulation.crashAt(Number.POSITIVE_INFINITY);
      await world.run();
    }
    expect(await waiting(world.space)).toBe(0);
    expect(await world.verify({ key: keyOf(world.space) })).toMatchObject({
      status: 'verified',
      leaves: 2 * (steps + 1),
      pending: 0,
    });
  });

  it('lets one of two writers through and has the other begin again, losing nothing', async () => {
    const world = buildLogWorld(dynamo);
    for (let round = 0; round < 4; round += 1) {
      await world.say(`message ${round}`);
      const outcomes = await Promise.allSettled([world.run(), world.run(), world.run()]);
      const failed = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      for (const error of failed) expect(error).toBeInstanceOf(ContendedError);
    }
    await world.run();
    expect(await world.verify({ key: keyOf(world.space) })).toMatchObject({ status: 'verified', leaves: 8 });
  });

  it('gives each change of a setting a leaf with its version, who, when and by which signal', async () => {
    const world = buildLogWorld(dynamo);
    const change = (value: string, by: string, receivedAt: number) =>
      changeOwnerSetting(
        dynamo.table,
        { id: `con-${by}`, space: world.space, sender: { id: by, isApprover: true }, receivedAt },
        'config.STREAMING',
        value,
      );
    const now = world.simulation.now();
    await change('off', 'ann', now);
    await change('on', 'bob', now + 1);
    await world.run({ now: () => now + 2 });
    await change('off', 'ann', now + 3);
    await world.run({ now: () => now + 4 });
    await world.run({ now: () => now + 5 });
    const { lines } = await world.exportLines({ now: () => now + 5 });
    const leaves = lines
      .map((line) => JSON.parse(line))
      .flatMap((line) => (line.type === 'leaf' ? [JSON.parse(line.leaf)] : []));
    expect(leaves.map(({ id, actor, signal, at }) => [id, actor, signal, at - now])).toStrictEqual([
      ['setting 1 config.STREAMING', 'ann', 'con-ann', 0],
      ['setting 2 config.STREAMING', 'bob', 'con-bob', 1],
      ['settings', 'system', '', 2],
      ['setting 3 config.STREAMING', 'ann', 'con-ann', 3],
      ['settings', 'system', '', 4],
    ]);
    expect(new Set(leaves.map(({ hash }) => hash)).size).toBe(5);
    expect(await verifyExport(lines, { now: now + 5, key: keyOf(world.space) })).toMatchObject({
      status: 'verified',
      leaves: 5,
    });
  });

  it('follows an approval from its asking to its end, one leaf for each state it was found in', async () => {
    const world = buildLogWorld(dynamo, {
      answer: (prompt) =>
        prompt.messages.some((message) => message.role === 'tool')
          ? { content: 'Done.' }
          : { toolCalls: [{ id: 'c1', name: 'call-webhook', argumentsText: DEPLOY }] },
      webhookUrls: { deploys: 'https://deploys.example/hook' },
    });
    const id = await world.say('deploy');
    expect(await world.run()).toMatchObject({ hasMore: false });
    const suspended = await world.verify({ key: keyOf(world.space) });
    expect(suspended).toMatchObject({ status: 'verified', pending: 0 });
    const partition = indexPartitions.pendingApprovals(world.space);
    const { items } = await dynamo.table.queryIndex({ index: 'unfinished', partition, limit: 5 });
    const approvalId = String(items[0]?.pk).split('#').at(-1) ?? '';
    const payload = { sensor: 'approval-decision', approvalId, decision: 'approve' } as const;
    await world.simulation.accept(signalWith(world.space, 'tg-1-90', payload));
    await world.simulation.drain();
    // Spent and done since its last leaf, and not yet in the log.
    expect(await world.verify({ key: keyOf(world.space) })).toMatchObject({
      status: 'incomplete',
      firstPending: expect.stringMatching(/^approval /),
    });
    await world.run();
    const [marks] = await dynamo.table.load([logKeys.marks(world.space, id)]);
    expect(Object.keys(marks?.leaves).sort()).toStrictEqual([
      expect.stringMatching(/^approval#/),
      'decision',
      'effect#0',
    ]);
    world.simulation.advance(2 * MERGE_DELAY_MS);
    expect(await world.verify({ key: keyOf(world.space) })).toMatchObject({ status: 'verified', pending: 0 });
  });

  it('gives each right its leaf when it is given and when it is taken away, also a single one', async () => {
    const world = buildLogWorld(dynamo);
    const key = pairedChatKey(world.space, '9');
    await dynamo.table.put(key, { schemaVersion: 1, pairedAt: 1, by: 'telegram:7' });
    expect(await world.run()).toMatchObject({ leaves: 1 });
    expect(await world.run()).toMatchObject({ leaves: 0 });
    await dynamo.table.update(key, { set: { removedAt: 2 } });
    expect(await world.run()).toMatchObject({ leaves: 1, size: 2 });
  });

  it('logs commits in order, and what they forgot', async () => {
    const world = buildLogWorld(dynamo);
    const by = { tags: [], origin: 'owner', signalId: 'tg-1-1', now: world.simulation.now() } as const;
    const note = await world.memory.remember({ ...by, text: 'one', effectId: 'tg-1-1#0', nonce: 'ab'.repeat(16) });
    await world.memory.remember({ ...by, text: 'two', effectId: 'tg-1-1#1', nonce: 'cd'.repeat(16) });
    await world.memory.forget({ id: note.id, signalId: 'tg-1-2', now: world.simulation.now() });
    expect(await world.run()).toMatchObject({ leaves: 4, lastCommit: 3 });
    expect(await world.run()).toMatchObject({ leaves: 0, lastCommit: 3 });
    expect(await world.verify({ key: keyOf(world.space) })).toMatchObject({ status: 'verified', records: 4 });
  });

  it('logs a commit that forgets more than one batch takes, by itself', async () => {
    const world = buildLogWorld(dynamo);
    const [hash, at] = ['a'.repeat(64), world.simulation.now()];
    const by = { at, signalId: 'tg-1-1', effectId: 'tg-1-1#0', actor: 'console', kind: 'forget' } as const;
    const changes = Array.from({ length: 1_001 }, (_, n) => {
      const id = n.toString(16).padStart(32, '0');
      return { id, oldHash: hash, newHash: hash, version: 1 };
    });
    let previous = NO_COMMIT_HASH;
    for (const [n, of] of [changes, changes.slice(0, 1)].entries()) {
      const { record, parts, hash } = splitRecord({ ...by, number: n + 1, previous, changes: of });
      for (const [part, item] of parts.entries())
        await dynamo.table.put(commitKeys.part(world.space, n + 1, part), item);
      await dynamo.table.put(commitKeys.record(world.space, n + 1), record);
      await dynamo.table.put(commitKeys.head(world.space), { schemaVersion: 1, number: n + 1, hash });
      previous = hash;
    }
    expect(await collectCommits(dynamo.table, world.space, 0)).toMatchObject({ last: 1, isAll: false });
    expect(await collectCommits(dynamo.table, world.space, 1)).toMatchObject({ last: 2, isAll: true });
  });

  it('changes its key when it is given both, and signs the next checkpoint with both', async () => {
    const world = buildLogWorld(dynamo);
    await world.say('one');
    await world.run();
    await world.say('two');
    await expect(world.run({ signers: signersOf(world.space, OTHER_SECRET) })).rejects.toThrow(
      /LOG_SIGNING_KEY_PREVIOUS/,
    );
    const rotated = await world.run({ signers: signersOf(world.space, OTHER_SECRET, SECRET) });
    expect(rotated.checkpoint?.note.match(/^— /gm)).toHaveLength(2);
    await world.say('three');
    const next = await world.run({ signers: signersOf(world.space, OTHER_SECRET) });
    expect(next.checkpoint?.note.match(/^— /gm)).toHaveLength(1);
    for (const secret of [SECRET, OTHER_SECRET])
      expect(
        await world.verify({ key: keyOf(world.space, secret), anchor: next.checkpoint?.note ?? '' }),
      ).toMatchObject({
        status: 'verified',
        leaves: 7,
        checkpoints: 3,
      });
  });

  it('appends nothing to a log whose own items were changed', async () => {
    const world = buildLogWorld(dynamo);
    await world.say('one');
    await world.run();
    await dynamo.table.update(logKeys.head(world.space), { set: { size: 3 } });
    await world.say('two');
    await expect(world.run()).rejects.toBeInstanceOf(StoredItemError);
  });
});

describe('quickCheck', () => {
  it('says so when all is well, and names what was changed at the end of the log', async () => {
    const world = buildLogWorld(dynamo);
    expect(await quickCheck(dynamo.table, world.space)).toStrictEqual(['The evidence log is still empty.']);
    const id = await world.say('one');
    await world.run();
    expect((await quickCheck(dynamo.table, world.space))[0]).toBe(
      'The evidence log is in order as far as looked: 2 leaves, checkpoint of 2 signed.',
    );
    await dynamo.table.update(signalKeys.effect(world.space, id, 0), { set: { output: 'something else' } });
    expect(await quickCheck(dynamo.table, world.space)).toStrictEqual([
      `WRONG: the effect ${id}#0 is not what the log says.`,
    ]);
    await dynamo.table.update(logKeys.head(world.space), { set: { size: 3 } });
    expect((await quickCheck(dynamo.table, world.space))[0]).toMatch(/^WRONG: /);
  });
});
