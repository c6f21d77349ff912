/**
 * What became of an older copy of the table: found out, held, what was forgotten since erased by
 * Act from what was kept outside, and let go only then; over a real table, with the heartbeat's
 * guard and Act's part as they are.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildToolRecords } from '../../../lib/core/actuators/tool-records.ts';
import { loadKillSwitch } from '../../../lib/core/ledger/kill-switch.ts';
import { anchorNewest, buildFileAnchors } from '../../../lib/core/log/anchor.ts';
import { loadLogHead } from '../../../lib/core/log/read-log.ts';
import { loadRestoreState } from '../../../lib/core/log/restore-state.ts';
import { memoryKeys } from '../../../lib/core/memory/keys.ts';
import type { MemoryStore } from '../../../lib/core/memory/memory.ts';
import { logKeys, signalKeys } from '../../../lib/core/store/keys.ts';
import type { ToolPowers } from '../../../lib/core/tools/tool.ts';
import { forgetAgain } from '../../../lib/features/forgetting/forget-again.ts';
import { forgetTraces } from '../../../lib/features/forgetting/forget-traces.ts';
import { forget } from '../../../lib/features/forgetting/tools.ts';
import { buildRestoreGuard } from '../../../lib/features/restore/restore.ts';
import { buildLogWorld, type LogWorld } from '../../core/log/log-world.ts';
import { copySpace } from '../../core/log/space-copy.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { signalWith } from '../../support/simulation.ts';

const folder = mkdtempSync(join(tmpdir(), 'passepartout-restored-'));
let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await dynamo.stop();
});

/**
 * A space with notes of which some were forgotten after a copy was made, and that copy in its
 * place.
 */
const buildRestored = async (notes: number, forgotten: number) => {
  const world = buildLogWorld(dynamo);
  const { space, simulation, memory } = world;
  const anchors = buildFileAnchors(folder, space);
  const write = async (): Promise<void> => {
    await world.run({ keepForgotten: anchors.keepForgotten });
    await anchorNewest({ table: dynamo.table, space, anchors, now: simulation.now() });
  };
  const ids: string[] = [];
  for (let n = 0; n < notes; n += 1) {
    const [signalId, effectId] = [`tg-9-${n}`, `tg-9-${n}#0`];
    const by = { tags: [], origin: 'owner', signalId, effectId, now: simulation.now() } as const;
    ids.push((await memory.remember({ ...by, text: `secret ${n}`, nonce: 'ab'.repeat(16) })).id);
  }
  await world.say('hello');
  await write();
  const copy = await copySpace(dynamo, space);
  for (const id of ids.slice(0, forgotten)) await memory.forget({ id, signalId: 'tg-9-99', now: simulation.now() });
  await write();
  await copy.restore();
  return { world, anchors, write, ids, ...partsOf(world, anchors) };
};

const powersOf = (space: string, memory: MemoryStore): ToolPowers => ({
  forgetting: { eraseTraces: (what) => forgetTraces({ table: dynamo.table, space, memory }, what) },
});

const partsOf = ({ space, simulation, memory }: LogWorld, anchors: ReturnType<typeof buildFileAnchors>) => {
  const sent: string[] = [];
  const guard = buildRestoreGuard({
    table: dynamo.table,
    space,
    anchors,
    now: simulation.now,
    onOlderCopy: () => undefined,
    forgetAgain: async (slot) => {
      sent.push(slot);
    },
  });
  const again = {
    table: dynamo.table,
    space,
    memory,
    contents: undefined,
    records: buildToolRecords(dynamo.table, space, memory),
    features: [],
    powers: powersOf(space, memory),
    newId: () => 'cd'.repeat(16),
    now: simulation.now,
  };
  const text = async (id: string): Promise<string> => {
    const page = await dynamo.table.query({ pk: memoryKeys.partition(space), isConsistent: true });
    return JSON.stringify(page.items.filter(({ sk }) => String(sk).includes(id)));
  };
  return { sent, guard, forgetAgain: (remainingMs: () => number) => forgetAgain(again, remainingMs), text };
};

const LONG = () => 60_000;

