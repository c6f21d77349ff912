import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../../lib/core/base/errors.ts';
import { buildMaker } from '../../../lib/core/memory/change-memory.ts';
import type { CommitRecord } from '../../../lib/core/memory/commit.ts';
import type { ObjectChange } from '../../../lib/core/memory/commit-writes.ts';
import { applyEdits, type Edit } from '../../../lib/core/memory/edit.ts';
import { runReading } from '../../../lib/core/memory/forest.ts';
import { MEMORY_CHILDREN_MAX, MEMORY_DEPTH_MAX } from '../../../lib/core/memory/limits.ts';
import { buildForgotten, type LiveObject, type MemoryObject, memoryIdOf } from '../../../lib/core/memory/object.ts';
import { planRollback } from '../../../lib/core/memory/rollback.ts';
import { fc } from '../../support/fast-check.ts';
import { checkObjects, plainTrees } from './check-objects.ts';
import { aNode, NONCE, NOW } from './notes.ts';
import { buildPlainModel } from './plain-model.ts';
import { playStep, randomSteps } from './random-edits.ts';

/** A space without a store: what is current, and every state it had. */
const buildWorld = () => {
  const current = new Map<string, MemoryObject>();
  const states: ReadonlyMap<string, MemoryObject>[] = [new Map()];
  const records: CommitRecord[] = [];
  const read = (ids: readonly string[]) => {
    const found = new Map<string, MemoryObject>();
    for (const id of ids) {
      const object = current.get(id);
      if (object !== undefined) found.set(id, object);
    }
    return Promise.resolve(found);
  };
  const save = (changes: readonly ObjectChange[]) => {
    const number = states.length;
    for (const { before, after } of changes) {
      expect(current.get(after.id)).toStrictEqual(before);
      current.set(after.id, { ...after, commit: number });
    }
    states.push(new Map(current));
    records.push({
      number,
      previous: '',
      at: NOW,
      signalId: `s${number}`,
      effectId: `e${number}`,
      actor: 'agent',
      kind: 'write',
      changes: changes.map(({ after }) => ({ id: after.id, oldHash: null, newHash: null, version: after.version })),
    });
    return changes;
  };
  const makerOf = () =>
    buildMaker({ signalId: `s${states.length}`, effectId: `e${states.length}`, actor: 'agent', now: NOW }, () => NONCE);
  return {
    current,
    states,
    makerOf,
    edit: async (edits: readonly Edit[], maker = makerOf(), onHash?: (id: string) => void) =>
      save(await runReading(applyEdits(edits, maker, onHash), read)),
    rollback: async (target: number) => {
      const ids = [...new Set(records.slice(target).flatMap(({ changes }) => changes.map(({ id }) => id)))];
      const affected = ids.flatMap((id) => {
        const now = current.get(id);
        return now === undefined ? [] : [{ now, was: states[target]?.get(id) }];
      });
      const { plan, changes } = await runReading(
        planRollback(target, records.length, affected, records.slice(target)),
        read,
      );
      save(changes);
      return plan;
    },
    /** Erases words in every state, as a store does after a forget. */
    erase: () => {
      for (const [n, state] of states.entries())
        states[n] = new Map(
          [...state].map(([id, object]) => {
            const now = current.get(id);
            return [id, now?.state === 'forgotten' ? buildForgotten(object, now.tombstone) : object];
          }),
        );
    },
  };
};

const node = (n: number, content = `node ${n}`): LiveObject => aNode(memoryIdOf('test', n + 1), content);
const idOf = (n: number): string => node(n).id;
const create = (n: number, parent?: number, before?: number): Edit => ({
  kind: 'create',
  object: node(n),
  place: {
    parentId: parent === undefined ? undefined : idOf(parent),
    before: before === undefined ? undefined : idOf(before),
  },
});

