/**
 * What memory tells of its past: versions and who wrote them, differences, linked records; and a
 * recovery that dies itself.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProtocolError } from '../../../lib/core/base/errors.ts';
import { MEMORY_COMMIT_OBJECTS_MAX } from '../../../lib/core/base/limits.ts';
import {
  type By,
  commitRecordHash,
  joinRecords,
  MEMORY_RECORD_CHANGES_MAX,
  splitRecord,
} from '../../../lib/core/memory/commit.ts';
import type { Edit } from '../../../lib/core/memory/edit.ts';
import { MEMORY_CHILDREN_MAX } from '../../../lib/core/memory/limits.ts';
import { buildMemory } from '../../../lib/core/memory/memory.ts';
import { memoryIdOf } from '../../../lib/core/memory/object.ts';
import { MEMORY_LEASE_MS } from '../../../lib/core/memory/write.ts';
import type { Table } from '../../../lib/core/store/table.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { checkObjects, plainTrees } from './check-objects.ts';
import { aNode, NOW } from './notes.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());

let spaces = 0;
const freshSpace = (): string => {
  spaces += 1;
  return `history-${spaces}`;
};
const by = (n: number): By => ({ signalId: `con-${n}`, effectId: `con-${n}#0`, actor: `actor ${n}`, now: NOW + n });
const idOf = (n: number): string => memoryIdOf('history', n + 1);
const create = (n: number, parent?: number): Edit => ({
  kind: 'create',
  object: aNode(idOf(n), `node ${n}`, {
    scope: 'project',
    attributes: { title: `title ${n}`, tags: [], todo: 'TODO' },
    signalId: 'con-1',
    effectId: 'con-1#0',
  }),
  place: { parentId: parent === undefined ? undefined : idOf(parent) },
});
const update = (n: number, content: string): Edit => ({ kind: 'update', id: idOf(n), content, origin: 'owner' });

const prepare = async () => {
  const memory = buildMemory(dynamo.table, freshSpace());
  await memory.edit({ by: by(1), edits: () => [create(0), create(1, 0), create(2, 0)] });
  await memory.edit({ by: by(2), edits: () => [update(1, 'changed')] });
  await memory.edit({ by: by(3), edits: () => [{ kind: 'remove', id: idOf(2) }] });
  return memory;
};

describe('audit', () => {
  it('names every version with its commit, and who wrote it', async () => {
    const memory = await prepare();
    const audit = await memory.audit(idOf(1));
    const hash = (await memory.load(idOf(1)))?.hash;
    const first = (await memory.loadAsOf(idOf(1), 1))?.hash;
    const own = (n: number) => ({ bySignal: `con-${n}`, byEffect: `con-${n}#0` });
    const commit = (n: number) => ({
      commit: n,
      at: NOW + n,
      kind: 'write',
      signalId: `con-${n}`,
      effectId: `con-${n}#0`,
      actor: `actor ${n}`,
    });
    expect(audit).toStrictEqual({
      id: idOf(1),
      type: 'headline',
      scope: 'project',
      state: 'live',
      hash,
      parentId: idOf(0),
      versions: [
        { version: 1, state: 'live', hash: first, ...own(1), ...commit(1) },
        { version: 2, state: 'live', hash, ...own(2), ...commit(2) },
      ],
    });
    expect(await memory.audit('f'.repeat(32))).toBeUndefined();
  });
});

describe('diff, outline and linkedRecords', () => {
  it('tell what differs, without ancestors that only list it', async () => {
    const memory = await prepare();
    const forth = await memory.diff(1, 3);
    expect(forth.map(({ id, before, after }) => [id, before?.version, after?.version])).toStrictEqual([
      [idOf(1), 1, 2],
      [idOf(2), 1, undefined],
    ]);
    expect((await memory.diff(3, 1)).map(({ after }) => after?.version)).toStrictEqual([1, 1]);
    await expect(memory.diff(1, 4)).rejects.toThrow(new ProtocolError('memory has commits 0 to 3'));
  });

  it('show trees of titles, now and then, without what is hidden and all below it', async () => {
    const memory = await prepare();
    const node = (n: number, children: readonly unknown[] = []) => ({
      id: idOf(n),
      type: 'headline',
      scope: 'project',
      title: `title ${n}`,
      tags: [],
      todo: 'TODO',
      isForgotten: false,
      children,
    });
    expect(await memory.outline()).toStrictEqual([node(0, [node(1)])]);
    expect(await memory.outline({ asOf: 1 })).toStrictEqual([node(0, [node(1), node(2)])]);
    expect(await memory.outline({ rootId: idOf(1) })).toStrictEqual([node(1)]);
    expect(await memory.outline({ isHidden: ({ id }) => id === idOf(0) })).toStrictEqual([]);
    await memory.forget({ id: idOf(1), signalId: 'con-9', now: NOW });
    const { todo: _, ...gone } = { ...node(1), title: '', isForgotten: true };
    expect(await memory.outline({ asOf: 1 })).toStrictEqual([node(0, [gone, node(2)])]);
  });

  it('name signals, effects, objects and keys, also earlier ones, that whoever forgets has to look at', async () => {
    const memory = await prepare();
    const linked = {
      signals: ['con-1', 'con-2'],
      effects: ['con-1#0', 'con-2#0'],
      objectIds: [idOf(0), idOf(1)],
    };
    expect(await memory.linkedRecords(idOf(0))).toStrictEqual({ ...linked, keys: [] });
    for (const [n, key] of ['first', 'second'].entries()) {
      const attributes = { tags: [], key };
      const edit = { kind: 'update', id: idOf(1), attributes, origin: 'owner' } as const;
      await memory.edit({ by: by(20 + n), edits: () => [edit] });
    }
    expect((await memory.linkedRecords(idOf(0))).keys).toStrictEqual(['first', 'second']);
  });

  it('know that a removed object can still be forgotten, everywhere', async () => {
    const memory = await prepare();
    await memory.forget({ id: idOf(2), signalId: 'con-9', now: NOW });
    expect((await memory.loadAsOf(idOf(2), 1))?.state).toBe('forgotten');
    await memory.rollback({ to: 1, by: by(10) });
    const { objects } = await memory.view();
    checkObjects(objects);
    expect(JSON.stringify([...objects.values()])).not.toContain('node 2');
  });
});

describe('splitRecord', () => {
  it('cuts the changes of the largest commit into parts that join again', () => {
    const changes = Array.from({ length: MEMORY_COMMIT_OBJECTS_MAX }, (_, n) => ({
      id: idOf(n),
      oldHash: 'a'.repeat(64),
      newHash: 'b'.repeat(64),
      version: n + 1,
    }));
    const { now: at, ...rest } = by(1);
    const record = { number: 7, previous: 'c'.repeat(64), at, ...rest, kind: 'import' as const, changes };
    const split = splitRecord(record);
    expect(split.parts).toHaveLength(MEMORY_COMMIT_OBJECTS_MAX / MEMORY_RECORD_CHANGES_MAX);
    for (const part of split.parts) expect(JSON.stringify(part).length).toBeLessThan(300_000);
    const keyed = [split.record, ...split.parts].map((item, n) => ({
      ...item,
      pk: 'commit#s',
      sk: n === 0 ? 'record#0000000007' : `record#0000000007#${n - 1}`,
    }));
    const [joined] = joinRecords(keyed);
    expect(joined).toStrictEqual(record);
    expect(commitRecordHash(record)).toBe(split.hash);
  });
});

/** Dies after so many writes. */
const dying = (writesLeft: number): Table => {
  let left = writesLeft;
  const last = async <T>(operation: () => Promise<T>): Promise<T> => {
    if (left <= 0) throw new Error('dead');
    const result = await operation();
    left -= 1;
    if (left <= 0) throw new Error('dead');
    return result;
  };
  return {
    ...dynamo.table,
    put: (...args) => last(() => dynamo.table.put(...args)),
    update: (...args) => last(() => dynamo.table.update(...args)),
    transact: (...args) => last(() => dynamo.table.transact(...args)),
  };
};

