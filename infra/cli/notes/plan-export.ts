/**
 * Plans the files that an export writes, one for each document. A name that leads out of the
 * folder, is hidden, or names a place of secrets is not used. Pure.
 */
import { findSecretPath } from '../../../lib/core/text/find-secret-path.ts';
import { buildNoteFromMemory, isPart, type StoredNote } from './memory-tree.ts';
import { findId, formatOf, type NoteFormat, type NoteNode } from './note.ts';
import { renderNote } from './parse-note.ts';

export interface ExportFile {
  /** Path inside the folder, with `/`. */
  readonly file: string;
  readonly text: string;
}

const MARKDOWN_LEVELS_MAX = 6;
const FILE_PART_CHARS_MAX = 200;
const ENDINGS: Readonly<Record<NoteFormat, string>> = { markdown: '.md', org: '.org' };

// biome-ignore lint/suspicious/noControlCharactersInRegex: a file name with them is not used
const UNSAFE = /[\\\u0000-\u001f\u007f]/;

export const isSafeFile = (file: string): boolean =>
  formatOf(file) !== undefined &&
  !UNSAFE.test(file) &&
  file.split('/').every((part) => part !== '' && !part.startsWith('.') && part.length <= FILE_PART_CHARS_MAX) &&
  findSecretPath(file) === undefined;

const depthOf = (node: NoteNode): number =>
  node.children.reduce((depth, child) => Math.max(depth, 1 + depthOf(child)), 0);

const ID_NAMES: Readonly<Record<NoteFormat, string>> = { markdown: 'id', org: 'ID' };

/** With the ids by which an import knows notes that have no key from a file. */
const withIds = (node: NoteNode, { id, isKeyless = false, children }: StoredNote, format: NoteFormat): NoteNode => {
  const notes = children.filter((child) => !isPart(child));
  const named = isKeyless && findId(node.properties) === undefined ? { [ID_NAMES[format]]: id } : {};
  return {
    ...node,
    properties: { ...node.properties, ...named },
    children: node.children.map((child, n) => (notes[n] === undefined ? child : withIds(child, notes[n], format))),
  };
};

const inFile = (node: NoteNode, file: string, format: NoteFormat): NoteNode => ({
  ...node,
  format,
  source: { file, line: 1 },
});

/** @param roots documents, and notes that stand alone */
export const planExport = (roots: readonly StoredNote[]): readonly ExportFile[] => {
  const taken = new Set<string>();
  return roots
    .map((root) => ({ root, note: buildNoteFromMemory(root) }))
    .sort(({ note: a }, { note: b }) =>
      a.source.file < b.source.file ? -1 : a.source.file > b.source.file ? 1 : a.key < b.key ? -1 : 1,
    )
    .map(({ root, note }) => {
      const { file: own } = note.source;
      const format = note.format === 'markdown' && depthOf(note) > MARKDOWN_LEVELS_MAX ? 'org' : note.format;
      const isOwn = isSafeFile(own) && formatOf(own) === format && !taken.has(own.toLowerCase());
      const file = isOwn ? own : `memory/${note.key.slice(0, 16)}${ENDINGS[format]}`;
      taken.add(file.toLowerCase());
      return { file, text: renderNote(inFile(withIds(note, root, format), file, format)) };
    });
};
