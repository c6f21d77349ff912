/** Memory needs as many requests however much it holds, and ten writers at once lose nothing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { By } from '../../../lib/core/memory/commit.ts';
import type { Edit } from '../../../lib/core/memory/edit.ts';
import { buildMemory } from '../../../lib/core/memory/memory.ts';
import { memoryIdOf } from '../../../lib/core/memory/object.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { countingTable } from './counting-table.ts';
import { aNode, aNote, NOW } from './notes.ts';
import { runWriters } from './ten-writers.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());

const by = (n: number): By => ({ signalId: `con-${n}`, effectId: `con-${n}#0`, actor: 'console', now: NOW + n });
const idOf = (n: number): string => memoryIdOf('requests', n + 1);
const create = (n: number): Edit => ({
  kind: 'create',
  object: aNode(idOf(n), `note ${n}`, { type: 'note' }),
  place: {},
});
const update = (n: number): Edit => ({ kind: 'update', id: idOf(n), content: `other ${n}`, origin: 'owner' });

describe('requests', () => {
  it('of a note, a warm view, a snapshot and a rollback depend on what changes, not on what is there', async () => {
    const counts = [];
    for (const size of [40, 400]) {
      const { counting, during } = countingTable(dynamo.table);
      const memory = buildMemory(counting, `requests-${String(size).padStart(4, '0')}`);
      for (let n = 0; n < size; n += 40)
        await memory.edit({ by: by(n), edits: () => Array.from({ length: 40 }, (_, m) => create(n + m)) });
      await memory.view();
      const note = await during(() => memory.remember(aNote({ effectId: 'note#0', signalId: 'note' })));
      const warm = await during(() => memory.view());
      const unchanged = await during(() => memory.view());
      const snapshot = await during(() => memory.snapshot({ name: 'here', by: by(1_001) }));
      await memory.edit({ by: by(1_002), edits: () => [1, 2, 3].map(update) });
      const rollback = await during(() => memory.rollback({ to: 'here', by: by(1_003) }));
      const recalled = await during(() => memory.recall({ query: 'key', limit: 5 }));
      counts.push({ note, warm, unchanged, snapshot, rollback, recalled });
    }
    const [small, large] = counts;
    const requests = (all: typeof small) =>
      Object.fromEntries(Object.entries(all ?? {}).map(([name, { reads, writes }]) => [name, [reads, writes]]));
    expect(requests(small)).toStrictEqual({
      note: [1, 1],
      warm: [3, 0],
      unchanged: [1, 0],
      snapshot: [1, 1],
      // Head and name, head and mark, records, objects, and a version of each.
      rollback: [8, 1],
      recalled: [3, 0],
    });
    expect(requests(large)).toStrictEqual(requests(small));
    expect(Math.abs((large?.note.bytes ?? 0) - (small?.note.bytes ?? 0))).toBeLessThanOrEqual(10);
  });
});

describe('a cold view', () => {
  it('is read once for all who ask at the same time', async () => {
    const { counting, during } = countingTable(dynamo.table);
    await buildMemory(counting, 'cold').edit({ by: by(1), edits: () => [1, 2, 3].map(create) });
    const alone = await during(() => buildMemory(counting, 'cold').view());
    const memory = buildMemory(counting, 'cold');
    const together = await during(() => Promise.all(Array.from({ length: 5 }, () => memory.view())));
    // Each reads the head.
    expect(together.reads).toBe(alone.reads + 4);
  });
});

describe('ten writers at once', () => {
  it('lose nothing', async () => {
    const result = await runWriters(dynamo.table, 'writers', 3_000);
    expect(result.faults).toStrictEqual([]);
    expect(result.commits).toBeGreaterThan(10);
  });
});
