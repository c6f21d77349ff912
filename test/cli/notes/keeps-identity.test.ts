/**
 * A note that was exported, edited in its file and imported again is the same note: over the real
 * table, for both formats, for notes that people wrote by hand and for those of imported files.
 * Whatever was not edited stays as it was, however odd it looks in a file.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { describeKnown } from '../../../infra/cli/notes/known-document.ts';
import type { StoredNote } from '../../../infra/cli/notes/memory-tree.ts';
import { findId, formatOf, type NoteFormat, type NoteNode } from '../../../infra/cli/notes/note.ts';
import { parseNote, renderNote } from '../../../infra/cli/notes/parse-note.ts';
import { planExport } from '../../../infra/cli/notes/plan-export.ts';
import { planImport } from '../../../infra/cli/notes/plan-import.ts';
import { buildRoots } from '../../../infra/cli/notes/stack-notes.ts';
import { buildMemory, type MemoryStore } from '../../../lib/core/memory/memory.ts';
import { buildObject, type LiveObject, memoryIdOf } from '../../../lib/core/memory/object.ts';
import { childrenOf } from '../../../lib/core/memory/outline.ts';
import { NONCE, NOW } from '../../core/memory/notes.ts';
import { startDynamo } from '../../support/dynamo.ts';
import { fc } from '../../support/fast-check.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const RUNS = Number(process.env.RUNS ?? 25);
const ODD_TITLES = ['', 'Plan', 'DONE deal', 'learn C#', 'a :tag:', 'x {#y}', '#one', '[x] done', '* star', 'Ärger'];
const ODD_TEXTS = [
  '',
  'plain',
  '# heading\n\ntext',
  '* star\ntext',
  '---\na: b\n---',
  '<!-- note {} -->',
  '```\n# code\n```',
  'see [[shop]]',
];
const SCOPES = ['memex', 'session', 'project'] as const;

/** A note of the tree: its parent is one before it. */
const note = fc.record({
  parent: fc.nat(),
  title: fc.constantFrom(...ODD_TITLES),
  text: fc.constantFrom(...ODD_TEXTS),
  tags: fc.subarray(['home', 'two words', 'x/y', '42']),
  todo: fc.constantFrom(undefined, 'TODO', 'WAITING', 'Odd'),
  isHeadline: fc.boolean(),
  scope: fc.constantFrom(...SCOPES),
});
type Note = typeof note extends { generate: (...given: never[]) => { value: infer Value } } ? Value : never;

const editOf = fc.record({
  what: fc.constantFrom('title', 'tags', 'todo', 'properties', 'move', 'content'),
  which: fc.nat(),
  to: fc.nat(),
});

let worlds = 0;
const openMemory = (): MemoryStore => {
  worlds += 1;
  return buildMemory(dynamo.table, `keeps-identity-${worlds}`);
};

const by = (n: number) => ({ signalId: `s-${n}`, effectId: `e-${n}`, actor: 'console', now: NOW + n });
const idOf = (n: number) => memoryIdOf(`note ${n}`);

/** Writes the notes into memory, each below one before it. @returns ids in order */
const writeNotes = async (memory: MemoryStore, notes: readonly Note[], depth: number) => {
  const objectOf = (one: Note, n: number): LiveObject =>
    buildObject({
      id: idOf(n),
      type: one.isHeadline ? 'headline' : 'note',
      scope: one.scope,
      attributes: {
        tags: one.tags,
        ...(one.title === '' ? {} : { title: one.title }),
        ...(one.todo === undefined ? {} : { todo: one.todo }),
        properties: { effort: `${n}h`, ...(one.scope === 'session' ? { session: 'telegram:7' } : {}) },
      },
      content: one.text === '' && one.title === '' ? 'words' : one.text,
      origin: 'owner',
      effectId: `w-${n}`,
      signalId: 's',
      now: NOW,
      nonce: NONCE,
    });
  const parentOf = (one: Note, n: number) => (n < depth ? n - 1 : one.parent % n);
  await memory.edit({
    by: by(0),
    edits: () =>
      notes.map((one, n) => ({
        kind: 'create',
        object: objectOf(one, n),
        place: n === 0 ? {} : { parentId: idOf(parentOf(one, n)) },
      })),
  });
};