describe('buildRestoreGuard and forgetAgain', () => {
  it('hold an older copy until what was forgotten since is erased, and then until somebody resumes', async () => {
    const { world, ids, sent, guard, forgetAgain, text } = await buildRestored(3, 2);
    const { space } = world;
    expect(await text(ids[0] ?? '')).toContain('secret 0');
    expect(await guard('one')).toBe(true);
    expect(await loadRestoreState(dynamo.table, space)).toMatchObject({ forgetting: 'due', total: 2, lists: 1 });
    expect(sent).toStrictEqual(['one']);
    await forgetAgain(LONG);
    expect(await guard('two')).toBe(true);
    expect(await loadRestoreState(dynamo.table, space)).toMatchObject({ forgetting: 'done', total: 2 });
    for (const [n, id] of ids.entries()) {
      if (n < 2) expect(await text(id)).not.toContain('secret');
      else expect(await text(id)).toContain(`secret ${n}`);
    }
    expect(await loadKillSwitch(dynamo.table, space)).toMatchObject({ isStopped: true });
    world.simulation.advance(1_000);
    await world.simulation.accept(signalWith(space, 'tg-1-80', { sensor: 'resume' }, '7', world.simulation.now()));
    await world.simulation.drain();
    expect(await guard('three')).toBe(false);
    expect(sent).toStrictEqual(['one']);
    await world.run();
    expect(await world.verify()).toMatchObject({ status: 'consistent' });
  });

  it('erase what they can in the time there is, and go on where they got to', async () => {
    const { world, ids, guard, forgetAgain, text } = await buildRestored(4, 4);
    await guard('one');
    for (let n = 0; n < 4; n += 1) {
      let asked = 0;
      // Time for one.
      await forgetAgain(() => {
        asked += 1;
        return asked <= 1 ? 60_000 : 1_000;
      });
      expect(await text(ids[n] ?? '')).not.toContain('secret');
      if (n < 3) expect(await text(ids[n + 1] ?? '')).toContain('secret');
      expect(await guard(`tick ${n}`)).toBe(true);
    }
    await forgetAgain(LONG);
    await guard('last');
    expect(await loadRestoreState(dynamo.table, world.space)).toMatchObject({ forgetting: 'done' });
  });

  it('erase what a person said in a turn that was named when it was forgotten, and only named: no link leads there', async () => {
    const { world, anchors, write, ids, guard, forgetAgain } = await buildRestored(1, 0);
    const { space, simulation, memory } = world;
    const turn = await world.say('the xylophone stands in the attic');
    const other = await world.say('the piano stands in the cellar');
    await write();
    const copy = await copySpace(dynamo, space);
    const records = buildToolRecords(dynamo.table, space, memory);
    const by = { signalId: 'tg-9-98', effectId: 'tg-9-98#0', actor: 'telegram:7', now: simulation.now() } as const;
    const context = {
      ...by,
      memory,
      records,
      powers: powersOf(space, memory),
      zone: 'UTC',
      origin: 'owner',
      newNonce: () => 'ef'.repeat(16),
    } as const;
    await forget.run({ id: ids[0] ?? '', signals: [turn] }, context);
    await write();
    expect(JSON.stringify(await anchors.forgottenSince(0))).not.toContain('xylophone');
    await copy.restore();
    const said = async (id: string): Promise<string> =>
      JSON.stringify((await dynamo.table.query({ pk: signalKeys.partition(space, id), isConsistent: true })).items);
    expect(await said(turn)).toContain('xylophone');
    await guard('one');
    await forgetAgain(LONG);
    await guard('two');
    expect(await loadRestoreState(dynamo.table, space)).toMatchObject({ forgetting: 'done', total: 1 });
    expect(await said(turn)).not.toContain('xylophone');
    expect(await said(other)).toContain('piano');
    await world.run();
    expect(await world.verify()).toMatchObject({ status: 'consistent' });
  });

  it('keep holding a copy they cannot bring up to it, say why, and let no resume and no look through', async () => {
    const { world, ids, guard, forgetAgain, text } = await buildRestored(1, 1);
    const { space, simulation } = world;
    await guard('one');
    const current = await currentOf(space, ids[0] ?? '');
    const key = { pk: memoryKeys.partition(space), sk: String(current?.sk) };
    await dynamo.table.update(key, { set: { schemaVersion: 99 } });
    await forgetAgain(LONG);
    expect(await guard('two')).toBe(true);
    const state = await loadRestoreState(dynamo.table, space);
    expect(state).toMatchObject({ forgetting: 'due', problem: expect.stringContaining('schema version 99') });
    const before = simulation.sent.length;
    simulation.advance(1_000);
    await simulation.accept(signalWith(space, 'tg-1-81', { sensor: 'resume' }, '7', simulation.now()));
    await simulation.accept(signalWith(space, 'tg-1-82', { sensor: 'command', name: 'recall', rest: 'secret' }));
    await simulation.drain();
    const said = simulation.sent.slice(before).map(({ text: one }) => one);
    expect(said).toHaveLength(2);
    for (const one of said) expect(one).toMatch(/^The table is an older copy, .* so far it fails: StoredItemError: /s);
    expect(await loadKillSwitch(dynamo.table, space)).toMatchObject({ isStopped: true });
    // Mended, it is done with the next tick.
    await dynamo.table.update(key, { set: { schemaVersion: current?.schemaVersion } });
    await forgetAgain(LONG);
    await guard('three');
    expect(await loadRestoreState(dynamo.table, space)).toMatchObject({ forgetting: 'done' });
    expect(await text(ids[0] ?? '')).not.toContain('secret');
  });

  it('show nothing while what was forgotten cannot even be read', async () => {
    const { world, guard } = await buildRestored(1, 1);
    writeFileSync(join(folder, `${world.space}.forgotten.jsonl`), '{"v":2}\n');
    await expect(guard('one')).rejects.toThrow(/what was forgotten cannot be read/);
    expect(await loadRestoreState(dynamo.table, world.space)).toMatchObject({
      forgetting: 'listing',
      problem: expect.stringContaining('cannot be read'),
    });
    expect(await loadKillSwitch(dynamo.table, world.space)).toMatchObject({ isStopped: true });
  });

  it('find out another table in the place of the one they saw', async () => {
    const { world, anchors, guard } = await buildRestored(1, 0);
    const { space, simulation } = world;
    await guard('one');
    simulation.advance(1_000);
    await simulation.accept(signalWith(space, 'tg-1-83', { sensor: 'resume' }, '7', simulation.now()));
    await simulation.drain();
    expect(await guard('two')).toBe(false);
    const copy = await copySpace(dynamo, space);
    for (const text of ['a', 'b', 'c']) await world.say(text);
    await world.run({ keepForgotten: anchors.keepForgotten });
    await anchorNewest({ table: dynamo.table, space, anchors, now: simulation.now() });
    expect(await guard('three')).toBe(false);
    await copy.restore();
    expect(await guard('four')).toBe(true);
  });
});

