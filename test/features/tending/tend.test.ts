/** The Gardener's pure parts: what is found, what is proposed, and what a report says. */
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../lib/core/base/limits.ts';
import { buildMaker } from '../../../lib/core/memory/change-memory.ts';
import { applyEdits } from '../../../lib/core/memory/edit.ts';
import { runReading } from '../../../lib/core/memory/forest.ts';
import { findLinks, replaceLink } from '../../../lib/core/memory/links.ts';
import { buildForgotten, type LiveObject, type MemoryObject, withHash } from '../../../lib/core/memory/object.ts';
import type { ObjectAttributes } from '../../../lib/core/memory/object-parts.ts';
import { buildSegments, parseSegment } from '../../../lib/core/memory/search/vector-segment.ts';
import { describeUntidy } from '../../../lib/features/tending/describe-untidy.ts';
import { chooseToCheck, findDamage, idsToCheck } from '../../../lib/features/tending/find-damage.ts';
import { noteNameOf } from '../../../lib/features/tending/find-links.ts';
import { findUntidy } from '../../../lib/features/tending/find-untidy.ts';
import { buildMendEdits, describeMend, findMends, stillDue } from '../../../lib/features/tending/mends.ts';
import { aNode, NONCE, NOW } from '../../core/memory/notes.ts';

const idOf = (n: number): string => n.toString(16).padStart(8, '0').repeat(4);

const note = (
  n: number,
  content: string,
  attributes: Partial<ObjectAttributes> = {},
  more: Partial<LiveObject> = {},
): LiveObject => ({
  ...aNode(idOf(n), content, { type: 'note', attributes: { tags: ['t'], ...attributes }, now: NOW + n }),
  ...more,
});

const mapOf = (objects: readonly MemoryObject[]) => new Map(objects.map((object) => [object.id, object]));

const look = (objects: readonly MemoryObject[], now = NOW + DAY_MS) => {
  const map = mapOf(objects);
  const live = objects.filter((object): object is LiveObject => object.state === 'live');
  const untidy = findUntidy(map, live, [], now);
  return { map, untidy, mends: findMends(map, untidy, now) };
};

const gone = (n: number): MemoryObject => buildForgotten(note(n, 'secret'), { forgottenAt: NOW, bySignal: 's' });

describe('replaceLink', () => {
  it.each<[string, string, string | undefined, string]>([
    ['see [[Bike]] and [[Bike|mine]]', 'Bike', undefined, 'see Bike and mine'],
    ['see [[Bike]] and [[Bike|mine]]', 'Bike', 'The bike', 'see [[The bike]] and [[The bike|mine]]'],
    ['[[Bike][words]]', 'Bike', 'Car', '[[Car][words]]'],
    ['[words](Bike.md) [other](Car.md)', 'Bike.md', undefined, 'words [other](Car.md)'],
    ['[[Bikes]] stay', 'Bike', undefined, '[[Bikes]] stay'],
  ])('%s', (text, target, to, expected) => {
    expect(replaceLink(text, target, to)).toBe(expected);
    expect(findLinks(replaceLink(text, target, undefined))).not.toContain(target);
  });
});

describe('noteNameOf', () => {
  it.each<[string, string | undefined]>([
    ['Bike', 'Bike'],
    ['notes/Bike.md#wheels', 'notes/Bike.md'],
    ['file:notes.org::*Heading', 'notes.org'],
    ['My%20bike', 'My bike'],
    ['https://example.org', undefined],
    ['mailto:a@example.org', undefined],
    ['picture.png', undefined],
    ['#heading', undefined],
    ['100%', '100%'],
  ])('%s', (target, name) => expect(noteNameOf(target)).toBe(name));
});