const readRoots = async (memory: MemoryStore): Promise<readonly StoredNote[]> => {
  const { objects } = await memory.view();
  const live = [...objects.values()].filter((one): one is LiveObject => one.state === 'live' && one.type !== 'bucket');
  return buildRoots(
    live.map((one) => ({
      id: one.id,
      type: one.type,
      ...(one.parentId === undefined ? {} : { parentId: one.parentId }),
      children: childrenOf(objects, one).map(({ id }) => id),
      attributes: one.attributes,
      content: one.content,
    })),
  );
};

const liveNotes = async (memory: MemoryStore): Promise<ReadonlyMap<string, LiveObject>> => {
  const { objects } = await memory.view();
  return new Map(
    [...objects].flatMap(([id, one]) => (one.state === 'live' && one.type !== 'bucket' ? [[id, one]] : [])),
  );
};

const parse = (text: string, file: string): NoteNode => {
  const parsed = parseNote(text, file, formatOf(file) ?? 'markdown');
  if (parsed.kind === 'bad') throw new Error(JSON.stringify(parsed.problems));
  return parsed.node;
};

type Edit = { readonly what: string; readonly which: number; readonly to: number };
const listOf = (node: NoteNode): readonly NoteNode[] => [node, ...node.children.flatMap(listOf)];
const replaceIn = (
  node: NoteNode,
  old: NoteNode,
  build: (node: NoteNode) => NoteNode | undefined,
): NoteNode | undefined => {
  if (node === old) return build(node);
  return { ...node, children: node.children.flatMap((child) => replaceIn(child, old, build) ?? []) };
};

/** The words a person writes into the file. */
const FIELDS: Readonly<Record<string, (node: NoteNode, n: number) => NoteNode>> = {
  title: (node, n) => ({ ...node, title: `New title ${n}` }),
  tags: (node, n) => ({ ...node, tags: [`tag${n}`] }),
  todo: (node) => ({ ...node, todo: 'DONE' }),
  properties: (node, n) => ({ ...node, properties: { ...node.properties, place: `south ${n}` } }),
  content: (node, n) => ({ ...node, content: `${node.content}\n\nmore ${n}`.trim() }),
};

/** Edits one heading of the document, or moves it below another. Documents of Org have no state. */
const applyEdit = (document: NoteNode, { what, which, to }: Edit, n: number): NoteNode => {
  const all = listOf(document).slice(1);
  const target = all[which % Math.max(1, all.length)];
  if (target === undefined) return document;
  const field = FIELDS[what];
  if (field !== undefined) return replaceIn(document, target, (node) => field(node, n)) ?? document;
  const places = listOf(document).filter((one) => !listOf(target).includes(one));
  const place = places[to % places.length] ?? document;
  if (place.children.includes(target)) return document;
  const without = replaceIn(document, target, () => undefined) ?? document;
  const there = listOf(without)[places.indexOf(place)] ?? without;
  return replaceIn(without, there, (node) => ({ ...node, children: [...node.children, target] })) ?? without;
};

/** Imports the file into memory as the stack does. */
const importFile = async (memory: MemoryStore, file: string, text: string, n: number) => {
  const known = (await readRoots(memory)).map(describeKnown);
  const document = parse(text, file);
  const plan = planImport({ documents: [document], known, unread: new Set(), mayRemove: false, mayReturn: false });
  for (const { tree, rootId } of plan.steps) {
    const root = rootId === undefined ? undefined : (await liveNotes(memory)).get(rootId);
    const type = root?.type === 'note' || root?.type === 'headline' ? root.type : 'document';
    await memory.ingestTree({
      by: by(n),
      tree: { ...tree, type },
      origin: 'owner',
      ...(rootId === undefined ? {} : { rootId }),
    });
  }
  return plan;
};

const wordsOf = ({ type, scope, attributes, content, parentId, version }: LiveObject) => ({
  type,
  scope,
  attributes,
  content,
  parentId,
  version,
});

