import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProtocolError } from '../../../lib/core/base/errors.ts';
import type { By } from '../../../lib/core/memory/commit.ts';
import { longestRise, type TreeNode } from '../../../lib/core/memory/ingest.ts';
import { buildMemory, type MemoryStore } from '../../../lib/core/memory/memory.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { fc } from '../../support/fast-check.ts';
import { checkObjects, plainTrees } from './check-objects.ts';
import { NOW } from './notes.ts';
import type { PlainTree } from './plain-model.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());

let spaces = 0;
const freshMemory = (): MemoryStore => {
  spaces += 1;
  return buildMemory(dynamo.table, `ingest-${spaces}`);
};
const by = (n: number): By => ({ signalId: `con-${n}`, effectId: `con-${n}#0`, actor: 'console', now: NOW + n });

const tree = (key: string, children: readonly TreeNode[] = [], content = `text of ${key}`): TreeNode => ({
  key,
  type: key === 'doc' ? 'document' : 'headline',
  attributes: { title: key, tags: ['garden'] },
  content,
  children,
});
const plain = (node: TreeNode): PlainTree => ({ text: node.content, children: node.children.map(plain) });
const ingest = (memory: MemoryStore, n: number, node: TreeNode) =>
  memory.ingestTree({ by: by(n), tree: node, origin: 'owner' });

/** Ids and versions by key. */
const nodesOf = async (memory: MemoryStore) =>
  Object.fromEntries(
    [...(await memory.view()).objects.values()].flatMap((object) =>
      object.state === 'live' && object.type !== 'bucket'
        ? [[object.attributes.key ?? '', [object.id, object.version]] as const]
        : [],
    ),
  );

describe('ingestTree', () => {
  it('keeps ids and versions of what is the same, gives new versions to what changed, keeps ids of what moved', async () => {
    const memory = freshMemory();
    await ingest(memory, 1, tree('doc', [tree('a', [tree('a1'), tree('a2')]), tree('b'), tree('c')]));
    const before = await nodesOf(memory);
    const { counts } = await ingest(
      memory,
      2,
      tree('doc', [tree('c'), tree('a', [tree('a2', [], 'other words')]), tree('d', [tree('a1')])]),
    );
    expect(counts).toStrictEqual({ created: 1, updated: 1, moved: 2, removed: 1 });
    const after = await nodesOf(memory);
    const { d, ...kept } = after;
    expect(kept).toStrictEqual({ doc: before.doc, a: before.a, a1: before.a1, c: before.c, a2: [before.a2?.[0], 2] });
    expect(d?.[1]).toBe(1);
    const { objects } = await memory.view();
    checkObjects(objects);
    expect(plainTrees(objects)).toStrictEqual([
      plain(tree('doc', [tree('c'), tree('a', [tree('a2', [], 'other words')]), tree('d', [tree('a1')])])),
    ]);
  });

  it('commits nothing when the same tree comes again, and answers a repeat', async () => {
    const memory = freshMemory();
    const first = await ingest(memory, 1, tree('doc', [tree('a')]));
    expect((await ingest(memory, 2, tree('doc', [tree('a')]))).result).toStrictEqual({ state: 'unchanged' });
    expect(await ingest(memory, 1, tree('doc'))).toMatchObject({ rootId: first.rootId, result: { state: 'repeated' } });
    expect((await memory.head()).number).toBe(1);
  });

  it('leaves what was forgotten forgotten, and refuses a key that comes twice', async () => {
    const memory = freshMemory();
    await ingest(memory, 1, tree('doc', [tree('a'), tree('b')]));
    const id = String((await nodesOf(memory)).a?.[0]);
    await memory.forget({ id, signalId: 'con-2', now: NOW });
    await ingest(memory, 3, tree('doc', [tree('b'), tree('c')]));
    expect((await memory.load(id))?.state).toBe('forgotten');
    checkObjects((await memory.view()).objects);
    await expect(ingest(memory, 4, tree('doc', [tree('b'), tree('b')]))).rejects.toThrow(
      new ProtocolError('two nodes of a tree have the same key'),
    );
  });

  it('makes memory say what any tree says, after any other, in its order', async () => {
    const keys = Array.from({ length: 12 }, (_, n) => `k${n}`);
    /** A tree of some of the keys: each hangs under one before it. */
    const anyTree = fc
      .tuple(fc.shuffledSubarray(keys), fc.array(fc.nat(20), { minLength: 12, maxLength: 12 }), fc.nat(2))
      .map(([order, parents, salt]) => {
        const under = (parent: number): readonly TreeNode[] =>
          order.flatMap((key, n) =>
            n > parent && (parents[n] ?? 0) % (n + 1) === parent + 1 ? [tree(key, under(n), `${key} ${salt}`)] : [],
          );
        return tree('doc', under(-1));
      });
    await fc.assert(
      fc.asyncProperty(fc.array(anyTree, { minLength: 2, maxLength: 4 }), async (trees) => {
        const memory = freshMemory();
        for (const [n, one] of trees.entries()) {
          await ingest(memory, n, one);
          const { objects } = await memory.view();
          checkObjects(objects);
          expect(plainTrees(objects)).toStrictEqual([plain(one)]);
        }
      }),
      { numRuns: 10 },
    );
  });
});

