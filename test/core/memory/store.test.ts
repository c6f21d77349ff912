/**
 * Commits over the real table: crashes at every operation, big commits through the lease, writers
 * side by side, time travel.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ContendedError, ProtocolError } from '../../../lib/core/base/errors.ts';
import { type By, commitRecordHash, NO_COMMIT_HASH } from '../../../lib/core/memory/commit.ts';
import { TRANSACTION_OBJECTS_MAX } from '../../../lib/core/memory/commit-writes.ts';
import type { Edit } from '../../../lib/core/memory/edit.ts';
import { commitKeys } from '../../../lib/core/memory/keys.ts';
import { buildMemory, type MemoryOptions, type MemoryStore } from '../../../lib/core/memory/memory.ts';
import { memoryIdOf } from '../../../lib/core/memory/object.ts';
import { MEMORY_LEASE_MS } from '../../../lib/core/memory/write.ts';
import type { Table } from '../../../lib/core/store/table.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { fc } from '../../support/fast-check.ts';
import { checkObjects, plainTrees } from './check-objects.ts';
import { aNode, NONCE, NOW } from './notes.ts';
import { buildPlainModel } from './plain-model.ts';
import { playStep, randomSteps } from './random-edits.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());

let spaces = 0;
const freshSpace = (): string => {
  spaces += 1;
  return `store-${spaces}`;
};
const openMemory = (space: string, options: MemoryOptions = {}, table: Table = dynamo.table): MemoryStore =>
  buildMemory(table, space, { sleep: () => Promise.resolve(), ...options });
const by = (n: number | string, now = NOW): By => ({
  signalId: `con-${n}`,
  effectId: `con-${n}#0`,
  actor: 'console',
  now,
});

const node = (n: number, content = `node ${n}`) => aNode(memoryIdOf('store', n + 1), content);
const idOf = (n: number): string => node(n).id;
const create = (n: number, parent?: number): Edit => ({
  kind: 'create',
  object: node(n),
  place: { parentId: parent === undefined ? undefined : idOf(parent) },
});
const update = (n: number, content: string): Edit => ({ kind: 'update', id: idOf(n), content, origin: 'owner' });
/** More objects than a transaction takes, under one root. */
const MANY = TRANSACTION_OBJECTS_MAX + 12;
const many = (first = 0): readonly Edit[] =>
  Array.from({ length: MANY }, (_, n) => create(first + n, n === 0 ? undefined : first));

class Crash extends Error {}

/** A process that dies right after its k-th write, whose answer it never sees. */
const crashing = (table: Table, k: number) => {
  let writes = 0;
  const run = async <T>(isWrite: boolean, operation: () => Promise<T>): Promise<T> => {
    if (writes >= k) throw new Crash();
    const result = await operation();
    if (isWrite) writes += 1;
    if (writes >= k) throw new Crash();
    return result;
  };
  const dying: Table = {
    load: (...args) => run(false, () => table.load(...args)),
    query: (...args) => run(false, () => table.query(...args)),
    queryIndex: (...args) => run(false, () => table.queryIndex(...args)),
    put: (...args) => run(true, () => table.put(...args)),
    update: (...args) => run(true, () => table.update(...args)),
    transact: (...args) => run(true, () => table.transact(...args)),
  };
  return { dying, writes: () => writes };
};

const treesOf = async (memory: MemoryStore) => plainTrees((await memory.view()).objects);

/**
 * The chain of commits: dense numbers, each naming the one before by its hash, and the head at its
 * end.
 */
const checkChain = async (memory: MemoryStore): Promise<void> => {
  const head = await memory.head();
  const records = await memory.commitsAfter(0, head.number);
  let previous = NO_COMMIT_HASH;
  for (const [n, record] of records.entries()) {
    expect([record.number, record.previous]).toStrictEqual([n + 1, previous]);
    previous = commitRecordHash(record);
  }
  expect([records.length, previous]).toStrictEqual([head.number, head.hash]);
};

