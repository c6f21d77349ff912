import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ContendedError, ProtocolError, StoredItemError, UnavailableError } from '../../../lib/core/base/errors.ts';
import { MEMORY_RESULTS_MAX } from '../../../lib/core/base/limits.ts';
import { memoryKeys } from '../../../lib/core/memory/keys.ts';
import { buildMemory } from '../../../lib/core/memory/memory.ts';
import { buildForgotten, buildNote, memoryIdOf } from '../../../lib/core/memory/object.ts';
import { MEMORY_COMMIT_TRIES_MAX } from '../../../lib/core/memory/write.ts';
import type { Table } from '../../../lib/core/store/table.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { aNote, NOW } from './notes.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());

let spaces = 0;
/** A memory in a space of its own, so that tests do not meet. */
const freshMemory = () => {
  spaces += 1;
  const space = `space-${spaces}`;
  return { space, memory: buildMemory(dynamo.table, space) };
};
const ID = memoryIdOf('con-1#0');
const rowsOf = async (space: string) => (await dynamo.table.query({ pk: memoryKeys.partition(space) })).items;

describe('remember', () => {
  it('stores the object and its first version', async () => {
    const { space, memory } = freshMemory();
    const object = await memory.remember(aNote());
    expect(object).toStrictEqual({ ...buildNote(aNote()), commit: 1 });
    expect(await memory.load(ID)).toStrictEqual(object);
    expect(await rowsOf(space)).toStrictEqual([
      { ...object, pk: `memory#${space}`, sk: `object#${ID}` },
      { ...object, pk: `memory#${space}`, sk: `version#${ID}#c0000000001` },
    ]);
  });

  it('writes once for one effect, however often and whatever later tries bring (I7)', async () => {
    const { space, memory } = freshMemory();
    const first = await memory.remember(aNote());
    const again = await memory.remember(aNote({ text: 'other', now: NOW + 9, nonce: 'f'.repeat(32) }));
    expect(again).toStrictEqual(first);
    expect(await rowsOf(space)).toHaveLength(2);
  });

  it('writes once when two tries of one effect run at the same time', async () => {
    const { space, memory } = freshMemory();
    const both = await Promise.all([
      memory.remember(aNote({ nonce: 'a'.repeat(32) })),
      memory.remember(aNote({ nonce: 'b'.repeat(32) })),
    ]);
    const stored = await memory.load(ID);
    expect(both).toStrictEqual([stored, stored]);
    expect(await rowsOf(space)).toHaveLength(2);
    expect((await memory.head()).number).toBe(1);
  });

  it('does not bring back what was forgotten when its effect is repeated (I10)', async () => {
    const { memory } = freshMemory();
    await memory.remember(aNote());
    const forgotten = await memory.forget({ id: ID, signalId: 'con-2', now: NOW + 1 });
    expect(await memory.remember(aNote())).toStrictEqual(forgotten);
  });

  it('keeps spaces apart', async () => {
    const one = freshMemory();
    const other = freshMemory();
    await one.memory.remember(aNote());
    expect(await other.memory.load(ID)).toBeUndefined();
    expect(await other.memory.recall({ query: 'key', limit: 5 })).toStrictEqual([]);
  });
});

describe('recall and list', () => {
  it('find what was remembered, and no longer once it is forgotten', async () => {
    const { memory } = freshMemory();
    const key = await memory.remember(aNote());
    const milk = await memory.remember(aNote({ text: 'Buy MILK', tags: [], effectId: 'con-2#0', now: NOW + 1 }));
    expect(await memory.recall({ query: 'where is the key?', limit: 5 })).toStrictEqual([key]);
    expect(await memory.list({ limit: 5 })).toStrictEqual({ objects: [milk, key] });
    await memory.forget({ id: key.id, signalId: 'con-3', now: NOW + 2 });
    expect(await memory.recall({ query: 'where is the key?', limit: 5 })).toStrictEqual([]);
    expect(await memory.list({ limit: 5 })).toStrictEqual({ objects: [milk] });
  });

  it('page, and never give more than the bound', async () => {
    const { memory } = freshMemory();
    for (let n = 0; n < MEMORY_RESULTS_MAX + 3; n += 1)
      await memory.remember(aNote({ text: `note ${n}`, effectId: `con-${n}#0`, now: NOW + n }));
    const first = await memory.list({ limit: 1_000 });
    expect(first.objects).toHaveLength(MEMORY_RESULTS_MAX);
    const rest = await memory.list({ limit: 1_000, cursor: first.cursor });
    expect(rest.objects.map((object) => object.content)).toStrictEqual(['note 2', 'note 1', 'note 0']);
    expect(rest.cursor).toBeUndefined();
    expect(await memory.recall({ query: 'note', limit: 1_000 })).toHaveLength(MEMORY_RESULTS_MAX);
  });
});