describe('longestRise', () => {
  it('gives rising positions, and never fewer than a plain search finds', () => {
    const values = fc.array(fc.option(fc.nat(30), { nil: undefined }), { maxLength: 9 });
    fc.assert(
      fc.property(values, (list) => {
        const run = [...longestRise(list)].sort((a, b) => a - b).map((n) => list[n] ?? -1);
        expect(run.every((value, n) => value >= 0 && (n === 0 || value > (run[n - 1] ?? 0)))).toBe(true);
        const longest = (from: number, above: number): number =>
          from >= list.length
            ? 0
            : Math.max(
                longest(from + 1, above),
                list[from] !== undefined && (list[from] ?? -1) > above ? 1 + longest(from + 1, list[from] ?? -1) : 0,
              );
        expect(run.length).toBe(longest(0, -1));
      }),
    );
  });
});

describe('revertSignal', () => {
  it('undoes the commits of one signal, and leaves and names what others changed since', async () => {
    const memory = freshMemory();
    await ingest(memory, 1, tree('doc', [tree('a', [tree('a1')]), tree('b'), tree('c')]));
    const ids = await nodesOf(memory);
    const idOf = (key: string): string => String(ids[key]?.[0]);
    const before = plainTrees((await memory.view()).objects);
    const failing = { ...by(7), effectId: 'con-7#0' };
    const update = (key: string, content: string) =>
      ({ kind: 'update', id: idOf(key), content, origin: 'outside' }) as const;
    await memory.edit({ by: failing, edits: () => [update('a', 'bad'), update('c', 'bad too')] });
    await memory.edit({
      by: { ...failing, effectId: 'con-7#1' },
      edits: () => [
        { kind: 'remove', id: idOf('b') },
        { kind: 'move', id: idOf('a1'), place: { parentId: idOf('doc') } },
      ],
    });
    await memory.edit({ by: by(8), edits: () => [update('c', 'mended by another')] });
    const { left, result } = await memory.revertSignal({ signalId: 'con-7', by: by(9) });
    expect(result.state).toBe('committed');
    expect(left).toStrictEqual([{ id: idOf('c'), because: 'changed since' }]);
    const { objects } = await memory.view();
    checkObjects(objects);
    expect(objects.get(idOf('a'))).toMatchObject({ content: 'text of a', origin: 'owner', version: 3 });
    expect(objects.get(idOf('a1'))?.parentId).toBe(idOf('a'));
    expect(objects.get(idOf('b'))).toMatchObject({ content: 'text of b' });
    expect(objects.get(idOf('c'))).toMatchObject({ content: 'mended by another' });
    expect(before).toHaveLength(1);
    expect(await memory.revertSignal({ signalId: 'con-99', by: by(10) })).toStrictEqual({
      left: [],
      result: { state: 'unchanged' },
    });
  });

  it('removes what the signal made, but not where others have put something below it', async () => {
    const memory = freshMemory();
    await ingest(memory, 1, tree('doc', [tree('a'), tree('b')]));
    const mine = await nodesOf(memory);
    await ingest(memory, 2, tree('doc', [tree('a'), tree('b'), tree('x'), tree('y', [tree('y1')])]));
    const ids = await nodesOf(memory);
    const move = { kind: 'move', id: String(mine.b?.[0]), place: { parentId: String(ids.y?.[0]) } } as const;
    await memory.edit({ by: by(3), edits: () => [move] });
    const { left } = await memory.revertSignal({ signalId: 'con-2', by: by(4) });
    expect(left).toStrictEqual([{ id: ids.y?.[0], because: 'changed since' }]);
    expect(Object.keys(await nodesOf(memory)).sort()).toStrictEqual(['a', 'b', 'doc', 'y']);
    checkObjects((await memory.view()).objects);
  });
});