describe('commits', () => {
  it('names the change by ids and hashes alone', async () => {
    const memory = openMemory(freshSpace());
    await memory.edit({ by: by(1), edits: () => [create(0), create(1, 0)] });
    const result = await memory.edit({ by: by(2, NOW + 5), edits: () => [update(1, 'very private words')] });
    const [first, second] = await memory.commitsAfter(0, 10);
    if (first === undefined || second === undefined) throw new Error('a record is missing');
    expect(result).toStrictEqual({ state: 'committed', record: second, hash: commitRecordHash(second) });
    const objects = (await memory.view()).objects;
    expect(second).toStrictEqual({
      number: 2,
      previous: commitRecordHash(first),
      at: NOW + 5,
      signalId: 'con-2',
      effectId: 'con-2#0',
      actor: 'console',
      kind: 'write',
      changes: [
        { id: idOf(1), oldHash: first.changes[1]?.newHash, newHash: objects.get(idOf(1))?.hash, version: 2 },
        { id: idOf(0), oldHash: first.changes[0]?.newHash, newHash: objects.get(idOf(0))?.hash, version: 1 },
      ],
    });
    expect(JSON.stringify(second)).not.toContain('private');
    await checkChain(memory);
  });

  it('makes one commit for one effect, however often it is tried', async () => {
    const memory = openMemory(freshSpace());
    const request = { by: by(1), edits: () => [create(0)] };
    const first = await memory.edit(request);
    const again = await memory.edit({ ...request, edits: () => [create(5)] });
    expect(again).toStrictEqual({ state: 'repeated', record: first.state === 'committed' ? first.record : undefined });
    expect((await memory.head()).number).toBe(1);
  });

  it('loses no update where a batch read sees an object older than the head it sees', async () => {
    const space = freshSpace();
    const other = openMemory(space);
    await other.edit({ by: by(1), edits: () => [create(0), create(1, 0)] });
    let isFirst = true;
    const torn: Table = {
      ...dynamo.table,
      load: async (keys, options) => {
        const [head, ...rest] = keys;
        if (!isFirst || head?.sk !== 'head' || rest.length === 0) return dynamo.table.load(keys, options);
        isFirst = false;
        const objects = await dynamo.table.load(rest, options);
        await other.edit({ by: by(2), edits: () => [update(1, 'by another')] });
        return [...(await dynamo.table.load([head], options)), ...objects];
      },
    };
    let conflicts = 0;
    const onConflict = () => {
      conflicts += 1;
    };
    const tags: Edit = { kind: 'update', id: idOf(1), attributes: { tags: ['mine'] }, origin: 'owner' };
    await openMemory(space, { onConflict }, torn).edit({ by: by(3), edits: () => [tags] });
    expect([isFirst, conflicts]).toStrictEqual([false, 1]);
    expect(await other.load(idOf(1))).toMatchObject({
      content: 'by another',
      attributes: { tags: ['mine'] },
      version: 3,
    });
    checkObjects((await other.view()).objects);
  });

  it('commits nothing where nothing changes', async () => {
    const memory = openMemory(freshSpace());
    expect(await memory.edit({ by: by(1), edits: () => [] })).toStrictEqual({ state: 'unchanged' });
    expect((await memory.head()).number).toBe(0);
  });
});

