/** A note as a tree, the form that import, export and memory share. Pure. */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { KIB } from '../../../lib/core/base/limits.ts';
import { MEMORY_DEPTH_MAX } from '../../../lib/core/memory/limits.ts';

/** One file of notes: books are smaller, and its tree is held in memory while it is read. */
export const NOTE_FILE_BYTES_MAX = 4 * 1024 * KIB;
/** Memory has one level more, for the parts of a long text. Deeper headings stay on the last. */
export const NOTE_DEPTH_MAX = MEMORY_DEPTH_MAX - 1;

export const NoteFormat = z.enum(['markdown', 'org']);
export type NoteFormat = z.infer<typeof NoteFormat>;

/** A text, or a list of texts. A deeper value of front matter is kept as its JSON text. */
export const NoteProperty = z.union([z.string(), z.array(z.string())]);
export type NoteProperty = string | readonly string[];

export type NoteProperties = Readonly<Record<string, NoteProperty>>;

export const copyProperties = (properties: NoteProperties): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  );

/** A word that can stand before a title in both formats. */
export const TodoState = z.string().check(z.regex(/^[\p{L}\p{N}_-]{1,32}$/u));

export interface NoteNode {
  /** Names the node across imports, by its id or its place: 128 bits of hex without content. */
  readonly key: string;
  readonly title: string;
  readonly content: string;
  /** In the order of their code units. A child has its ancestors' tags without repeating them. */
  readonly tags: readonly string[];
  readonly todo?: string | undefined;
  /** `id` (or Org's `ID`) is among them. */
  readonly properties: NoteProperties;
  readonly children: readonly NoteNode[];
  readonly format: NoteFormat;
  /** File inside the folder, with `/`; line of the heading, 1 for a document. */
  readonly source: { readonly file: string; readonly line: number };
}

export const listNodes = (node: NoteNode): readonly NoteNode[] => [node, ...node.children.flatMap(listNodes)];

/** Something a person should know about a file; `line` counts from 1. */
export interface NoteProblem {
  readonly file: string;
  readonly line: number;
  readonly problem: string;
}

/** A file as a tree, or why it is bad. Problems beside a tree are remarks: nothing was left out. */
export type ParsedNotes =
  | { readonly kind: 'notes'; readonly node: NoteNode; readonly problems: readonly NoteProblem[] }
  | { readonly kind: 'bad'; readonly problems: readonly NoteProblem[] };

/** JSON keeps two lists of parts from running together. */
export const buildNoteKey = (parts: readonly string[]): string =>
  createHash('sha256')
    .update(`passepartout/note-key\n${JSON.stringify(parts)}`)
    .digest('hex')
    .slice(0, 32);

/** Tags each once and in one order: it makes no difference where they were written. */
export const sortTags = (tags: readonly string[]): readonly string[] => [...new Set(tags)].sort();

/** The id that a note has itself: `id` in Markdown, `ID` in Org, whose names have no case. */
export const findId = (properties: NoteProperties): string | undefined => {
  const found = Object.entries(properties).find(([name]) => name.toLowerCase() === 'id')?.[1];
  return typeof found === 'string' && found.trim() !== '' ? found.trim() : undefined;
};

/** Notion adds the id of a page to its file's name. */
const PAGE_ID = / [0-9a-f]{32}$/;

/** The file's name without folders and ending: the title of a document that has none. */
export const fileStem = (file: string): string => {
  const name = file.slice(file.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return (dot > 0 ? name.slice(0, dot) : name).replace(PAGE_ID, '');
};

const MARKDOWN = /\.(?:md|markdown)$/i;
const ORG = /\.org$/i;

export const formatOf = (file: string): NoteFormat | undefined => {
  if (MARKDOWN.test(file)) return 'markdown';
  return ORG.test(file) ? 'org' : undefined;
};

const BYTE_ORDER_MARK = /^\ufeff+/;

export const withoutByteOrderMark = (text: string): string => text.replace(BYTE_ORDER_MARK, '');

const isBlank = (char: string | undefined): boolean => char === ' ' || char === '\t' || char === '\n' || char === '\r';

/** Without blanks at the end too; the first line keeps its indentation. */
export const trimBlankLines = (text: string): string => {
  let end = text.length;
  while (end > 0 && isBlank(text[end - 1])) end -= 1;
  let start = 0;
  for (let at = 0; at < end && isBlank(text[at]); at += 1) if (text[at] === '\n' || text[at] === '\r') start = at + 1;
  return text.slice(start, end);
};

/** Line breaks become one space each: a title or a value is one line. */
export const oneLine = (text: string): string => text.replace(/[ \t]*[\r\n\v\f\u2028\u2029]+[ \t]*/g, ' ').trim();

/** The line of an offset, from 1, for offsets that only grow: linear over all of them. */
export const buildLineCounter = (text: string): ((offset: number) => number) => {
  let line = 1;
  let at = 0;
  return (offset) => {
    for (; at < offset; at += 1) if (text[at] === '\n' || (text[at] === '\r' && text[at + 1] !== '\n')) line += 1;
    return line;
  };
};
