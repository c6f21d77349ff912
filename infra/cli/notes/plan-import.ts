/**
 * What an import has to send: one tree a file, for files that memory does not hold as they are now.
 * Running it again sends only what is missing, so an import that was cut off goes on where it was,
 * and one of an unchanged folder sends nothing; inside a tree memory skips what has not changed. A
 * file that lost notes is held back and its losses are listed, unless losing them is meant; what
 * came from a file that is gone is listed and never touched. Memory keeps nothing by which it would
 * know again what was forgotten: of a file with forgotten notes, those it does not have are left
 * out and listed, unless they are meant. Pure.
 */
import { defined } from '../../../lib/base/defined.ts';
import type { TreeNode } from '../../../lib/memory/ingest.ts';
import { buildMemoryTree, hashNote } from './memory-tree.ts';
import { buildNoteKey, type NoteNode, type NoteProblem } from './note.ts';

/** A document an earlier import made. */
export interface KnownDocument {
  /** Its key in memory. */
  readonly key: string;
  readonly file: string;
  /** Of what memory says of it now. */
  readonly hash: string;
  /**
   * The same of what an export writes of it: other than that where of two headings alike one was
   * forgotten.
   */
  readonly exportHash?: string;
  /** A note of it was forgotten. */
  readonly hasForgotten?: boolean;
  /** It came from no file: nobody misses one. */
  readonly isLoose?: boolean;
  /** Object of a note that came from no file. */
  readonly rootId?: string;
  /** Key and title of every note of it. */
  readonly notes: readonly { readonly key: string; readonly title: string }[];
}

export interface ImportInput {
  readonly documents: readonly NoteNode[];
  readonly known: readonly KnownDocument[];
  /** Files that could not be read this time: what they held does not count as gone. */
  readonly unread: ReadonlySet<string>;
  /** Whether notes that are in no file any more may go from memory. */
  readonly mayRemove: boolean;
  /** Whether notes go in that may be forgotten ones. */
  readonly mayReturn: boolean;
}

export interface ImportStep {
  readonly file: string;
  readonly tree: TreeNode;
  readonly noteCount: number;
  /** The object to change, if the note came from no file. */
  readonly rootId?: string;
}

export interface Gone {
  readonly file: string;
  readonly titles: readonly string[];
}

export interface ImportPlan {
  readonly steps: readonly ImportStep[];
  readonly unchangedCount: number;
  /** Files held back because notes are gone from them. */
  readonly heldBack: readonly Gone[];
  /** Notes left out because others of their files were forgotten: these may be them. */
  readonly leftOut: readonly Gone[];
  /** Documents whose file is not in the folder any more. */
  readonly gone: readonly Gone[];
  readonly problems: readonly NoteProblem[];
}

const keysIn = (node: NoteNode): readonly string[] => [node.key, ...node.children.flatMap(keysIn)];

/**
 * Notes with a key that another file has already get one of their own: an id copied from file to
 * file.
 */
const withOwnKeys = (node: NoteNode, taken: Set<string>, problems: NoteProblem[]): NoteNode => {
  let { key } = node;
  if (taken.has(key)) {
    const { file, line } = node.source;
    problems.push({ file, line, problem: 'an id that another file has too: kept as a note of its own' });
    for (let n = 0; taken.has(key); n += 1) key = buildNoteKey([node.key, file, String(n)]);
  }
  taken.add(key);
  return { ...node, key, children: node.children.map((child) => withOwnKeys(child, taken, problems)) };
};

const goneFrom = (node: NoteNode, known: KnownDocument): Gone => {
  const keys = new Set(keysIn(node));
  return { file: known.file, titles: known.notes.filter(({ key }) => !keys.has(key)).map(({ title }) => title) };
};

/** A document without the notes that memory does not have, and their titles. */
const withoutNew = (
  node: NoteNode,
  keys: ReadonlySet<string>,
): { readonly node: NoteNode; readonly titles: readonly string[] } => {
  const kept = node.children.filter(({ key }) => keys.has(key)).map((child) => withoutNew(child, keys));
  const left = node.children.filter(({ key }) => !keys.has(key)).map(({ title }) => title);
  return {
    node: { ...node, children: kept.map((one) => one.node) },
    titles: [...left, ...kept.flatMap((one) => one.titles)],
  };
};

const isSame = (node: NoteNode, known: KnownDocument): boolean => {
  const hash = hashNote(node);
  return hash === known.hash || hash === known.exportHash;
};

export const planImport = ({ documents, known, unread, mayRemove, mayReturn }: ImportInput): ImportPlan => {
  const problems: NoteProblem[] = [];
  const taken = new Set<string>();
  const byKey = new Map(known.map((document) => [document.key, document]));
  const steps: ImportStep[] = [];
  const heldBack: Gone[] = [];
  const leftOut: Gone[] = [];
  let unchangedCount = 0;
  /** What of a document may go in, where it is not all there already. */
  const newsOf = (document: NoteNode): NoteNode | undefined => {
    const { file } = document.source;
    const old = byKey.get(document.key);
    if (old === undefined) return document;
    if (isSame(document, old)) return undefined;
    if (old.hasForgotten !== true || mayReturn) return document;
    const { node, titles } = withoutNew(document, new Set(old.notes.map(({ key }) => key)));
    if (titles.length > 0) leftOut.push({ file, titles });
    return isSame(node, old) ? undefined : node;
  };
  for (const document of documents.map((one) => withOwnKeys(one, taken, problems))) {
    const { file } = document.source;
    const old = byKey.get(document.key);
    const news = newsOf(document);
    const lost = news === undefined || old === undefined ? undefined : goneFrom(news, old);
    if (news === undefined) unchangedCount += 1;
    else if (lost !== undefined && lost.titles.length > 0 && !mayRemove) heldBack.push({ ...lost, file });
    else
      steps.push({
        file,
        tree: buildMemoryTree(news),
        noteCount: keysIn(news).length,
        ...defined({ rootId: old?.rootId }),
      });
  }
  const gone = known
    .filter(({ key, file, isLoose }) => isLoose !== true && !taken.has(key) && !unread.has(file))
    .map(({ file, notes }) => ({ file, titles: notes.map(({ title }) => title) }))
    .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
  return { steps, unchangedCount, heldBack, leftOut, gone, problems };
};
