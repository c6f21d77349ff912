import { describe, expect, it } from 'vitest';
import { describeEdit } from '../../../lib/core/memory/describe-edit.ts';
import { buildForgotten, type LiveObject } from '../../../lib/core/memory/object.ts';
import { type EditBase, editableNote, type NoteChange, planEdit } from '../../../lib/core/memory/plan-edit.ts';
import { aNode } from './notes.ts';

const idOf = (n: number) => n.toString(16).padStart(32, '0');
const [HOUSE, ROOF, TILES, DOOR, DIARY, SECRET, SUMMARY] = [1, 2, 3, 4, 5, 6, 7].map(idOf);

const node = (id = '', under = '', changes: Parameters<typeof aNode>[2] = {}): LiveObject => ({
  ...aNode(id, 'words', changes),
  ...(under === '' ? {} : { parentId: under }),
});
const withChildren = (object: LiveObject, ...ids: readonly (string | undefined)[]): LiveObject => ({
  ...object,
  children: ids.map((id = '') => ({ id, hash: '0'.repeat(64) })),
});

const ALL = [
  withChildren(node(HOUSE, '', { attributes: { title: 'House', tags: ['project'], todo: 'TODO' } }), ROOF, DOOR),
  withChildren(node(ROOF, HOUSE, { attributes: { title: 'Roof', tags: ['a'], properties: { area: 'top' } } }), TILES),
  node(TILES, ROOF),
  node(DOOR, HOUSE, { scope: 'project' }),
  withChildren(node(DIARY, '', { attributes: { title: 'Diary', tags: ['personal'] } }), SECRET),
  node(SECRET, DIARY),
  node(SUMMARY, '', { type: 'summary' }),
];
const OBJECTS = new Map(ALL.map((object) => [object.id, object]));
const BASE: EditBase = { objects: OBJECTS, session: 'here', origin: 'owner', privacyTags: [] };
const plan = (id: string | undefined, change: NoteChange, base: Partial<EditBase> = {}) =>
  planEdit(editableNote(OBJECTS.get(id ?? ''), id ?? ''), change, { ...BASE, ...base });

describe('planEdit', () => {
  it('changes only what is named, and takes empty fields away', () => {
    expect(
      plan(ROOF, { title: 'The roof', state: 'DONE', tags: ['b', 'b'], properties: { area: '', side: 'north' } }),
    ).toStrictEqual([
      {
        kind: 'update',
        id: ROOF,
        attributes: { title: 'The roof', tags: ['b'], todo: 'DONE', properties: { side: 'north' } },
        content: 'words',
        origin: 'owner',
        expectedVersion: 1,
      },
    ]);
    expect(plan(ROOF, { title: '', text: 'new', properties: { area: '' } }, { origin: 'outside' })).toMatchObject([
      { attributes: { tags: ['a'] }, content: 'new', origin: 'outside' },
    ]);
  });

  it.each<[string, string | undefined, NoteChange, readonly object[]]>([
    ['nothing new', ROOF, { title: 'Roof', tags: ['a'], text: 'words' }, []],
    ['below another', TILES, { parent: DOOR ?? '' }, [{ kind: 'move', id: TILES, place: { parentId: DOOR } }]],
    ['below the same', TILES, { parent: ROOF ?? '' }, []],
    ['out of its tree', TILES, { parent: 'none' }, [{ kind: 'move', id: TILES, place: {} }]],
    ['before its sibling', DOOR, { order: 1 }, [{ kind: 'move', id: DOOR, place: { parentId: HOUSE, before: ROOF } }]],
    ['to the end', ROOF, { order: 9 }, [{ kind: 'move', id: ROOF, place: { parentId: HOUSE, before: undefined } }]],
    ['where it is', ROOF, { order: 1 }, []],
    [
      'to a place below another',
      TILES,
      { parent: HOUSE ?? '', order: 2 },
      [{ kind: 'move', id: TILES, place: { parentId: HOUSE, before: DOOR } }],
    ],
  ])('moves it %s', (_, id, change, edits) => {
    expect(plan(id, change)).toStrictEqual(edits);
  });

  it('gives a note of a conversation its session, and takes it away again', () => {
    const [edit] = plan(TILES, { scope: 'session' });
    expect(edit).toMatchObject({ scope: 'session', attributes: { properties: { session: 'here' } } });
    const ours = {
      ...node(TILES, ROOF),
      scope: 'session' as const,
      attributes: { tags: [], properties: { session: 'here' } },
    };
    expect(planEdit(ours, { scope: 'memex' }, BASE)).toMatchObject([{ scope: 'memex', attributes: { tags: [] } }]);
  });

  it.each<[string, string | undefined, NoteChange, Partial<EditBase>, string]>([
    ['what is not there', idOf(99), { title: 'x' }, {}, 'memory has no object'],
    ['a summary', SUMMARY, { title: 'x' }, {}, 'summaries of conversations are not edited'],
    ['all words', TILES, { text: '' }, {}, 'a note needs a text or a title'],
    ['a circle', HOUSE, { parent: TILES ?? '' }, {}, 'would hang below itself: move'],
    ['itself', HOUSE, { parent: HOUSE ?? '' }, {}, 'would hang below itself'],
    ['a parent that is not there', TILES, { parent: idOf(98) }, {}, 'to hang it below'],
    ['an order without a parent', HOUSE, { order: 1 }, {}, 'have no order'],
    ['a session by hand', TILES, { properties: { session: 'there' } }, {}, 'the property session is set by'],
    ['a file by hand', TILES, { properties: { 'passepartout:file': 'x' } }, {}, 'the property passepartout:file'],
    ['a scope without its project', SECRET, { scope: 'project' }, {}, 'needs a project above the note'],
    ['a move out of its project', DOOR, { parent: 'none' }, {}, 'or the scope memex'],
    [
      'a private tag, by text from outside',
      DIARY,
      { tags: [] },
      { origin: 'outside' },
      'cannot make a private note visible',
    ],
    [
      'a private place, by text from outside',
      SECRET,
      { parent: 'none' },
      { origin: 'outside' },
      'cannot make a private note visible',
    ],
  ])('refuses %s', (_, id, change, base, message) => {
    expect(() => plan(id, change, base)).toThrow(message);
  });

  it('lets the owner make a private note visible, and refuses a forgotten one', () => {
    expect(plan(DIARY, { tags: [] })).toHaveLength(1);
    const gone = buildForgotten(node(TILES), { forgottenAt: 1, bySignal: 's' });
    expect(() => editableNote(gone, gone.id)).toThrow('was forgotten');
  });
});

describe('describeEdit', () => {
  it('says each difference in plain lines', () => {
    const roof = {
      ...node(ROOF, HOUSE, { attributes: { title: 'Roof', tags: ['a'], properties: { area: 'top' } } }),
      content: 'one\ntwo\nthree',
    };
    const change = {
      title: 'The roof',
      state: 'DONE',
      tags: ['b'],
      properties: { area: '', side: 'north' },
      scope: 'project',
      parent: DOOR,
      order: 2,
      text: 'one\n2\nthree',
    } as const;
    expect(describeEdit(roof, change, node(DOOR, HOUSE))).toStrictEqual([
      'title: Roof → The roof',
      'state: (none) → DONE',
      'tags: #a → #b',
      'area: top → (none)',
      'side: (none) → north',
      'scope: memex → project',
      'now below: words',
      'now in place 2 among its siblings',
      'text:',
      '- two',
      '+ 2',
    ]);
    expect(describeEdit(roof, { title: 'Roof', parent: 'none' }, undefined)).toStrictEqual([
      'now below: nothing, it stands alone',
    ]);
  });
});
