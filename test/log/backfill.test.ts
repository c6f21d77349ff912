/**
 * A table as an older release left it: signals that ended without a mark, out of every index but
 * the list of all, and commits, none of them in any log. The writer takes them in by and by, each
 * leaf saying that it was added later, and the export verifies.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MERGE_DELAY_MS } from '../../lib/base/limits.ts';
import { parseLeafBytes } from '../../lib/evidence/leaf.ts';
import { loadLogHead } from '../../lib/log/read-log.ts';
import { signalKeys } from '../../lib/store/keys.ts';
import { startDynamo, type TestDynamo } from '../support/dynamo.ts';
import { Crash } from '../support/simulation.ts';
import { fillSpace } from './fill.ts';
import { buildLogWorld, keyOf, type LogWorld } from './log-world.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());

/** Takes away what this release writes for the log when a signal ends. */
const makeOld = async ({ space }: LogWorld, ids: readonly string[]): Promise<void> => {
  for (const id of ids)
    await dynamo.table.update(signalKeys.record(space, id), {
      remove: ['unfinishedSpace', 'unfinishedAt', 'awaitsLog', 'ends'],
    });
};

const MONTH_MS = 30 * 86_400_000;

const buildOld = async (signals: number): Promise<LogWorld> => {
  const world = buildLogWorld(dynamo);
  const { simulation, memory } = world;
  const like = await world.say('hello');
  await fillSpace(dynamo, world, like, 0, signals - 1);
  const by = { tags: [], origin: 'owner', signalId: like, now: simulation.now() } as const;
  const note = await memory.remember({ ...by, text: 'one', effectId: `${like}#8`, nonce: 'ab'.repeat(16) });
  await memory.remember({ ...by, text: 'two', effectId: `${like}#9`, nonce: 'cd'.repeat(16) });
  await memory.forget({ id: note.id, signalId: like, now: simulation.now() });
  await makeOld(world, [like, ...Array.from({ length: signals - 1 }, (_, n) => `tg-9-${n}`)]);
  simulation.advance(MONTH_MS);
  return world;
};

const leavesIn = (lines: readonly string[]) =>
  lines.flatMap((line) => {
    const { type, leaf } = JSON.parse(line);
    return type === 'leaf' ? [parseLeafBytes(Buffer.from(leaf))] : [];
  });

describe('runLog over a table from before there was a log', () => {
  it('takes in what has no leaf, says of each that it is late, and the export verifies', async () => {
    const world = await buildOld(60);
    const { simulation, space } = world;
    expect(await world.verify()).toMatchObject({
      status: 'wrong',
      wrong: { what: expect.stringContaining('no leaf') },
    });
    const fresh = await world.say('new');
    // A decision and an effect; sixty times nine less the first one's seven; three commits and a
    // tombstone.
    const expected = 2 + (2 + 59 * 9) + 4;
    expect(await world.run()).toMatchObject({ leaves: expected, hasMore: false });
    expect(await world.run()).toMatchObject({ leaves: 0, hasMore: false, checkpoint: undefined });
    const { lines } = await world.exportLines();
    for (const { signal, at, loggedAt } of leavesIn(lines)) {
      if (signal === fresh) expect(loggedAt).toBeUndefined();
      else expect((loggedAt ?? 0) - at).toBeGreaterThan(MONTH_MS - MERGE_DELAY_MS);
    }
    simulation.advance(2 * MERGE_DELAY_MS);
    expect(await world.verify({ key: keyOf(space) })).toMatchObject({
      status: 'verified',
      leaves: expected,
      late: expected - 2,
      pending: 0,
    });
  });

  it('goes on where it got to, one page a run, and takes what is new first', async () => {
    const world = await buildOld(110);
    const { space, simulation } = world;
    const sizes: number[] = [];
    for (let runs = 0; runs < 8; runs += 1) {
      await world.say(`new ${runs}`);
      let asked = 0;
      // It looked at the new commits and at one page of old ones.
      const hasTime = () => {
        asked += 1;
        return asked <= 3;
      };
      const report = await world.run({ hasTime });
      sizes.push(report.leaves);
      if (!report.hasMore) break;
      expect(report.checkpoint).toBeDefined();
    }
    expect(sizes.length).toBeGreaterThanOrEqual(3);
    expect((await loadLogHead(dynamo.table, space))?.backfill).toStrictEqual({ isDone: true });
    simulation.advance(2 * MERGE_DELAY_MS);
    expect(await world.verify({ key: keyOf(space) })).toMatchObject({ status: 'verified', pending: 0 });
    // From then on nobody looks through all of it again.
    const before = simulation.operations();
    await world.run({ table: simulation.table });
    expect(simulation.operations() - before).toBeLessThanOrEqual(10);
  });

  it('logs nothing twice, wherever a run dies', async () => {
    const world = await buildOld(3);
    const { simulation, space } = world;
    for (let k = 1; k <= 40; k += 1) {
      simulation.crashAt(k);
      await world.run({ table: simulation.table }).catch((error: unknown) => {
        if (!(error instanceof Crash)) throw error;
      });
      simulation.crashAt(Number.POSITIVE_INFINITY);
    }
    await world.run();
    expect(await world.verify({ key: keyOf(space) })).toMatchObject({ status: 'verified', leaves: 2 + 2 * 9 + 4 });
  });

  it('logs no record anew that it has a leaf of: one that was changed is named', async () => {
    const world = buildLogWorld(dynamo);
    const id = await world.say('one');
    await world.run();
    const { size = 0 } = (await loadLogHead(dynamo.table, world.space)) ?? {};
    await dynamo.table.update(signalKeys.effect(world.space, id, 0), { set: { output: 'something else' } });
    // As if the search began anew.
    await dynamo.table.update({ pk: `log#${world.space}`, sk: 'head' }, { remove: ['backfill'] });
    world.simulation.advance(MONTH_MS);
    expect(await world.run()).toMatchObject({ leaves: 0, size });
    expect(await world.verify()).toMatchObject({ status: 'wrong', wrong: { kind: 'effect', id: `${id}#0` } });
  });
});
