/**
 * Recognises the notes of an edited file: by the id that an export wrote, or the place. One that is
 * gone and one that is new are the same if place, text or title agree, and no other note has it. Of
 * a field that reads as exported, memory's own value stays. Pure.
 */
import { canonicalJson } from '../../../lib/core/base/canonical.ts';
import type { KnownDocument } from './known-document.ts';
import { findId, listNodes, type NoteNode, type NoteProperties } from './note.ts';

const isIdName = (name: string): boolean => name.toLowerCase() === 'id';

const withoutId = (properties: NoteProperties): NoteProperties =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => !isIdName(name)));

/** The tree with the ids that exports wrote as its keys. @param ids of all documents */
export const withIdKeys = (node: NoteNode, ids: ReadonlySet<string>): NoteNode => {
  const id = findId(node.properties);
  const named = id === undefined || !ids.has(id) ? {} : { key: id, properties: withoutId(node.properties) };
  return { ...node, ...named, children: node.children.map((child) => withIdKeys(child, ids)) };
};

interface PlacedNote {
  readonly node: NoteNode;
  readonly parent?: NoteNode;
}

const listPlaced = (node: NoteNode): readonly PlacedNote[] => [
  { node },
  ...node.children.flatMap((child) =>
    listPlaced(child).map((one) => (one.parent === undefined ? { ...one, parent: node } : one)),
  ),
];

/** The marks that two notes must share to be one; undefined if a note has nothing to share. */
type Share = (placed: PlacedNote, keyOf: (node: NoteNode) => string) => string | undefined;

const SHARES: readonly Share[] = [
  ({ node, parent }, keyOf) => (parent === undefined ? undefined : `${keyOf(parent)}\n${node.title}`),
  ({ node }) => (node.content.trim() === '' ? undefined : node.content.trim()),
  ({ node }) => (node.title === '' ? undefined : node.title),
];

/** Groups of one note each: two that share something are both in doubt. */
const uniqueBy = (list: readonly PlacedNote[], share: Share, keyOf: (node: NoteNode) => string) =>
  new Map(
    [...Map.groupBy(list, (one) => share(one, keyOf))].flatMap(([name, [only, ...more]]) =>
      name === undefined || only === undefined || more.length > 0 ? [] : [[name, only.node] as const],
    ),
  );

/** @returns keys of memory for new notes of the file */
export const matchNew = (document: NoteNode, old: NoteNode): ReadonlyMap<NoteNode, string> => {
  const matched = new Map<NoteNode, string>();
  const keyOf = (node: NoteNode): string => matched.get(node) ?? node.key;
  const olds = listPlaced(old);
  const oldKeys = new Set(olds.map(({ node }) => node.key));
  const placed = listPlaced(document);
  const step = (): boolean => {
    const taken = new Set(placed.map(({ node }) => keyOf(node)));
    const fresh = placed.filter(({ node }) => !oldKeys.has(keyOf(node)));
    const gone = olds.filter(({ node }) => !taken.has(node.key));
    return SHARES.some((share) => {
      const before = uniqueBy(gone, share, ({ key }) => key);
      const pairs = [...uniqueBy(fresh, share, keyOf)].flatMap(([name, node]) => {
        const was = before.get(name);
        return was === undefined ? [] : [[node, was.key] as const];
      });
      for (const [node, key] of pairs) matched.set(node, key);
      return pairs.length > 0;
    });
  };
  while (step());
  return matched;
};

const isSame = (a: unknown, b: unknown): boolean => canonicalJson([a ?? null]) === canonicalJson([b ?? null]);

/** Memory's value of each field that the file only repeats. */
export const keepRepeated = (
  node: NoteNode,
  stored: NoteNode | undefined,
  exported: NoteNode | undefined,
): NoteNode => {
  if (stored === undefined || exported === undefined) return node;
  const { todo: _, ...rest } = node;
  const todo = isSame(node.todo, exported.todo) ? stored.todo : node.todo;
  return {
    ...rest,
    title: node.title === exported.title ? stored.title : node.title,
    content: node.content === exported.content ? stored.content : node.content,
    tags: isSame(node.tags, exported.tags) ? stored.tags : node.tags,
    properties: isSame(node.properties, exported.properties) ? stored.properties : node.properties,
    ...(todo === undefined ? {} : { todo }),
  };
};

/** The file with memory's keys, and with memory's words where the file says the same. */
export const matchNotes = (document: NoteNode, { stored, exported }: KnownDocument): NoteNode => {
  const read = exported ?? stored;
  const keys = matchNew(document, read);
  const storedOf = new Map(listNodes(stored).map((node) => [node.key, node]));
  const exportedOf = new Map(listNodes(read).map((node) => [node.key, node]));
  const build = (node: NoteNode): NoteNode => {
    const key = keys.get(node) ?? node.key;
    const kept = keepRepeated(node, storedOf.get(key), exportedOf.get(key));
    return { ...kept, key, children: node.children.map(build) };
  };
  return build(document);
};