describe('a note written by hand', () => {
  it.each<[NoteFormat, number]>([
    ['markdown', 1],
    ['org', 8],
  ])('keeps id, title and all that was not edited in its %s file (property)', async (format, depth) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(note, { minLength: depth + 1, maxLength: depth + 5 }),
        fc.array(editOf, { maxLength: 3 }),
        async (notes, edits) => {
          const memory = openMemory();
          await writeNotes(memory, notes, depth);
          const before = await liveNotes(memory);
          const [written] = planExport(await readRoots(memory));
          expect(written?.file).toMatch(format === 'org' ? /\.org$/ : /\.md$/);
          const { file = '', text = '' } = written ?? {};
          const unedited = await importFile(memory, file, text, 1);
          expect(unedited).toMatchObject({ steps: [], unchangedCount: 1, problems: [] });
          const exported = parse(text, file);
          const edited = edits.reduce(applyEdit, exported);
          const plan = await importFile(memory, file, renderNote(edited), 2);
          expect([plan.heldBack, plan.leftOut]).toStrictEqual([[], []]);
          const after = await liveNotes(memory);
          expect([...after.keys()].sort()).toStrictEqual([...before.keys()].sort());
          const was = new Map(
            listOf(exported).flatMap((node) =>
              findId(node.properties) === undefined ? [] : [[findId(node.properties), node]],
            ),
          );
          for (const node of listOf(edited)) {
            const id = findId(node.properties) ?? '';
            const [old, now, read] = [before.get(id), after.get(id), was.get(id)];
            if (old === undefined || now === undefined || read === undefined) throw new Error('a note has no id');
            const isTouched = (['title', 'content', 'tags', 'todo', 'properties'] as const).filter(
              (name) => node[name] !== read[name],
            );
            expect(now.scope).toBe(old.scope);
            if (isTouched.length === 0)
              expect(wordsOf({ ...now, parentId: old.parentId ?? '' })).toStrictEqual(
                wordsOf({ ...old, parentId: old.parentId ?? '' }),
              );
            expect(now.attributes.title ?? '').toBe(
              isTouched.includes('title') ? node.title : (old.attributes.title ?? ''),
            );
            expect(now.attributes.todo).toBe(isTouched.includes('todo') ? 'DONE' : old.attributes.todo);
            if (!isTouched.includes('content')) expect(now.content).toBe(old.content);
            if (!isTouched.includes('tags')) expect(now.attributes.tags).toStrictEqual(old.attributes.tags);
          }
          const parentIds = (node: NoteNode): readonly string[] =>
            node.children.flatMap((child) => [
              `${findId(child.properties)} below ${findId(node.properties)}`,
              ...parentIds(child),
            ]);
          expect(
            [...after.values()]
              .flatMap(({ id, parentId }) => (parentId === undefined ? [] : [`${id} below ${parentId}`]))
              .sort(),
          ).toStrictEqual([...parentIds(edited)].sort());
        },
      ),
      { numRuns: RUNS },
    );
  });
});

describe('a note of an imported file', () => {
  const FILES = {
    'a.md': '# One\n\nfirst words\n\n## Two #home\n\nsecond words\n\n# TODO Three\n\nthird words\n',
    'a.org': '* One\nfirst words\n** Two :home:\nsecond words\n* TODO Three\nthird words\n',
  };
  const titles = async (memory: MemoryStore) =>
    new Map([...(await liveNotes(memory)).values()].map((one) => [one.attributes.title ?? '', one.id]));

  it.each<[string, (text: string) => string, Readonly<Record<string, string>>]>([
    ['a new title', (text) => text.replace('One', 'Another'), { Another: 'One', Two: 'Two' }],
    ['another parent', (text) => text.replace(/^(\*\*|##) /m, (mark) => mark.slice(1)), { Two: 'Two' }],
    ['a new state and tag', (text) => text.replace('TODO Three', 'DONE Three'), { Three: 'Three' }],
    ['new words', (text) => text.replace('second words', 'other words'), { Two: 'Two' }],
  ])('is the same note after %s', async (_, edit, same) => {
    for (const [file, text] of Object.entries(FILES)) {
      const memory = openMemory();
      await importFile(memory, file, text, 1);
      const before = await titles(memory);
      expect((await importFile(memory, file, edit(text), 2)).heldBack).toStrictEqual([]);
      const after = await titles(memory);
      expect(after.size).toBe(before.size);
      for (const [now, was] of Object.entries(same))
        expect([file, now, after.get(now)]).toStrictEqual([file, now, before.get(was)]);
      const [written] = planExport(await readRoots(memory));
      expect(written).toStrictEqual({ file, text: edit(text) });
    }
  });

  it('is in doubt if two share all that it could be known by, and then nothing is lost', async () => {
    const memory = openMemory();
    await importFile(memory, 'a.md', '# One\n\nsame\n\n# Two\n\nsame\n', 1);
    const { heldBack } = await importFile(memory, 'a.md', '# Three\n\nsame\n\n# Four\n\nsame\n', 2);
    expect(heldBack).toStrictEqual([{ file: 'a.md', titles: ['One', 'Two'] }]);
  });
});