describe('crashes', () => {
  const scenarios: readonly (readonly [string, (memory: MemoryStore) => Promise<unknown>])[] = [
    ['a small commit', (memory) => memory.edit({ by: by(2), edits: () => [update(1, 'changed'), create(500, 0)] })],
    ['a big commit', (memory) => memory.edit({ by: by(2), edits: () => [update(1, 'changed'), ...many(600)] })],
    ['forgetting a tree', (memory) => memory.forget({ id: idOf(700), signalId: 'con-2', now: NOW })],
    ['a rollback', (memory) => memory.rollback({ to: 1, by: by(2) })],
  ];
  const prepare = async (): Promise<string> => {
    const space = freshSpace();
    const memory = openMemory(space);
    await memory.edit({ by: by(0), edits: () => [...many().slice(0, 20), create(700), create(701, 700)] });
    await memory.edit({ by: by(1), edits: () => [...many().slice(20), update(2, 'second')] });
    return space;
  };

  it.each(scenarios)(
    'at every write of %s leave the old state or the new, and the next try ends it',
    async (_, run) => {
      const reference = openMemory(await prepare());
      const old = await treesOf(reference);
      await run(reference);
      const fresh = await treesOf(reference);
      // Before the first write nothing is done; before each later one is after the one before.
      for (let k = 1, writes = k; writes >= k; k += 1) {
        const space = await prepare();
        const process = crashing(dynamo.table, k);
        await run(openMemory(space, {}, process.dying)).catch((error: unknown) => {
          if (!(error instanceof Crash)) throw error;
        });
        writes = process.writes();
        const seen = JSON.stringify(await treesOf(openMemory(space)));
        expect([JSON.stringify(old), JSON.stringify(fresh)]).toContain(seen);
        await run(openMemory(space));
        const memory = openMemory(space);
        expect(await treesOf(memory)).toStrictEqual(fresh);
        checkObjects((await memory.view()).objects);
        await checkChain(memory);
      }
    },
    60_000,
  );

  it('of a big commit hold up others until its lease has run out; then its number changed nothing, and stays so', async () => {
    const space = await prepare();
    const before = await treesOf(openMemory(space));
    let now = NOW;
    const clock = () => now;
    // Dies with some objects written, after manifest, lease and the first part.
    const { dying } = crashing(dynamo.table, 3);
    const big = { by: by(2), edits: () => [update(1, 'half written'), ...many(600)] };
    await expect(openMemory(space, { now: clock }, dying).edit(big)).rejects.toThrow(Crash);
    const other = openMemory(space, { now: clock });
    expect(await treesOf(other)).toStrictEqual(before);
    expect(await other.load(idOf(600))).toBeUndefined();
    const small = { by: by(3), edits: () => [update(2, 'by another writer')] };
    await expect(other.edit(small)).rejects.toThrow(ContendedError);
    now += MEMORY_LEASE_MS + 1;
    await other.edit(small);
    expect((await other.commitsAfter(2, 10)).map(({ kind, number }) => [kind, number])).toStrictEqual([
      ['void', 3],
      ['write', 4],
    ]);
    expect(plainTrees(await other.viewAsOf(3))).toStrictEqual(before);
    expect(await other.loadAsOf(idOf(600), 3)).toBeUndefined();
    expect((await other.loadAsOf(idOf(1), 4))?.state).toBe('live');
    checkObjects((await openMemory(space).view()).objects);
    await openMemory(space).edit(big);
    const memory = openMemory(space);
    expect((await memory.load(idOf(1)))?.commit).toBe(5);
    checkObjects((await memory.view()).objects);
    await checkChain(memory);
  });

  it('of a writer that is only slow: what it writes after losing its lease is refused', async () => {
    const space = await prepare();
    let now = NOW;
    let isWaiting = true;
    let writes = 0;
    const slow: Table = {
      ...dynamo.table,
      transact: async (list) => {
        writes += 1;
        if (writes === 2 && isWaiting) {
          // Meanwhile the lease runs out, and another writer commits something that has nothing to
          // do with it.
          isWaiting = false;
          now += MEMORY_LEASE_MS + 1;
          await openMemory(space, { now: () => now }).edit({ by: by(3), edits: () => [create(800)] });
        }
        await dynamo.table.transact(list);
      },
    };
    let conflicts = 0;
    const onConflict = () => {
      conflicts += 1;
    };
    const big = { by: by(2), edits: () => [update(1, 'slow'), ...many(600)] };
    const result = await openMemory(space, { now: () => now, onConflict }, slow).edit(big);
    expect([result.state, conflicts]).toStrictEqual(['committed', 1]);
    const memory = openMemory(space);
    const texts = [await memory.load(idOf(1)), await memory.load(idOf(800))];
    expect(texts).toMatchObject([{ content: 'slow' }, { content: 'node 800' }]);
    expect((await memory.commitsAfter(2, 9)).map(({ kind }) => kind)).toStrictEqual(['void', 'write', 'write']);
    checkObjects((await memory.view()).objects);
    await checkChain(memory);
  });
});

