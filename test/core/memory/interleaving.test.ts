/**
 * Writers whose every request is put in an order drawn by a seed; leases seem to run out at once,
 * so that they are taken over mid-way.
 */

import type { Scheduler } from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitRecordHash, NO_COMMIT_HASH } from '../../../lib/core/memory/commit.ts';
import { TRANSACTION_OBJECTS_MAX } from '../../../lib/core/memory/commit-writes.ts';
import type { Edit } from '../../../lib/core/memory/edit.ts';
import { buildMemory, type MemoryStore } from '../../../lib/core/memory/memory.ts';
import { memoryIdOf } from '../../../lib/core/memory/object.ts';
import { MEMORY_LEASE_MS } from '../../../lib/core/memory/write.ts';
import type { Table } from '../../../lib/core/store/table.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { fc } from '../../support/fast-check.ts';
import { checkObjects } from './check-objects.ts';
import { aNode, NOW } from './notes.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());

let spaces = 0;
const idOf = (n: number): string => memoryIdOf('interleaving', n + 1);
const create = (n: number, parent?: number): Edit => ({
  kind: 'create',
  object: aNode(idOf(n), `node ${n}`),
  place: { parentId: parent === undefined ? undefined : idOf(parent) },
});

/** Every request of a writer waits for its turn. */
const scheduled = (scheduler: Scheduler, table: Table): Table => {
  const turn = <T>(operation: () => Promise<T>): Promise<T> => scheduler.schedule(Promise.resolve()).then(operation);
  return {
    load: (...args) => turn(() => table.load(...args)),
    query: (...args) => turn(() => table.query(...args)),
    queryIndex: (...args) => turn(() => table.queryIndex(...args)),
    put: (...args) => turn(() => table.put(...args)),
    update: (...args) => turn(() => table.update(...args)),
    transact: (...args) => turn(() => table.transact(...args)),
  };
};

type Work = (memory: MemoryStore) => Promise<unknown>;
const by = (name: string) => ({ signalId: name, effectId: `${name}#0`, actor: name, now: NOW });
/** More than a transaction takes. */
const BIG = TRANSACTION_OBJECTS_MAX + 5;
const WORKS: readonly Work[] = [
  (memory) => memory.edit({ by: by('a'), edits: () => [create(1, 0)] }),
  (memory) =>
    memory.edit({ by: by('b'), edits: () => [{ kind: 'update', id: idOf(0), content: 'b', origin: 'owner' }] }),
  (memory) => memory.edit({ by: by('c'), edits: () => Array.from({ length: BIG }, (_, n) => create(100 + n, 0)) }),
  // The same effect as the first, tried by another process.
  (memory) => memory.edit({ by: by('a'), edits: () => [create(1, 0)] }),
];

describe('writers in any order of requests', () => {
  it('lose nothing, and each effect is there exactly once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        spaces += 1;
        const space = `interleaving-${spaces}`;
        let now = NOW;
        const options = {
          sleep: () => Promise.resolve(),
          now: () => {
            now += 2 * MEMORY_LEASE_MS;
            return now;
          },
        };
        await buildMemory(dynamo.table, space).edit({ by: by('start'), edits: () => [create(0)] });
        const table = scheduled(scheduler, dynamo.table);
        const all = Promise.allSettled(WORKS.map((work) => work(buildMemory(table, space, options))));
        await scheduler.waitFor(all);
        for (const one of await all)
          if (one.status === 'rejected') expect(String(one.reason)).toContain('not reachable right now');
        // Whoever was told to come again does.
        const memory = buildMemory(dynamo.table, space, options);
        for (const work of WORKS) await work(memory);
        const { objects } = await memory.view();
        checkObjects(objects);
        expect([...objects.values()].filter(({ type, state }) => type !== 'bucket' && state === 'live')).toHaveLength(
          2 + BIG,
        );
        expect(objects.get(idOf(0))).toMatchObject({ content: 'b', version: 2 });
        const head = await memory.head();
        const records = await memory.commitsAfter(0, head.number);
        expect(
          records
            .filter(({ kind }) => kind !== 'void')
            .map(({ effectId }) => effectId)
            .sort(),
        ).toStrictEqual(['a#0', 'b#0', 'c#0', 'start#0']);
        expect(records.map(({ number }) => number)).toStrictEqual(records.map((_, n) => n + 1));
        expect(records.map(({ previous }) => previous)).toStrictEqual([
          NO_COMMIT_HASH,
          ...records.slice(0, -1).map(commitRecordHash),
        ]);
      }),
      { numRuns: 12 },
    );
  });
});