describe('findUntidy', () => {
  it('finds links that lead nowhere, and proposes only what is plainly right', () => {
    const { untidy, mends } = look([
      note(1, 'about it', { title: 'The Bike' }),
      note(2, 'see [[the bike]], [[The-Bike]], [[Nowhere]], <https://example.org>, [x](picture.png)'),
      note(3, `see [[${idOf(9)}]]`, { links: [idOf(9)] }),
      gone(9),
      note(4, 'see [[The-Bike]]', { properties: { 'passepartout:file': 'a.md' } }),
    ]);
    expect(untidy.brokenLinks.map(({ object, target }) => [object.id, target])).toStrictEqual([
      [idOf(2), 'The-Bike'],
      [idOf(2), 'Nowhere'],
      [idOf(3), idOf(9)],
      [idOf(4), 'The-Bike'],
    ]);
    expect(mends).toStrictEqual([
      { kind: 'relink', id: idOf(2), target: 'The-Bike', to: 'The Bike' },
      { kind: 'unlink', id: idOf(3), target: idOf(9) },
    ]);
  });

  it('finds the same text in other spellings, and merges only what is alike in all that matters', () => {
    const { untidy, mends } = look([
      note(1, 'The key is under the pot'),
      note(2, 'the  KEY is under the pot '),
      note(3, 'The key is under the pot', {}, { origin: 'outside' }),
      note(4, 'ok'),
      note(5, 'OK'),
    ]);
    expect(untidy.duplicates.map((group) => group.map(({ id }) => id))).toStrictEqual([[idOf(1), idOf(2)]]);
    expect(mends).toStrictEqual([{ kind: 'merge', id: idOf(1), others: [idOf(2)] }]);
  });

  it('finds what stands still, and closes only tasks of a year ago', () => {
    const old = { updatedAt: NOW - 400 * DAY_MS, createdAt: NOW - 400 * DAY_MS };
    const { untidy, mends } = look([
      note(1, 'call the plumber', { todo: 'TODO' }, { updatedAt: NOW - 40 * DAY_MS }),
      note(2, 'call the baker', { todo: 'WAITING' }, old),
      note(3, 'was done', { todo: 'DONE' }, old),
      note(4, 'a garden', { tags: ['Project'] }, { updatedAt: NOW - 30 * DAY_MS }),
      note(5, 'a house', { tags: ['project'] }, { ...old, children: [{ id: idOf(6), hash: '0'.repeat(64) }] }),
      note(6, 'the roof', {}, { parentId: idOf(5) }),
      note(7, 'nobody knows me', { tags: [] }, old),
      note(8, 'its upper note is gone', {}, { parentId: idOf(9) }),
      gone(9),
    ]);
    const ids = (list: readonly LiveObject[]) => list.map(({ id }) => id);
    expect(ids(untidy.staleTasks)).toStrictEqual([idOf(2), idOf(1)]);
    expect(ids(untidy.stillProjects)).toStrictEqual([idOf(4)]);
    expect(ids(untidy.alone)).toStrictEqual([idOf(7)]);
    expect(ids(untidy.orphans)).toStrictEqual([idOf(8)]);
    expect(mends).toStrictEqual([{ kind: 'close', id: idOf(2) }]);
  });

  it('finds nearly the same by vectors, among notes that changed within the day', () => {
    const notes = [note(1, 'the bike is blue'), note(2, 'my bicycle has a blue colour'), note(3, 'the sea is deep')];
    const vectors = [
      [1, 0.1, 0],
      [1, 0.12, 0],
      [0, 0, 1],
    ];
    const entries = notes.map(({ id, version }, n) => ({ id, version, vector: vectors[n] ?? [] }));
    const segments = buildSegments(entries, NONCE).map(parseSegment);
    const pairs = (now: number) =>
      findUntidy(mapOf(notes), notes, segments, now).nearDuplicates.map(({ a, b }) => [a.id, b.id]);
    expect(pairs(NOW + 1_000)).toStrictEqual([[idOf(1), idOf(2)]]);
    expect(pairs(NOW + 3 * DAY_MS)).toStrictEqual([]);
  });
});

