/**
 * A note as memory takes and gives it: a document is one tree, and a longer text goes on in parts.
 * No hash over the content is kept: with it one could guess a forgotten note (I10). Pure.
 */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../lib/core/base/canonical.ts';
import { defined } from '../../../lib/core/base/defined.ts';
import { MEMORY_CONTENT_CHARS_MAX } from '../../../lib/core/base/limits.ts';
import type { TreeNode } from '../../../lib/core/memory/ingest.ts';
import { findLinks } from '../../../lib/core/memory/links.ts';
import type { ObjectAttributes } from '../../../lib/core/memory/object-parts.ts';
import { copyProperties, NOTE_DEPTH_MAX, NoteFormat, type NoteNode, type NoteProperties } from './note.ts';

export interface StoredNote {
  /** Its key from a file, or else its id. */
  readonly id: string;
  readonly objectId?: string;
  readonly origin?: string | undefined;
  readonly version?: number | undefined;
  /** Of the object: covers its words and all below it. */
  readonly hash?: string | undefined;
  /** It has no key from a file: an export writes its id, and by that an import knows it. */
  readonly isKeyless?: boolean;
  readonly attributes: ObjectAttributes;
  readonly content: string;
  readonly children: readonly StoredNote[];
  /** A note right below it was forgotten. */
  readonly hasForgotten?: boolean;
}

const PREFIX = 'passepartout:';
const FILE = `${PREFIX}file`;
const FORMAT = `${PREFIX}format`;
const PART = `${PREFIX}part`;
const FOLDER = `${PREFIX}folder`;

/** Pieces that fit one object, cut after a line if there is one, never inside a character. */
export const splitContent = (content: string, charsMax: number = MEMORY_CONTENT_CHARS_MAX): readonly string[] => {
  const pieces: string[] = [];
  let at = 0;
  while (content.length - at > charsMax) {
    const line = content.lastIndexOf('\n', at + charsMax - 1);
    let end = line > at ? line + 1 : at + charsMax;
    if (/[\ud800-\udbff]/.test(content[end - 1] ?? '') && end - at > 1) end -= 1;
    pieces.push(content.slice(at, end));
    at = end;
  }
  return [...pieces, content.slice(at)];
};

/** Without the names of an import. */
const dropImportProperties = (properties: NoteProperties): NoteProperties =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => !name.startsWith(PREFIX)));

/** Hash of the whole document without its line numbers: only for comparing, and kept nowhere. */
export const hashNote = (node: NoteNode): string => {
  const plain = (one: NoteNode): unknown => [
    one.key,
    one.title,
    one.content.toWellFormed(),
    one.tags,
    one.todo ?? null,
    dropImportProperties(one.properties),
    one.children.map(plain),
  ];
  return createHash('sha256')
    .update(`passepartout/note\n${canonicalJson([node.format, node.source.file, plain(node)])}`)
    .digest('hex');
};

const buildNode = (node: NoteNode, type: 'document' | 'headline', more: NoteProperties): TreeNode => {
  const [content = '', ...parts] = splitContent(node.content);
  const properties = { ...dropImportProperties(node.properties), ...more };
  const links = findLinks(node.content);
  return {
    key: node.key,
    type,
    attributes: {
      ...(node.title === '' ? {} : { title: node.title }),
      tags: [...node.tags],
      ...defined({ todo: node.todo }),
      ...(Object.keys(properties).length === 0 ? {} : { properties: copyProperties(properties) }),
      ...(links.length === 0 ? {} : { links: [...links] }),
    },
    content,
    children: [
      ...parts.map(
        (text, n): TreeNode => ({
          key: `${node.key}/${n + 1}`,
          type: 'note',
          attributes: { tags: [], properties: { [PART]: String(n + 1) } },
          content: text,
          children: [],
        }),
      ),
      ...node.children.map((child) => buildNode(child, 'headline', {})),
    ],
  };
};

/**
 * The tree of a document, as memory takes it. @param isLoose it belongs to no file
 * @param folder that is kept in step with memory, by its random id
 */
export const buildMemoryTree = (document: NoteNode, isLoose = false, folder?: string): TreeNode =>
  buildNode(
    document,
    'document',
    isLoose
      ? {}
      : {
          [FILE]: document.source.file,
          [FORMAT]: document.format,
          ...(folder === undefined ? {} : { [FOLDER]: folder }),
        },
  );

const readProperty = ({ attributes }: StoredNote, name: string): string | undefined => {
  const value = attributes.properties?.[name];
  return typeof value === 'string' ? value : undefined;
};

/** Whether it is a further part of a long text, and no note of its own. */
export const isPart = (stored: StoredNote): boolean => readProperty(stored, PART) !== undefined;

/** The file that a document was imported from; undefined on any other note. */
export const findFileName = (stored: StoredNote): string | undefined => readProperty(stored, FILE);

/** The folder that a document is kept in step with. */
export const findFolder = (stored: StoredNote): string | undefined => readProperty(stored, FOLDER);

/** The note of an object and all under it. A note from no file is Markdown without a file name. */
export const buildNoteFromMemory = (
  stored: StoredNote,
  from?: Pick<NoteNode, 'format' | 'source'>,
  depth = 1,
): NoteNode => {
  const format = from?.format ?? NoteFormat.safeParse(readProperty(stored, FORMAT)).data ?? 'markdown';
  const source = from?.source ?? { file: readProperty(stored, FILE) ?? '', line: 1 };
  const inside = depth >= NOTE_DEPTH_MAX + 1 ? [] : stored.children;
  const parts = inside.filter(isPart);
  const { attributes } = stored;
  return {
    key: stored.id,
    title: attributes.title ?? '',
    content: [stored.content, ...parts.map(({ content }) => content)].join(''),
    tags: attributes.tags,
    ...defined({ todo: attributes.todo }),
    properties: dropImportProperties(attributes.properties ?? {}),
    children: inside
      .filter((child) => !isPart(child))
      .map((child) => buildNoteFromMemory(child, { format, source }, depth + 1)),
    format,
    source,
  };
};
