/**
 * Plans what an import sends: one tree for each file that memory does not hold as it is now. So an
 * import that was cut off goes on where it ended, and an unchanged folder sends nothing. A file
 * that lost notes is held back and its losses are listed, unless they are meant. Documents whose
 * file is gone are listed and never touched. Memory cannot recognise a forgotten note: of a file
 * with forgotten notes, unknown ones are left out and listed, unless they are meant. Pure.
 */
import { defined } from '../../../lib/base/defined.ts';
import type { TreeNode } from '../../../lib/memory/ingest.ts';
import { buildMemoryTree, hashNote } from './memory-tree.ts';
import { buildNoteKey, type NoteNode, type NoteProblem } from './note.ts';

/** A document that an earlier import made. */
export interface KnownDocument {
  /** Its key in memory. */
  readonly key: string;
  readonly file: string;
  /** Hash of the document as memory has it now. */
  readonly hash: string;
  /** Hash of the file that an export would write of it (`hashExport`). */
  readonly exportHash?: string;
  /** A note of it was forgotten. */
  readonly hasForgotten?: boolean;
  /** It came from no file, so nobody misses one. */
  readonly isLoose?: boolean;
  /** Object of a note that came from no file. */
  readonly rootId?: string;
  /** Key and title of every note of it. */
  readonly notes: readonly { readonly key: string; readonly title: string }[];
}

export interface ImportInput {
  readonly documents: readonly NoteNode[];
  readonly known: readonly KnownDocument[];
  /** Files that could not be read this time: their notes do not count as gone. */
  readonly unread: ReadonlySet<string>;
  /** Whether notes that are in no file any more may leave memory. */
  readonly mayRemove: boolean;
  /** Whether notes may go in that may be forgotten ones. */
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
  /** Notes left out because notes of their files were forgotten: these may be them. */
  readonly leftOut: readonly Gone[];
  /** Documents whose file is not in the folder any more. */
  readonly gone: readonly Gone[];
  readonly problems: readonly NoteProblem[];
}

const listKeys = (node: NoteNode): readonly string[] => [node.key, ...node.children.flatMap(listKeys)];

/** Gives a note a key of its own if another file has its key: somebody copied an id. */
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

const findGone = (node: NoteNode, known: KnownDocument): Gone => {
  const keys = new Set(listKeys(node));
  return { file: known.file, titles: known.notes.filter(({ key }) => !keys.has(key)).map(({ title }) => title) };
};

/** A document without the notes that memory does not have; and the titles of those. */
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

const isUnchanged = (node: NoteNode, known: KnownDocument): boolean => {
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
  /** The part of a document that may go in; undefined if memory has all of it. */
  const newsOf = (document: NoteNode): NoteNode | undefined => {
    const { file } = document.source;
    const old = byKey.get(document.key);
    if (old === undefined) return document;
    if (isUnchanged(document, old)) return undefined;
    if (old.hasForgotten !== true || mayReturn) return document;
    const { node, titles } = withoutNew(document, new Set(old.notes.map(({ key }) => key)));
    if (titles.length > 0) leftOut.push({ file, titles });
    return isUnchanged(node, old) ? undefined : node;
  };
  for (const document of documents.map((one) => withOwnKeys(one, taken, problems))) {
    const { file } = document.source;
    const old = byKey.get(document.key);
    const news = newsOf(document);
    const lost = news === undefined || old === undefined ? undefined : findGone(news, old);
    if (news === undefined) unchangedCount += 1;
    else if (lost !== undefined && lost.titles.length > 0 && !mayRemove) heldBack.push({ ...lost, file });
    else
      steps.push({
        file,
        tree: buildMemoryTree(news),
        noteCount: listKeys(news).length,
        ...defined({ rootId: old?.rootId }),
      });
  }
  const gone = known
    .filter(({ key, file, isLoose }) => isLoose !== true && !taken.has(key) && !unread.has(file))
    .map(({ file, notes }) => ({ file, titles: notes.map(({ title }) => title) }))
    .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
  return { steps, unchangedCount, heldBack, leftOut, gone, problems };
};