describe('forget', () => {
  const forgetId = (by = 'con-2', now = NOW + 5) => ({ id: ID, signalId: by, effectId: `${by}#0`, now });
  const update = (content: string, n: number) => ({
    by: { signalId: `con-${n}`, effectId: `con-${n}#0`, actor: 'agent', now: NOW + n },
    edits: () => [{ kind: 'update', id: ID, content, origin: 'owner' } as const],
  });

  it('erases the object and every version, keeps hashes and a tombstone', async () => {
    const { space, memory } = freshMemory();
    const first = await memory.remember(aNote());
    await memory.edit(update('The spare key is with Anna', 7));
    const second = await memory.load(ID);
    const tombstone = { forgottenAt: NOW + 5, bySignal: 'con-2' };
    const forgotten = await memory.forget(forgetId());
    if (second === undefined) throw new Error('the second version is missing');
    expect(forgotten).toStrictEqual({ ...buildForgotten(second, tombstone), commit: 3 });
    expect(await rowsOf(space)).toStrictEqual([
      { ...forgotten, pk: `memory#${space}`, sk: `object#${ID}` },
      { ...buildForgotten(first, tombstone), pk: `memory#${space}`, sk: `version#${ID}#c0000000001` },
      { ...buildForgotten(second, tombstone), pk: `memory#${space}`, sk: `version#${ID}#c0000000002` },
      { ...forgotten, pk: `memory#${space}`, sk: `version#${ID}#c0000000003` },
    ]);
    expect(JSON.stringify(await rowsOf(space))).not.toMatch(/key|pot|Anna|home/);
  });

  it('gives the first tombstone again when repeated, by whomever', async () => {
    const { memory } = freshMemory();
    await memory.remember(aNote());
    const first = await memory.forget(forgetId());
    expect(await memory.forget(forgetId('con-3', NOW + 9))).toStrictEqual(first);
    expect(await memory.forget(forgetId())).toStrictEqual(first);
    expect((await memory.head()).number).toBe(2);
  });

  it('finishes what a crash after the first write left; until then no path shows it', async () => {
    const { space, memory } = freshMemory();
    await memory.remember(aNote());
    const crashing: Table = { ...dynamo.table, put: () => Promise.reject(new UnavailableError('the table')) };
    await expect(buildMemory(crashing, space).forget(forgetId())).rejects.toThrow(UnavailableError);
    expect(JSON.stringify(await rowsOf(space))).toContain('spare key');
    expect((await memory.loadAsOf(ID, 1))?.state).toBe('forgotten');
    expect(JSON.stringify([...(await memory.viewAsOf(1)).values()])).not.toContain('spare key');
    await memory.forget(forgetId('con-2', NOW + 50));
    expect(JSON.stringify(await rowsOf(space))).not.toContain('spare key');
  });

  it('knows no object of another id', async () => {
    const { memory } = freshMemory();
    expect(await memory.forget({ id: 'f'.repeat(32), signalId: 'con-2', now: NOW })).toBeUndefined();
  });

  /** Another writer who changes the object between this one's read and its write, so many times. */
  const contested = (space: string, times: number): Table => {
    let left = times;
    const other = buildMemory(dynamo.table, space);
    return {
      ...dynamo.table,
      transact: async (writes) => {
        if (left > 0) {
          left -= 1;
          await other.edit(update(`changed ${left}`, 100 + left));
        }
        await dynamo.table.transact(writes);
      },
    };
  };
  const atOnce = { sleep: () => Promise.resolve() };

  it('reads again when another writer came between, and builds on that', async () => {
    const { space, memory } = freshMemory();
    await memory.remember(aNote());
    let conflicts = 0;
    const onConflict = () => {
      conflicts += 1;
    };
    const forgotten = await buildMemory(contested(space, 2), space, { ...atOnce, onConflict }).forget(forgetId());
    expect([forgotten?.version, conflicts]).toStrictEqual([3, 2]);
    expect(await memory.load(ID)).toStrictEqual(forgotten);
  });

  it('gives up, to be tried later, when others never stop', async () => {
    const { space, memory } = freshMemory();
    await memory.remember(aNote());
    const busy = buildMemory(contested(space, MEMORY_COMMIT_TRIES_MAX), space, atOnce);
    await expect(busy.forget(forgetId())).rejects.toThrow(ContendedError);
    expect((await memory.load(ID))?.state).toBe('live');
  });
});

describe('load', () => {
  it('refuses an item of a schema version this release does not know', async () => {
    const { space, memory } = freshMemory();
    const key = memoryKeys.object(space, ID);
    await dynamo.table.put(key, { ...buildNote(aNote()), schemaVersion: 3 });
    const refusal = new StoredItemError(`${key.pk} ${key.sk}`, 'schema version 3 is not known to this release');
    await expect(memory.load(ID)).rejects.toThrow(refusal);
    await expect(memory.recall({ query: 'key', limit: 1 })).rejects.toThrow(refusal);
  });

  it('refuses a cursor of another list', async () => {
    const { memory } = freshMemory();
    await expect(memory.list({ limit: 1, cursor: 'x' })).rejects.toThrow(ProtocolError);
  });
});
