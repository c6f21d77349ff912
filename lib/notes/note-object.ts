/**
 * A node of a note as memory keeps it: flat, with an id that says nothing about it. The id follows from the node's key and a
 * secret of the space, so that the same note is the same object at every import and nobody can guess a title from an id.
 * Content longer than one object holds goes on in parts. Pure.
 */
import { createHmac } from 'node:crypto';
import { canonicalJson } from '../evidence/canonical.ts';
import { MEMORY_CONTENT_CHARS_MAX } from '../limits.ts';
import type { NoteFormat, NoteNode, NoteProperties } from './note.ts';

export interface NoteObject {
  /** 128 bits of hex. */
  readonly id: string;
  /** Absent for a document. */
  readonly parentId?: string | undefined;
  /** Place among its siblings, from 0; parts of a content come before the headings under it. */
  readonly order: number;
  /** Present where this is not a node of its own but goes on with its parent's content: 1, 2 … */
  readonly part?: number | undefined;
  readonly title: string;
  readonly content: string;
  readonly tags: readonly string[];
  readonly todo?: string | undefined;
  readonly properties: NoteProperties;
  readonly format: NoteFormat;
  readonly file: string;
  /** Of all of the above: equal hashes, nothing to write. */
  readonly hash: string;
}

/** @param salt secret of the space, at least 128 bits */
export const noteIdOf = (salt: string, key: string): string =>
  createHmac('sha256', salt).update(`passepartout/note-id\n${key}`).digest('hex').slice(0, 32);

const withHash = (salt: string, object: Omit<NoteObject, 'hash'>): NoteObject => ({
  ...object,
  // Keyed like the id: a bare hash of a short note could be guessed.
  hash: createHmac('sha256', salt)
    .update('passepartout/note-hash\n')
    .update(canonicalJson({ ...object, content: object.content.toWellFormed() }))
    .digest('hex'),
});

/** A content in pieces one object holds, cut after a line where there is one, never inside a character. */
export const splitContent = (content: string, charsMax: number = MEMORY_CONTENT_CHARS_MAX): readonly string[] => {
  const pieces: string[] = [];
  let at = 0;
  while (content.length - at > charsMax) {
    const line = content.lastIndexOf('\n', at + charsMax - 1);
    let end = line > at ? line + 1 : at + charsMax;
    const isInsideCharacter = /[\ud800-\udbff]/.test(content[end - 1] ?? '') && end - at > 1;
    if (isInsideCharacter) end -= 1;
    pieces.push(content.slice(at, end));
    at = end;
  }
  return [...pieces, content.slice(at)];
};

interface Place {
  readonly salt: string;
  readonly parentId: string | undefined;
  readonly order: number;
}

/** The objects of a tree, parents before children. `idFor` may give another id than the key's, where that one is taken. */
export const buildNoteObjects = (
  node: NoteNode,
  idFor: (node: NoteNode) => string,
  { salt, parentId, order }: Place,
): readonly NoteObject[] => {
  const id = idFor(node);
  const [content = '', ...parts] = splitContent(node.content);
  const { format } = node;
  const { file } = node.source;
  const own = withHash(salt, {
    id,
    ...(parentId === undefined ? {} : { parentId }),
    order,
    title: node.title,
    content,
    tags: node.tags,
    ...(node.todo === undefined ? {} : { todo: node.todo }),
    properties: node.properties,
    format,
    file,
  });
  const rest = parts.map((text, n) =>
    withHash(salt, {
      id: noteIdOf(salt, `${node.key}/part/${n + 1}`),
      parentId: id,
      order: n,
      part: n + 1,
      title: '',
      content: text,
      tags: [],
      properties: {},
      format,
      file,
    }),
  );
  const below = node.children.flatMap((child, n) =>
    buildNoteObjects(child, idFor, { salt, parentId: id, order: parts.length + n }),
  );
  return [own, ...rest, ...below];
};
