/**
 * Gives the notes of a file the keys that memory knows them by: as the last round left them, by an
 * id that memory wrote, or by what they share with a note of memory. A new one gets a key of this
 * folder. Pure.
 */
import type { KnownDocument } from '../../../cli/notes/known-document.ts';
import { matchNew } from '../../../cli/notes/match-notes.ts';
import { buildNoteKey, findId, listNodes, type NoteNode } from '../../../cli/notes/note.ts';
import { withoutMarks } from './own-hash.ts';
import type { StateFile } from './state.ts';

export interface Identifying {
  readonly folder: string;
  readonly before: StateFile | undefined;
  readonly known: KnownDocument | undefined;
  /** Ids that stand in files for notes that came from none. */
  readonly ids: ReadonlySet<string>;
}

/** Memory's tree as its file would say it. */
export const memoryTree = ({ exported, stored }: KnownDocument): NoteNode => withoutMarks(exported ?? stored);

const mapKeys = (node: NoteNode, keyOf: (node: NoteNode) => string): NoteNode => ({
  ...node,
  key: keyOf(node),
  children: node.children.map((child) => mapKeys(child, keyOf)),
});

/** @returns the tree with memory's keys, and its properties as they stand in the file */
export const identify = (raw: NoteNode, { folder, before, known, ids }: Identifying): NoteNode => {
  const places = new Map((before?.notes ?? []).map(({ place, key }) => [place, key]));
  const inMemory = new Set(known === undefined ? [] : listNodes(known.stored).map(({ key }) => key));
  const root = known?.key ?? before?.root;
  const taken = new Set<string>();
  const own = (node: NoteNode): string => {
    const id = findId(node.properties);
    const key = [
      node === raw ? root : undefined,
      places.get(node.key),
      id !== undefined && ids.has(id) ? id : undefined,
      inMemory.has(node.key) ? node.key : undefined,
    ].find((one) => one !== undefined && !taken.has(one));
    const found = key ?? buildNoteKey(['folder', folder, node.key]);
    taken.add(found);
    return found;
  };
  const tree = mapKeys(raw, own);
  if (known === undefined) return tree;
  const placed = new Set(places.values());
  const matched = matchNew(withoutMarks(tree), memoryTree(known));
  const byKey = new Map([...matched].map(([node, key]) => [node.key, key]));
  return mapKeys(tree, ({ key }) => {
    const other = placed.has(key) || inMemory.has(key) ? undefined : byKey.get(key);
    if (other === undefined || taken.has(other)) return key;
    taken.add(other);
    return other;
  });
};
