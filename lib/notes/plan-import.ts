/**
 * What an import has to write: the nodes that memory does not hold as they are now, in batches that each fit one request,
 * parents before children. Running it again writes only what is missing, so an import that was cut off goes on where it was,
 * and one of an unchanged folder writes nothing. What an earlier import made and no file holds any more is listed, never
 * deleted here. Pure.
 */
import { createHash } from 'node:crypto';
import { NOTE_BATCH_BYTES_MAX, NOTE_BATCH_OBJECTS_MAX } from '../limits.ts';
import { type NoteNode, type NoteProblem, noteKeyOf } from './note.ts';
import { buildNoteObjects, type NoteObject, noteIdOf } from './note-object.ts';

/** What memory holds of an earlier import of this folder. */
export interface KnownNote {
  readonly hash: string;
  readonly file: string;
}

export interface ImportInput {
  readonly documents: readonly NoteNode[];
  /** By object id. */
  readonly known: ReadonlyMap<string, KnownNote>;
  /** Secret of the space. */
  readonly salt: string;
  /** Files that could not be read this time: what they held is not counted as gone. */
  readonly unread: ReadonlySet<string>;
}

export interface ImportBatch {
  /** Same objects, same id: a batch sent twice is one. 128 bits of hex. */
  readonly id: string;
  readonly objects: readonly NoteObject[];
}

export interface ImportPlan {
  readonly batches: readonly ImportBatch[];
  readonly newCount: number;
  readonly changedCount: number;
  readonly unchangedCount: number;
  /** In memory, and in no file any more. */
  readonly gone: readonly { readonly id: string; readonly file: string }[];
  readonly problems: readonly NoteProblem[];
}

const bytesOf = (object: NoteObject): number => Buffer.byteLength(JSON.stringify(object));

const buildBatch = (objects: readonly NoteObject[]): ImportBatch => ({
  id: createHash('sha256')
    .update(objects.map(({ id, hash }) => `${id}:${hash}`).join('\n'))
    .digest('hex')
    .slice(0, 32),
  objects,
});

const buildBatches = (objects: readonly NoteObject[]): readonly ImportBatch[] => {
  const batches: ImportBatch[] = [];
  let open: NoteObject[] = [];
  let bytes = 0;
  for (const object of objects) {
    const size = bytesOf(object);
    const isFull = open.length >= NOTE_BATCH_OBJECTS_MAX || bytes + size > NOTE_BATCH_BYTES_MAX;
    if (isFull && open.length > 0) {
      batches.push(buildBatch(open));
      open = [];
      bytes = 0;
    }
    open.push(object);
    bytes += size;
  }
  return open.length === 0 ? batches : [...batches, buildBatch(open)];
};

export const planImport = ({ documents, known, salt, unread }: ImportInput): ImportPlan => {
  const problems: NoteProblem[] = [];
  const taken = new Set<string>();
  const idFor = (node: NoteNode): string => {
    const id = noteIdOf(salt, node.key);
    if (!taken.has(id)) {
      taken.add(id);
      return id;
    }
    // The same id in two files: the second note is another note.
    const { file, line } = node.source;
    problems.push({ file, line, problem: 'an id that another file has too: kept as a note of its own' });
    let n = 0;
    let other = id;
    for (; taken.has(other); n += 1) other = noteIdOf(salt, noteKeyOf([node.key, file, String(n)]));
    taken.add(other);
    return other;
  };
  const objects = documents.flatMap((node) => buildNoteObjects(node, idFor, { salt, parentId: undefined, order: 0 }));
  const present = new Set(objects.map(({ id }) => id));
  const toWrite = objects.filter(({ id, hash }) => known.get(id)?.hash !== hash);
  return {
    batches: buildBatches(toWrite),
    newCount: toWrite.filter(({ id }) => !known.has(id)).length,
    changedCount: toWrite.filter(({ id }) => known.has(id)).length,
    unchangedCount: objects.length - toWrite.length,
    gone: [...known]
      .filter(([id, { file }]) => !present.has(id) && !unread.has(file))
      .map(([id, { file }]) => ({ id, file }))
      .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.id < b.id ? -1 : 1)),
    problems,
  };
};

/** One line on how far an import is. */
export const renderProgress = (done: number, total: number, what: string): string =>
  `${total === 0 ? 100 : Math.floor((100 * done) / total)} %  ${done} of ${total}  ${what}`;