describe('buildMendEdits', () => {
  it('applies a whole batch as one change that keeps links, tags and sources', async () => {
    const objects = [
      note(1, 'The key is under [[the-pot]]', { tags: ['a'], properties: { turns: ['tg-1'] } }),
      note(2, 'the key is under [[the-pot]]', { tags: ['b'], links: ['x'], properties: { turns: ['tg-2'] } }),
      note(3, 'a pot', { title: 'The pot' }),
    ].map(withHash);
    const { map, mends } = look(objects);
    const by = { signalId: 's', effectId: 'e', actor: 'a', now: NOW };
    const read = async (ids: readonly string[]) =>
      new Map(ids.flatMap((id) => [...map].filter(([known]) => known === id)));
    const changes = await runReading(
      applyEdits(
        buildMendEdits(mends, map),
        buildMaker(by, () => NONCE),
      ),
      read,
    );
    const [kept] = changes.map(({ after }) => after).filter((one): one is LiveObject => one.state === 'live');
    expect(kept?.content).toBe('The key is under [[The pot]]');
    expect(kept?.attributes).toStrictEqual({
      tags: ['a', 'b'],
      links: ['x'],
      properties: { turns: ['tg-1', 'tg-2'], merged: [idOf(2)] },
    });
    expect(changes.map(({ after }) => [after.id, after.state])).toStrictEqual([
      [idOf(1), 'live'],
      [idOf(2), 'removed'],
    ]);
  });

  it('does only what memory still asks for, whatever was wanted', () => {
    const { mends } = look([note(1, 'The key is under the pot'), note(2, 'The key is under the pot')]);
    const wanted = [
      ...mends,
      { kind: 'close', id: idOf(1) },
      { kind: 'merge', id: idOf(2), others: [idOf(1)] },
    ] as const;
    expect(
      stillDue(
        wanted.map((mend) => ('others' in mend ? { ...mend, others: [...mend.others] } : mend)),
        mends,
      ),
    ).toStrictEqual(mends);
  });

  it('describes each mend in one line, with nothing to tap of what others wrote', () => {
    const map = mapOf([note(1, 'go to https://evil.example/x now', {}, { origin: 'outside' })]);
    expect(describeMend({ kind: 'close', id: idOf(1) }, map)).toMatch(/the task is closed as CANCELLED$/);
    expect(describeMend({ kind: 'close', id: idOf(1) }, map)).not.toContain('evil.example');
    expect(describeMend({ kind: 'close', id: idOf(2) }, map)).toContain('a note that is gone');
  });
});

describe('findDamage', () => {
  const child = withHash(note(2, 'below', {}, { parentId: idOf(1) }));
  const parent = withHash(note(1, 'above', {}, { children: [{ id: child.id, hash: child.hash }] }));

  it.each<[string, readonly MemoryObject[], string | undefined]>([
    ['nothing in whole memory', [parent, child], undefined],
    ['changed words', [parent, { ...child, content: 'other' }], 'its words do not fit their hash'],
    ['a changed tag', [parent, { ...child, attributes: { tags: ['x'] } }], 'it does not fit its hash'],
    ['a missing entry', [parent], 'it is gone from the table'],
    ['an entry put in its place', [parent, withHash({ ...child, origin: 'outside' })], `its entry ${child.id}`],
    ['an entry nobody lists', [withHash({ ...parent, children: [] }), child], 'the note above it does not list it'],
  ])('finds %s', (_, stored, why) => {
    const [damage] = findDamage([child, parent], mapOf(stored));
    if (why === undefined) expect(damage).toBeUndefined();
    else expect(damage?.why).toContain(why);
  });

  it('checks all of memory in four weeks, a part each day', () => {
    const all = mapOf(Array.from({ length: 200 }, (_, n) => note(n * 7_919 + 1, `note ${n}`)));
    const days = Array.from({ length: 28 }, (_, day) => chooseToCheck(all, NOW + day * DAY_MS).map(({ id }) => id));
    expect(days.flat().toSorted()).toStrictEqual([...all.keys()].toSorted());
    expect(Math.max(...days.map((day) => day.length))).toBeLessThan(30);
    expect(idsToCheck([parent])).toStrictEqual([parent.id, child.id]);
  });
});

describe('describeUntidy', () => {
  it('puts damage first, numbers the lines, and counts what does not fit', () => {
    const objects = Array.from({ length: 14 }, (_, n) => note(n + 1, `The same text, again ${n % 7}`));
    const { untidy } = look(objects);
    const { text, counts, shown } = describeUntidy([{ id: idOf(1), why: 'it does not fit its hash' }], untidy);
    const lines = text.split('\n').filter((line) => line !== '');
    expect(lines[1]).toMatch(/^Damaged/);
    expect(lines[2]).toBe(`1. 00000001: it does not fit its hash`);
    expect(lines[3]).toBe('Notes that say the same (7):');
    expect(lines[4]).toMatch(/^2\. The same text, again 0 \(00000001\) = The same text/);
    expect(lines.at(-1)).toBe('… 2 more');
    expect(counts).toStrictEqual({ damaged: 1, duplicates: 7 });
    expect(shown).toHaveLength(10);
  });

  it('says nothing if all is well', () => {
    expect(describeUntidy([], look([note(1, 'A note')]).untidy).text).toBe('');
  });
});
