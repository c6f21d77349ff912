/**
 * A document of memory as it is, and as a reader finds it in the file that an export would write
 * now: what that file cannot say (an odd title, a heading inside a text) differs. Pure.
 */
import { defined } from '../../../lib/core/base/defined.ts';
import { buildNoteFromMemory, findFileName, findFolder, hashNote, type StoredNote } from './memory-tree.ts';
import { formatOf, type NoteNode } from './note.ts';
import { parseNote } from './parse-note.ts';
import { planExport } from './plan-export.ts';

export interface KnownDocument {
  /** Its key in memory. */
  readonly key: string;
  readonly file: string;
  readonly stored: NoteNode;
  /** The exported file, with memory's keys; absent if it could not be read. */
  readonly exported?: NoteNode;
  /** Hash of the exported file, with the keys that a reader finds. */
  readonly exportHash?: string;
  /** A note of it was forgotten. */
  readonly hasForgotten: boolean;
  /** It came from no file, so nobody misses one. */
  readonly isLoose: boolean;
  /** Object of its root. */
  readonly rootId?: string;
  /** Its object's hash in memory. */
  readonly rootHash?: string;
  /** The folder it is kept in step with, by its random id. */
  readonly folder?: string;
  /** Its tree as memory has it. */
  readonly root: StoredNote;
  /** Ids that an export writes for notes without a key from a file. */
  readonly ids: ReadonlySet<string>;
}

const hasForgottenIn = (note: StoredNote): boolean => note.hasForgotten === true || note.children.some(hasForgottenIn);

const idsIn = ({ id, isKeyless = false, children }: StoredNote): readonly string[] => [
  ...(isKeyless ? [id] : []),
  ...children.flatMap(idsIn),
];

/** The exported tree with the keys of the tree it was made of, as far as both have one shape. */
const withKeysOf = (stored: NoteNode, exported: NoteNode): NoteNode => ({
  ...exported,
  key: stored.key,
  children: exported.children.map((child, n) => {
    const own = stored.children[n];
    return own === undefined || own.children.length !== child.children.length ? child : withKeysOf(own, child);
  }),
});

const readExport = (root: StoredNote): NoteNode | undefined => {
  const [written] = planExport([root]);
  const format = written === undefined ? undefined : formatOf(written.file);
  if (written === undefined || format === undefined) return undefined;
  const parsed = parseNote(written.text, written.file, format);
  return parsed.kind === 'bad' ? undefined : parsed.node;
};

export const describeKnown = (root: StoredNote): KnownDocument => {
  const read = readExport(root);
  const own = findFileName(root);
  const note = buildNoteFromMemory(root);
  const isLoose = own === undefined;
  const stored = isLoose && read !== undefined ? { ...note, format: read.format, source: read.source } : note;
  return {
    key: root.id,
    file: own ?? read?.source.file ?? '',
    stored,
    hasForgotten: hasForgottenIn(root),
    isLoose,
    ids: new Set(idsIn(root)),
    ...(read === undefined ? {} : { exported: withKeysOf(stored, read), exportHash: hashNote(read) }),
    root,
    ...defined({ rootId: root.objectId, rootHash: root.hash, folder: findFolder(root) }),
  };
};
