/**
 * Turns headings in a row into a tree. Each node's key is made of its own id, else of the headings
 * above it; a second one of the same name gets a number. Pure and linear.
 */
import { defined } from '../../../lib/base/defined.ts';
import {
  MEMORY_OBJECT_TAGS_MAX,
  MEMORY_PROPERTIES_MAX,
  MEMORY_PROPERTY_CHARS_MAX,
  MEMORY_PROPERTY_NAME_CHARS_MAX,
  MEMORY_TAG_CHARS_MAX,
  MEMORY_TITLE_CHARS_MAX,
} from '../../../lib/memory/limits.ts';
import {
  buildNoteKey,
  findId,
  NOTE_DEPTH_MAX,
  type NoteFormat,
  type NoteNode,
  type NoteProblem,
  type NoteProperties,
  type ParsedNotes,
  sortTags,
} from './note.ts';

const NOTE_PROPERTIES_MAX = MEMORY_PROPERTIES_MAX - 6;

/** A heading with what stands under it. `level` counts from 1; a document has 0. */
export interface Section {
  readonly level: number;
  readonly line: number;
  readonly title: string;
  readonly content: string;
  readonly tags: readonly string[];
  readonly todo?: string | undefined;
  readonly properties: NoteProperties;
}

interface Growing extends NoteNode {
  readonly children: Growing[];
}

interface Open {
  readonly level: number;
  readonly node: Growing;
  readonly path: readonly string[];
  readonly names: Map<string, number>;
}

const longestValue = (properties: NoteProperties): number =>
  Math.max(
    0,
    ...Object.values(properties)
      .flat()
      .map(({ length }) => length),
  );

const boundsProblem = ({ title, tags, properties }: Section): string | undefined => {
  const names = Object.keys(properties);
  const lists = Object.values(properties).map((value) => (typeof value === 'string' ? 1 : value.length));
  const bounds: readonly (readonly [number, number, string])[] = [
    [title.length, MEMORY_TITLE_CHARS_MAX, 'characters in a title'],
    [tags.length, MEMORY_OBJECT_TAGS_MAX, 'tags'],
    [Math.max(0, ...tags.map(({ length }) => length)), MEMORY_TAG_CHARS_MAX, 'characters in a tag'],
    [names.length, NOTE_PROPERTIES_MAX, 'properties'],
    [
      Math.max(0, ...names.map(({ length }) => length)),
      MEMORY_PROPERTY_NAME_CHARS_MAX,
      "characters in a property's name",
    ],
    [longestValue(properties), MEMORY_PROPERTY_CHARS_MAX, 'characters in a property'],
    [Math.max(0, ...lists), MEMORY_PROPERTIES_MAX, 'values of a property'],
  ];
  const broken = bounds.find(([count, max]) => count > max);
  return broken === undefined ? undefined : `${broken[0]} ${broken[2]}, more than ${broken[1]}`;
};

const buildNode = (section: Section, key: string, format: NoteFormat, file: string): Growing => ({
  key,
  title: section.title,
  content: section.content,
  tags: sortTags(section.tags),
  ...defined({ todo: section.todo }),
  properties: section.properties,
  children: [],
  format,
  source: { file, line: section.line },
});

/** Names each section by its id, unless another of the file has that id; else by its place. */
const buildNaming = (file: string, problems: NoteProblem[]) => {
  const ids = new Set<string>();
  return (section: Section, parent: Open | undefined): { readonly key: string; readonly path: readonly string[] } => {
    const count = parent?.names.get(section.title) ?? 0;
    parent?.names.set(section.title, count + 1);
    const path = parent === undefined ? [] : [...parent.path, section.title, String(count)];
    const id = findId(section.properties);
    if (id !== undefined && !ids.has(id)) {
      ids.add(id);
      return { key: buildNoteKey(['id', id]), path };
    }
    if (id !== undefined)
      problems.push({ file, line: section.line, problem: 'the same id twice: the second is kept by its place' });
    return { key: buildNoteKey(['place', file, ...path]), path };
  };
};

/** One bound passed refuses the whole file: nobody sees that half a note is missing. */
export const buildTree = (
  file: string,
  format: NoteFormat,
  document: Section,
  sections: readonly Section[],
  remarks: readonly NoteProblem[] = [],
): ParsedNotes => {
  const problems = [...remarks];
  for (const section of [document, ...sections]) {
    const problem = boundsProblem(section);
    if (problem !== undefined) return { kind: 'bad', problems: [{ file, line: section.line, problem }] };
  }
  const nameOf = buildNaming(file, problems);
  const root = nameOf(document, undefined);
  const node = buildNode(document, root.key, format, file);
  const open: Open[] = [{ level: 0, node, path: root.path, names: new Map() }];
  let hasDeep = false;
  for (const section of sections) {
    while (open.length > 1 && (open.at(-1)?.level ?? 0) >= section.level) open.pop();
    if (open.length >= NOTE_DEPTH_MAX) {
      if (!hasDeep)
        problems.push({
          file,
          line: section.line,
          problem: `deeper than ${NOTE_DEPTH_MAX} levels: kept on the last one`,
        });
      hasDeep = true;
      open.pop();
    }
    const parent = open.at(-1);
    if (parent === undefined) break;
    const { key, path } = nameOf(section, parent);
    const child = buildNode(section, key, format, file);
    parent.node.children.push(child);
    open.push({ level: section.level, node: child, path, names: new Map() });
  }
  return { kind: 'notes', node, problems };
};