describe('applyEdits', () => {
  it('keeps every invariant, and equals the plain model at every commit, whatever is done', async () => {
    await fc.assert(
      fc.asyncProperty(randomSteps(14, MEMORY_CHILDREN_MAX + 20), async (steps) => {
        const world = buildWorld();
        const model = buildPlainModel();
        for (const [n, step] of steps.entries()) {
          if (step.op === 'rollback') {
            const target = step.back % world.states.length;
            await world.rollback(target);
            model.rollback(target);
          } else {
            const maker = world.makerOf();
            const edits = playStep(model, step, maker, `text ${n}`);
            if (edits === undefined) continue;
            await world.edit(edits, maker);
            if (step.op === 'forget') world.erase();
          }
          checkObjects(world.current);
          expect(plainTrees(world.current)).toStrictEqual(model.trees());
        }
        for (const [commit, state] of world.states.entries())
          expect(plainTrees(state)).toStrictEqual(model.trees(commit));
      }),
      { numRuns: 120 },
    );
  });

  it('brings back the very hashes a rollback goes to, where nothing was forgotten', async () => {
    const noForgetting = randomSteps(10, MEMORY_CHILDREN_MAX + 20).map((steps) =>
      steps.filter(({ op }) => op !== 'forget'),
    );
    await fc.assert(
      fc.asyncProperty(noForgetting, async (steps) => {
        const world = buildWorld();
        const model = buildPlainModel();
        for (const [n, step] of steps.entries()) {
          if (step.op === 'rollback') continue;
          const maker = world.makerOf();
          const edits = playStep(model, step, maker, `text ${n}`);
          if (edits !== undefined) await world.edit(edits, maker);
        }
        const hashes = (state: ReadonlyMap<string, MemoryObject> | undefined) =>
          [...(state ?? [])]
            .flatMap(([id, object]) => (object.state === 'live' ? [`${id} ${object.hash}`] : []))
            .sort();
        for (let target = world.states.length - 1; target >= 0; target -= 1) {
          const was = hashes(world.states[target]);
          await world.rollback(target);
          expect(hashes(world.current)).toStrictEqual(was);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('re-hashes exactly the ancestors of what changes', async () => {
    const world = buildWorld();
    await world.edit([create(0), create(1, 0), create(2, 1), create(3, 2), create(4, 2), create(5, 1), create(6)]);
    const hashed: string[] = [];
    const edit: Edit = { kind: 'update', id: idOf(3), content: 'other', origin: 'owner' };
    const written = await world.edit([edit], undefined, (id) => hashed.push(id));
    expect(hashed).toStrictEqual([3, 2, 1, 0].map(idOf));
    expect(written.map(({ after }) => after.id).sort()).toStrictEqual([0, 1, 2, 3].map(idOf).sort());
    expect(written.map(({ after }) => after.version).sort()).toStrictEqual([1, 1, 1, 2]);
  });

  it('keeps a wide node in small pieces: 2,000 children, and a change touches few small objects', async () => {
    const world = buildWorld();
    await world.edit([create(0)]);
    for (let first = 1; first < 2_000; first += 500)
      await world.edit(Array.from({ length: 500 }, (_, n) => create(first + n, 0)));
    checkObjects(world.current);
    const written = await world.edit([{ kind: 'update', id: idOf(7), content: 'other', origin: 'owner' }]);
    expect(written.length).toBeLessThanOrEqual(4);
    const inserted = await world.edit([create(9_000, 0, 1_000)]);
    expect(inserted.length).toBeLessThanOrEqual(60);
    checkObjects(world.current);
  });

  it('keeps the order of what is put in at the front, one by one', async () => {
    const world = buildWorld();
    await world.edit([create(0), create(1, 0)]);
    for (let n = 2; n < MEMORY_CHILDREN_MAX + 80; n += 1) await world.edit([create(n, 0, n - 1)]);
    checkObjects(world.current);
    const [tree] = plainTrees(world.current);
    const expected = Array.from({ length: MEMORY_CHILDREN_MAX + 79 }, (_, n) => `node ${MEMORY_CHILDREN_MAX + 79 - n}`);
    expect(tree?.children.map(({ text }) => text)).toStrictEqual(expected);
  });

  const refused: readonly (readonly [string, readonly Edit[], string])[] = [
    ['an unknown parent', [create(9, 77)], `memory has no object ${idOf(77)}`],
    ['an id that is there', [create(0)], `memory has an object ${idOf(0)} already`],
    ['a sibling of another parent', [create(8, 1, 1)], `the object ${idOf(1)} is no child of ${idOf(1)}`],
    [
      'a circle',
      [{ kind: 'move', id: idOf(0), place: { parentId: idOf(2) } }],
      'an object cannot be moved under itself',
    ],
    [
      'another version than expected',
      [{ kind: 'update', id: idOf(1), content: 'x', origin: 'owner', expectedVersion: 3 }],
      `the object ${idOf(1)} has version 1 by now, not 3`,
    ],
    ['removing what is not there', [{ kind: 'remove', id: idOf(50) }], `memory has no object ${idOf(50)}`],
    [
      'content that does not fit',
      [{ kind: 'update', id: idOf(1), content: 'x'.repeat(40_000), origin: 'owner' }],
      'a memory object does not fit: content',
    ],
  ];
  it.each(refused)('refuses %s and changes nothing', async (_, edits, problem) => {
    const world = buildWorld();
    await world.edit([create(0), create(1, 0), create(2, 1)]);
    const before = new Map(world.current);
    await expect(world.edit(edits)).rejects.toThrow(new ProtocolError(problem));
    expect(world.current).toStrictEqual(before);
  });

  it('never writes over an object whose id a new one or a bucket would get: refused, and nothing is changed (property)', async () => {
    const count = MEMORY_CHILDREN_MAX + 120;
    const under = Array.from({ length: count }, (_, n) => create(n + 1, 0));
    const buckets = async () => {
      const world = buildWorld();
      await world.edit([create(0), ...under]);
      return [...world.current.values()].filter(({ type }) => type === 'bucket').length;
    };
    const made = await buckets();
    expect(made).toBeGreaterThan(2);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: made }),
        fc.constantFrom('live', 'forgotten', 'removed', 'same commit'),
        async (nth, state) => {
          const world = buildWorld();
          const taken = { ...node(0, 'mine'), id: memoryIdOf('e1', nth) };
          const first: Edit = { kind: 'create', object: taken, place: {} };
          if (state !== 'same commit') await world.edit([first]);
          if (state === 'forgotten') await world.edit([{ kind: 'forget', id: taken.id }]);
          if (state === 'removed') await world.edit([{ kind: 'remove', id: taken.id }]);
          const before = new Map(world.current);
          const maker = buildMaker({ signalId: 's1', effectId: 'e1', actor: 'agent', now: NOW }, () => NONCE);
          const edits = [...(state === 'same commit' ? [first] : []), create(0), ...under];
          const written = world.edit(edits, maker);
          if (state === 'removed') {
            await written;
            expect(world.current.get(taken.id)).toMatchObject({ type: 'bucket', version: 2 });
            checkObjects(world.current);
          } else {
            await expect(written).rejects.toThrow(new ProtocolError(`memory has an object ${taken.id} already`));
            expect(world.current).toStrictEqual(before);
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it('refuses a tree that is too deep, by creating and by moving', async () => {
    const world = buildWorld();
    const chain = (first: number, count: number): Edit[] =>
      Array.from({ length: count }, (_, n) => create(first + n, n === 0 ? undefined : first + n - 1));
    await world.edit(chain(0, MEMORY_DEPTH_MAX));
    const tooDeep = new ProtocolError(`a tree of memory has at most ${MEMORY_DEPTH_MAX} levels`);
    await expect(world.edit([create(100, MEMORY_DEPTH_MAX - 1)])).rejects.toThrow(tooDeep);
    await world.edit(chain(200, 2));
    const move: Edit = { kind: 'move', id: idOf(200), place: { parentId: idOf(MEMORY_DEPTH_MAX - 2) } };
    await expect(world.edit([move])).rejects.toThrow(tooDeep);
  });

  it('never lets an origin improve (I13), and gives an update a new nonce and version', async () => {
    const world = buildWorld();
    await world.edit([create(0)]);
    await world.edit([{ kind: 'update', id: idOf(0), content: 'from a web page', origin: 'outside' }]);
    await world.edit([{ kind: 'update', id: idOf(0), content: 'mended', origin: 'owner' }]);
    expect(world.current.get(idOf(0))).toMatchObject({ origin: 'outside', version: 3, content: 'mended' });
  });
});

describe('planRollback', () => {
  it('says what would change, by whom, and what stays forgotten', async () => {
    const world = buildWorld();
    await world.edit([create(0), create(1, 0), create(2, 0), create(3, 0)]);
    await world.edit([{ kind: 'update', id: idOf(1), content: 'changed', origin: 'owner' }]);
    await world.edit([create(4, 0)]);
    await world.edit([{ kind: 'remove', id: idOf(2) }]);
    await world.edit([{ kind: 'forget', id: idOf(3) }]);
    const { lines, orphans, target, head } = await world.rollback(1);
    expect({ orphans, target, head }).toStrictEqual({ orphans: [], target: 1, head: 5 });
    expect(lines).toStrictEqual([
      { id: idOf(1), type: 'headline', title: 'changed', what: 'restored', changedBy: ['s2'] },
      { id: idOf(4), type: 'headline', title: 'node 4', what: 'removed', changedBy: ['s3'] },
      { id: idOf(2), type: 'headline', title: 'node 2', what: 'brought-back', changedBy: ['s4'] },
      { id: idOf(3), type: 'headline', title: '', what: 'stays-forgotten', changedBy: ['s5'] },
    ]);
    checkObjects(world.current);
  });

  it('makes a root of what was saved from under something forgotten', async () => {
    const world = buildWorld();
    await world.edit([create(0), create(1, 0), create(2, 1)]);
    await world.edit([{ kind: 'move', id: idOf(2), place: {} }]);
    await world.edit([{ kind: 'forget', id: idOf(1) }]);
    const { orphans } = await world.rollback(1);
    expect(orphans).toStrictEqual([idOf(2)]);
    checkObjects(world.current);
    expect(plainTrees(world.current)).toStrictEqual([
      { text: 'node 0', children: [{ text: '(forgotten)', children: [] }] },
      { text: 'node 2', children: [] },
    ]);
  });
});
