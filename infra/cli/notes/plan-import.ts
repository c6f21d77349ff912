/**
 * Plans what an import sends: one tree for each file that memory does not hold as it is. A file
 * that lost notes is held back, and of one with forgotten notes unknown ones are left out, unless
 * that is meant: memory cannot recognise a forgotten note. Documents without a file are only
 * listed. Pure.
 */
import { defined } from '../../../lib/core/base/defined.ts';
import type { TreeNode } from '../../../lib/core/memory/ingest.ts';
import type { KnownDocument } from './known-document.ts';
import { matchNotes, withIdKeys } from './match-notes.ts';
import { buildMemoryTree, hashNote } from './memory-tree.ts';
import { buildNoteKey, listNodes, type NoteNode, type NoteProblem } from './note.ts';

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
  /** The whole tree leaves memory. */
  readonly isGone?: true;
  /** Hash that the root must have in memory, '' for none; absent for any. */
  readonly seen?: string;
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

const listKeys = (node: NoteNode): readonly string[] => listNodes(node).map(({ key }) => key);

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

const findGone = (node: NoteNode, { file, stored }: KnownDocument): Gone => {
  const keys = new Set(listKeys(node));
  return {
    file,
    titles: listNodes(stored).flatMap(({ key, title }) => (keys.has(key) ? [] : [title])),
  };
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

const isUnchanged = (node: NoteNode, { stored }: KnownDocument): boolean => hashNote(node) === hashNote(stored);

/** The file of a note that came from none: as an export names it. */
const findLoose = (known: readonly KnownDocument[], { source }: NoteNode): KnownDocument | undefined =>
  known.find(({ isLoose, file }) => isLoose && file === source.file);

/** The document with memory's keys, if memory has it. */
const recognise = (document: NoteNode, input: ImportInput, ids: ReadonlySet<string>): NoteNode => {
  const named = withIdKeys(document, ids);
  const byKey = input.known.find(({ key }) => key === named.key);
  const old = byKey ?? findLoose(input.known, named);
  if (old === undefined || hashNote(document) === old.exportHash) return old?.stored ?? named;
  return matchNotes({ ...named, key: old.key }, old);
};

export const planImport = (input: ImportInput): ImportPlan => {
  const { documents, known, unread, mayRemove, mayReturn } = input;
  const ids = new Set(known.flatMap((one) => [...one.ids]));
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
    if (!old.hasForgotten || mayReturn) return document;
    const { node, titles } = withoutNew(document, new Set(listKeys(old.stored)));
    if (titles.length > 0) leftOut.push({ file, titles });
    return isUnchanged(node, old) ? undefined : node;
  };
  for (const one of documents) {
    const document = withOwnKeys(recognise(one, input, ids), taken, problems);
    const { file } = document.source;
    const old = byKey.get(document.key);
    const news = newsOf(document);
    const lost = news === undefined || old === undefined ? undefined : findGone(news, old);
    if (news === undefined) unchangedCount += 1;
    else if (lost !== undefined && lost.titles.length > 0 && !mayRemove) heldBack.push({ ...lost, file });
    else
      steps.push({
        file,
        tree: buildMemoryTree(news, old?.isLoose === true && old.file === file),
        noteCount: listKeys(news).length,
        ...defined({ rootId: old?.rootId }),
      });
  }
  const gone = known
    .filter(({ key, file, isLoose }) => !isLoose && !taken.has(key) && !unread.has(file))
    .map(({ file, stored }) => ({ file, titles: listNodes(stored).map(({ title }) => title) }))
    .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
  return { steps, unchangedCount, heldBack, leftOut, gone, problems };
};