describe('a big commit', () => {
  it('of 1,100 objects is one commit, seen whole or not at all', async () => {
    const space = freshSpace();
    const memory = buildMemory(dynamo.table, space);
    const reader = buildMemory(dynamo.table, space);
    const edits = Array.from({ length: 1_100 }, (_, n) => create(n, n === 0 ? undefined : 0));
    const sizes = new Set<number>();
    let isDone = false;
    const watch = async () => {
      while (!isDone) {
        sizes.add((await reader.view()).objects.size);
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    };
    const watching = watch();
    await memory.edit({ by: by(1), kind: 'import', edits: () => edits });
    isDone = true;
    await watching;
    const { objects } = await memory.view();
    checkObjects(objects);
    expect([...sizes].filter((size) => size !== 0 && size !== objects.size)).toStrictEqual([]);
    expect((await memory.commitsAfter(0, 5)).map(({ changes }) => changes.length)).toStrictEqual([objects.size]);
    await expect(
      memory.edit({ by: by(2), edits: () => Array.from({ length: 5_001 }, (_, n) => create(10_000 + n)) }),
    ).rejects.toThrow(new ProtocolError('one change of memory takes at most 5000 objects, this one has 5001'));
  });

  it('is put back by whoever comes, also when those die one after the other', async () => {
    const space = freshSpace();
    let now = NOW;
    const open = (table: Table = dynamo.table) => buildMemory(table, space, { now: () => now });
    const first = Array.from({ length: 30 }, (_, n) => create(n, n === 0 ? undefined : 0));
    await open().edit({ by: by(1), edits: () => first });
    const before = plainTrees((await open().view()).objects);
    const big = [
      ...first.map((_, n) => update(n, `half ${n}`)),
      ...Array.from({ length: 60 }, (_, n) => create(100 + n, 0)),
    ];
    await expect(open(dying(4)).edit({ by: by(2), edits: () => big })).rejects.toThrow('dead');
    for (let n = 0; n < 8; n += 1) {
      now += MEMORY_LEASE_MS + 1;
      await expect(open(dying(1 + n)).edit({ by: by(10 + n), edits: () => [update(0, `by ${n}`)] })).rejects.toThrow(
        'dead',
      );
      const seen = plainTrees((await open().view()).objects);
      const [root] = seen;
      expect(seen).toStrictEqual([{ ...before[0], text: root?.text }]);
      expect(root?.text).toMatch(/^(node 0|by \d)$/);
    }
    now += MEMORY_LEASE_MS + 1;
    const memory = open();
    await memory.edit({ by: by(30), edits: () => [update(0, 'at last')] });
    checkObjects((await memory.view()).objects);
    expect(plainTrees((await memory.view()).objects)).toStrictEqual([{ ...before[0], text: 'at last' }]);
    const kinds = (await memory.commitsAfter(1, 100)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'void')).toHaveLength(1);
  });

  it('is made by the next try of the same effect, buckets and all, wherever the first one died', async () => {
    const count = MEMORY_CHILDREN_MAX + 40;
    const edits = [create(0), ...Array.from({ length: count }, (_, n) => create(n + 1, 0))];
    for (const writes of [3, 7, 9]) {
      const space = freshSpace();
      await expect(
        buildMemory(dying(writes), space).edit({ by: by(1), kind: 'import', edits: () => edits }),
      ).rejects.toThrow('dead');
      const memory = buildMemory(dynamo.table, space);
      await memory.edit({ by: by(1), kind: 'import', edits: () => edits });
      const { objects } = await memory.view();
      checkObjects(objects);
      expect([...objects.values()].filter(({ type, state }) => type !== 'bucket' && state === 'live')).toHaveLength(
        count + 1,
      );
    }
  });
});