describe('findRestored', () => {
  it('finds out an older copy of a copy that was dealt with, before its own log is anchored again', async () => {
    const { world, anchors, write, ids, guard } = await buildRestored(2, 0);
    const { space, simulation, memory } = world;
    const older = await copySpace(dynamo, space);
    for (const text of ['a', 'b', 'c', 'd', 'e', 'f']) await world.say(text);
    await write();
    await older.restore();
    expect(await guard('one')).toBe(true);
    simulation.advance(1_000);
    await simulation.accept(signalWith(space, 'tg-1-84', { sensor: 'resume' }, '7', simulation.now()));
    await simulation.drain();
    expect(await partsOf(world, anchors).guard('two')).toBe(false);
    const again = await copySpace(dynamo, space);
    await memory.forget({ id: ids[0] ?? '', signalId: 'tg-9-97', now: simulation.now() });
    await write();
    expect(await partsOf(world, anchors).guard('three')).toBe(false);
    await again.restore();
    simulation.advance(1_000);
    const { guard: fresh, forgetAgain, text } = partsOf(world, anchors);
    expect(await text(ids[0] ?? '')).toContain('secret');
    expect(await fresh('four')).toBe(true);
    await forgetAgain(LONG);
    await fresh('five');
    expect(await loadRestoreState(dynamo.table, space)).toMatchObject({ forgetting: 'done', total: 1 });
    expect(await text(ids[0] ?? '')).not.toContain('secret');
  });
});

describe('runLog', () => {
  it('keeps outside what was forgotten before it did, once, and each later one before its leaf', async () => {
    const world = buildLogWorld(dynamo);
    const { space, simulation, memory } = world;
    const anchors = buildFileAnchors(folder, space);
    const forget = async (n: number): Promise<string> => {
      const by = { tags: [], origin: 'owner', signalId: 'tg-9-1', now: simulation.now() } as const;
      const { id } = await memory.remember({ ...by, text: `t ${n}`, effectId: `tg-9-1#${n}`, nonce: 'ab'.repeat(16) });
      await memory.forget({ id, signalId: 'tg-9-2', now: simulation.now() });
      return id;
    };
    const kept = async () =>
      (await anchors.forgottenSince(0)).map(({ tombstones }) => tombstones.map(({ object }) => object));
    const first = await forget(1);
    await world.run();
    expect(await kept()).toStrictEqual([]);
    const second = await forget(2);
    await world.run({ keepForgotten: anchors.keepForgotten });
    expect(await kept()).toStrictEqual([[first, second]]);
    const third = await forget(3);
    const { size } = (await loadLogHead(dynamo.table, space)) ?? { size: 0 };
    const failing = world.run({ keepForgotten: () => Promise.reject(new Error('the bucket is not there')) });
    await expect(failing).rejects.toThrow('the bucket is not there');
    expect(await dynamo.table.load([logKeys.head(space)])).toMatchObject([{ size }]);
    await world.run({ keepForgotten: anchors.keepForgotten });
    expect((await kept()).slice(1)).toStrictEqual([[third]]);
  });
});

const currentOf = async (space: string, id: string) => {
  const page = await dynamo.table.query({ pk: memoryKeys.partition(space), isConsistent: true });
  return page.items.find(({ sk }) => String(sk).includes(id) && String(sk).startsWith('object#'));
};
