/**
 * Turns headings in a row into a tree. Each node's key is made of its own id, else of the headings
 * above it; a second one of the same name gets a number. Pure and linear.
 */
import { defined } from '../../../lib/core/base/defined.ts';
import {
  MEMORY_OBJECT_TAGS_MAX,
  MEMORY_PROPERTIES_MAX,
  MEMORY_PROPERTY_CHARS_MAX,
  MEMORY_PROPERTY_NAME_CHARS_MAX,
  MEMORY_TAG_CHARS_MAX,
  MEMORY_TITLE_CHARS_MAX,
} from '../../../lib/core/memory/limits.ts';
import {
  buildNoteKey,
  findId,
  NOTE_DEPTH_MAX,
  type NoteFormat,
  type NoteNode,
  type NoteProblem,
  type NoteProperties,
  type NoteProperty,
  oneLine,
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

const valueChars = (value: NoteProperty): number => Math.max(0, ...[value].flat().map(({ length }) => length));

const wordsOf = (value: NoteProperty): string => (typeof value === 'string' ? value : value.join(', '));

/** Parts that are too long for their place stand in the text: nothing of a file is lost. */
const fitSection = (section: Section, remark: (problem: string) => void): Section => {
  const isLongTag = (tag: string): boolean => tag.length > MEMORY_TAG_CHARS_MAX;
  const isLong = ([name, value]: readonly [string, NoteProperty]): boolean =>
    name.length > MEMORY_PROPERTY_NAME_CHARS_MAX || valueChars(value) > MEMORY_PROPERTY_CHARS_MAX;
  const moved: string[] = [];
  const { title } = section;
  if (title.length > MEMORY_TITLE_CHARS_MAX) {
    moved.push(title);
    const sizes = `${title.length} characters in a title, more than ${MEMORY_TITLE_CHARS_MAX}`;
    remark(`${sizes}: its beginning is the title, and all of it stands in the text`);
  }
  for (const tag of section.tags.filter(isLongTag)) {
    moved.push(`tags: ${oneLine(tag)}`);
    remark(`a tag of ${tag.length} characters is too long: it stands in the text`);
  }
  for (const [name, value] of Object.entries(section.properties).filter(isLong)) {
    moved.push(oneLine(`${name}: ${wordsOf(value)}`));
    remark(`the property ${name.slice(0, MEMORY_PROPERTY_NAME_CHARS_MAX)} is too long: it stands in the text`);
  }
  if (moved.length === 0) return section;
  // No line of it begins like a heading, a list or a mark of either format.
  const lines = moved.map((line) => line.replace(/^[^\p{L}\p{N}]+/u, ''));
  return {
    ...section,
    title: title.slice(0, MEMORY_TITLE_CHARS_MAX).toWellFormed().trim(),
    tags: section.tags.filter((tag) => !isLongTag(tag)),
    properties: Object.fromEntries(Object.entries(section.properties).filter((entry) => !isLong(entry))),
    content: [...lines, section.content].filter((line) => line !== '').join('\n\n'),
  };
};

const boundsProblem = ({ tags, properties }: Section): string | undefined => {
  const lists = Object.values(properties).map((value) => (typeof value === 'string' ? 1 : value.length));
  const bounds: readonly (readonly [number, number, string])[] = [
    [tags.length, MEMORY_OBJECT_TAGS_MAX, 'tags'],
    [Object.keys(properties).length, NOTE_PROPERTIES_MAX, 'properties'],
    [Math.max(0, ...lists), MEMORY_PROPERTIES_MAX, 'values of a property'],
  ];
  const broken = bounds.find(([count, max]) => count > max);
  return broken === undefined ? undefined : `${broken[0]} ${broken[2]}, more than ${broken[1]}: split the note`;
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

/** Too many tags or properties refuse the whole file: nobody sees that half a note is missing. */
export const buildTree = (
  file: string,
  format: NoteFormat,
  top: Section,
  below: readonly Section[],
  remarks: readonly NoteProblem[] = [],
): ParsedNotes => {
  const problems = [...remarks];
  const fitted = (section: Section): Section =>
    fitSection(section, (problem) => void problems.push({ file, line: section.line, problem }));
  const [document, sections] = [fitted(top), below.map(fitted)];
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