describe('any sequence of changes', () => {
  it('over the table equals the plain model, now and at every position, with warm and cold views', async () => {
    await fc.assert(
      fc.asyncProperty(randomSteps(7, 30), async (steps) => {
        const space = freshSpace();
        const memory = openMemory(space);
        const model = buildPlainModel();
        const names = new Map<string, number>();
        for (const [n, step] of steps.entries()) {
          const { number } = await memory.head();
          expect(number).toBe(model.commits());
          await memory.snapshot({ name: `at ${n}`, by: by(`s${n}`) });
          names.set(`at ${n}`, number);
          if (step.op === 'rollback') {
            const name = `at ${step.back % (n + 1)}`;
            const { result } = await memory.rollback({ to: name, by: by(n) });
            if (result.state === 'committed') model.rollback(names.get(name) ?? 0);
          } else {
            let made = 0;
            const newId = () => {
              made += 1;
              return memoryIdOf(`${space} ${n}`, made);
            };
            const maker = { signalId: 's', effectId: 'e', now: NOW, newId, newNonce: () => NONCE };
            const edits = playStep(model, step, maker, `text ${n}`);
            if (edits === undefined) continue;
            const [only] = edits;
            if (only?.kind === 'forget') await memory.forget({ id: only.id, signalId: `con-${n}`, now: NOW });
            else if ((await memory.edit({ by: by(n), edits: () => edits })).state === 'unchanged') model.undo();
          }
          const { objects } = await memory.view();
          checkObjects(objects);
          expect(plainTrees(objects)).toStrictEqual(model.trees());
          expect(new Map([...(await openMemory(space).view()).objects].sort())).toStrictEqual(
            new Map([...objects].sort()),
          );
        }
        for (let commit = 0; commit <= model.commits(); commit += 1)
          expect(plainTrees(await memory.viewAsOf(commit))).toStrictEqual(model.trees(commit));
        await checkChain(memory);
      }),
      { numRuns: 8 },
    );
  });
});

describe('snapshots', () => {
  it('are one write, unique by name, and the same for the same effect', async () => {
    const memory = openMemory(freshSpace());
    await memory.edit({ by: by(1), edits: () => [create(0)] });
    const made = await memory.snapshot({ name: ' Before the trip ', by: by(2) });
    const { hash } = await memory.head();
    expect(made).toStrictEqual({
      schemaVersion: 1,
      name: 'Before the trip',
      number: 1,
      hash,
      at: NOW,
      ...{ signalId: 'con-2', effectId: 'con-2#0', actor: 'console' },
    });
    expect(await memory.snapshot({ name: 'Before the trip', by: by(2) })).toStrictEqual(made);
    const taken = new ProtocolError('there is a snapshot Before the trip already');
    await expect(memory.snapshot({ name: 'Before the trip', by: by(3) })).rejects.toThrow(taken);
    expect((await memory.snapshot({ by: by(4) })).name).toBe('commit-1');
    expect((await memory.snapshots()).map(({ name }) => name)).toStrictEqual(['Before the trip', 'commit-1']);
    expect(await memory.resolve('Before the trip')).toBe(1);
    await expect(memory.resolve('unknown')).rejects.toThrow(new ProtocolError('there is no snapshot unknown'));
    await expect(memory.resolve('7')).rejects.toThrow(new ProtocolError('memory has commits 0 to 1'));
  });

  it.each([['12'], [''], ['a\nb'], ['../x'], ['#head'], ['x'.repeat(65)], ['ends with -']])(
    'refuse the name %j',
    async (name) => {
      const memory = openMemory(freshSpace());
      await expect(memory.snapshot({ name, by: by(1) })).rejects.toThrow(ProtocolError);
    },
  );
});

describe('records a dead writer left', () => {
  it('have no part in a commit that was given up', async () => {
    const space = freshSpace();
    const memory = openMemory(space);
    await memory.edit({ by: by(1), edits: () => [create(0)] });
    await dynamo.table.put(commitKeys.part(space, 1, 0), { schemaVersion: 1, changes: [] });
    await dynamo.table.put(commitKeys.part(space, 2, 0), { schemaVersion: 1, changes: [] });
    await memory.edit({ by: by(2), edits: () => [create(1)] });
    expect((await memory.commitsAfter(0, 9)).map(({ changes }) => changes.length)).toStrictEqual([1, 1]);
  });
});
