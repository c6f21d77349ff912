/**
 * The files an export writes: objects of memory become trees again, each document its file in its own format. A note that
 * came from no file gets one named by its id. A file name that leads out of the folder, hides, or names a place of secrets is
 * not used. Pure.
 */
import { findSecretPath } from '../gates/find-secret-path.ts';
import { NOTE_DEPTH_MAX } from '../limits.ts';
import { formatOf, type NoteFormat, type NoteNode } from './note.ts';
import type { NoteObject } from './note-object.ts';
import { renderNote } from './parse-note.ts';

export interface ExportFile {
  /** Path inside the folder, with `/`. */
  readonly file: string;
  readonly text: string;
}

export type ExportObject = Omit<NoteObject, 'hash'>;

const MARKDOWN_LEVELS_MAX = 6;
const ENDINGS: Readonly<Record<NoteFormat, string>> = { markdown: '.md', org: '.org' };

// biome-ignore lint/suspicious/noControlCharactersInRegex: a file name with them is not used
const UNSAFE = /[\\\u0000-\u001f\u007f]/;

/** Whether a file of this name may be written inside the folder. */
const isSafeFile = (file: string): boolean =>
  formatOf(file) !== undefined &&
  !UNSAFE.test(file) &&
  file.split('/').every((part) => part !== '' && !part.startsWith('.') && part.length <= 200) &&
  findSecretPath(file) === undefined;

const depthOf = (node: NoteNode): number =>
  node.children.reduce((depth, child) => Math.max(depth, 1 + depthOf(child)), 0);

const byOrder = (a: ExportObject, b: ExportObject): number => a.order - b.order || (a.id < b.id ? -1 : 1);

const groupByParent = (objects: readonly ExportObject[]): ReadonlyMap<string, readonly ExportObject[]> => {
  const groups = new Map<string, ExportObject[]>();
  for (const object of objects) {
    if (object.parentId === undefined) continue;
    const group = groups.get(object.parentId);
    if (group === undefined) groups.set(object.parentId, [object]);
    else group.push(object);
  }
  return groups;
};

const buildNode = (
  object: ExportObject,
  below: ReadonlyMap<string, readonly ExportObject[]>,
  file: string,
  format: NoteFormat,
  depth: number,
): NoteNode => {
  const inside = depth >= NOTE_DEPTH_MAX ? [] : [...(below.get(object.id) ?? [])].sort(byOrder);
  const parts = inside.filter(({ part }) => part !== undefined);
  return {
    key: object.id,
    title: object.title,
    content: [object.content, ...parts.map(({ content }) => content)].join(''),
    tags: object.tags,
    ...(object.todo === undefined ? {} : { todo: object.todo }),
    properties: object.properties,
    children: inside
      .filter(({ part }) => part === undefined)
      .map((child) => buildNode(child, below, file, format, depth + 1)),
    format,
    source: { file, line: 1 },
  };
};

/** Objects whose parent is not among them begin a file of their own, so that nothing is left out. */
export const planExport = (objects: readonly ExportObject[]): readonly ExportFile[] => {
  const ids = new Set(objects.map(({ id }) => id));
  const below = groupByParent(objects);
  const roots = objects.filter(
    ({ parentId, part }) => part === undefined && (parentId === undefined || !ids.has(parentId)),
  );
  const taken = new Set<string>();
  return [...roots]
    .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : byOrder(a, b)))
    .map((root) => {
      const isOwnFile = root.parentId === undefined && isSafeFile(root.file) && !taken.has(root.file.toLowerCase());
      const bare = buildNode(root, below, root.file, root.format, 1);
      const format = bare.format === 'markdown' && depthOf(bare) > MARKDOWN_LEVELS_MAX ? 'org' : bare.format;
      const file =
        isOwnFile && formatOf(root.file) === format ? root.file : `notes/${root.id.slice(0, 16)}${ENDINGS[format]}`;
      taken.add(file.toLowerCase());
      return { file, text: renderNote(buildNode(root, below, file, format, 1)) };
    });
};
