/**
 * Plans the files that an export writes: one for each document of memory, in its own format. A note
 * from no file gets a name from its id. A name is not used if it leads out of the folder, is
 * hidden, or names a place of secrets. Pure.
 */
import { findSecretPath } from '../../../lib/text/find-secret-path.ts';
import { buildNoteFromMemory, hashNote, type StoredNote } from './memory-tree.ts';
import { formatOf, type NoteFormat, type NoteNode } from './note.ts';
import { parseNote, renderNote } from './parse-note.ts';

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

/** Whether a file of this name may be written inside the folder. */
const isSafeFile = (file: string): boolean =>
  formatOf(file) !== undefined &&
  !UNSAFE.test(file) &&
  file.split('/').every((part) => part !== '' && !part.startsWith('.') && part.length <= FILE_PART_CHARS_MAX) &&
  findSecretPath(file) === undefined;

const depthOf = (node: NoteNode): number =>
  node.children.reduce((depth, child) => Math.max(depth, 1 + depthOf(child)), 0);

const inFile = (node: NoteNode, file: string, format: NoteFormat): NoteNode => ({
  ...node,
  format,
  source: { file, line: 1 },
});

/** @param roots documents, and notes that stand alone */
export const planExport = (roots: readonly StoredNote[]): readonly ExportFile[] => {
  const taken = new Set<string>();
  return roots
    .map((root) => buildNoteFromMemory(root))
    .sort((a, b) => (a.source.file < b.source.file ? -1 : a.source.file > b.source.file ? 1 : a.key < b.key ? -1 : 1))
    .map((note) => {
      const { file: own } = note.source;
      const format = note.format === 'markdown' && depthOf(note) > MARKDOWN_LEVELS_MAX ? 'org' : note.format;
      const isOwn = isSafeFile(own) && formatOf(own) === format && !taken.has(own.toLowerCase());
      const file = isOwn ? own : `memory/${note.key.slice(0, 16)}${ENDINGS[format]}`;
      taken.add(file.toLowerCase());
      return { file, text: renderNote(inFile(note, file, format)) };
    });
};

/**
 * Hash of the document that an import would read in the file that an export would write now. It
 * can differ from the document in memory: a heading's key depends on the headings of its name
 * before it, so if one of two was forgotten, the other is taken for the first.
 * @returns undefined if the file could not be read
 */
export const hashExport = (root: StoredNote): string | undefined => {
  const [written] = planExport([root]);
  const format = written === undefined ? undefined : formatOf(written.file);
  if (written === undefined || format === undefined) return undefined;
  const parsed = parseNote(written.text, written.file, format);
  return parsed.kind === 'bad' ? undefined : hashNote(parsed.node);
};
