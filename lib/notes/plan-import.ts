/**
 * What an import has to send: one tree a file, for files that memory does not hold as they are now. Running it again sends only
 * what is missing, so an import that was cut off goes on where it was, and one of an unchanged folder sends nothing; inside a
 * tree memory skips what has not changed. A file that lost notes is held back and its losses are listed, unless losing them is
 * meant; what came from a file that is gone is listed and never touched. Pure.
 */
import type { TreeNode } from '../memory/ingest.ts';
import { buildMemoryTree, noteHashOf } from './memory-tree.ts';
import { type NoteNode, type NoteProblem, noteKeyOf } from './note.ts';

/** A document an earlier import made. */
export interface KnownDocument {
  /** Its key in memory. */
  readonly key: string;
  readonly file: string;
  readonly hash: string;
  /** Hash of what an export writes of it now: other than that where some of it was forgotten, or changed in memory, since. */
  readonly hashNow?: string;
  /** It came from no file: nobody misses one. */
  readonly isLoose?: boolean;
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
}

export interface ImportStep {
  readonly file: string;
  readonly tree: TreeNode;
  /** Same tree, same id: a step sent twice is one. 128 bits of hex. */
  readonly id: string;
  readonly noteCount: number;
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
  /** Documents whose file is not in the folder any more. */
  readonly gone: readonly Gone[];
  readonly problems: readonly NoteProblem[];
}

const keysIn = (node: NoteNode): readonly string[] => [node.key, ...node.children.flatMap(keysIn)];

/** Notes with a key that another file has already get one of their own: an id copied from file to file. */
const withOwnKeys = (node: NoteNode, taken: Set<string>, problems: NoteProblem[]): NoteNode => {
  let { key } = node;
  if (taken.has(key)) {
    const { file, line } = node.source;
    problems.push({ file, line, problem: 'an id that another file has too: kept as a note of its own' });
    for (let n = 0; taken.has(key); n += 1) key = noteKeyOf([node.key, file, String(n)]);
  }
  taken.add(key);
  return { ...node, key, children: node.children.map((child) => withOwnKeys(child, taken, problems)) };
};

const goneFrom = (node: NoteNode, known: KnownDocument): Gone => {
  const keys = new Set(keysIn(node));
  return { file: known.file, titles: known.notes.filter(({ key }) => !keys.has(key)).map(({ title }) => title) };
};

export const planImport = ({ documents, known, unread, mayRemove }: ImportInput): ImportPlan => {
  const problems: NoteProblem[] = [];
  const taken = new Set<string>();
  const byKey = new Map(known.map((document) => [document.key, document]));
  const steps: ImportStep[] = [];
  const heldBack: Gone[] = [];
  let unchangedCount = 0;
  for (const document of documents.map((one) => withOwnKeys(one, taken, problems))) {
    const { file } = document.source;
    const old = byKey.get(document.key);
    const hash = noteHashOf(document);
    if (old !== undefined && (old.hash === hash || old.hashNow === hash)) {
      unchangedCount += 1;
      continue;
    }
    const lost = old === undefined ? undefined : goneFrom(document, old);
    if (lost !== undefined && lost.titles.length > 0 && !mayRemove) heldBack.push({ ...lost, file });
    else
      steps.push({ file, tree: buildMemoryTree(document), id: hash.slice(0, 32), noteCount: keysIn(document).length });
  }
  const gone = known
    .filter(({ key, file, isLoose }) => isLoose !== true && !taken.has(key) && !unread.has(file))
    .map(({ file, notes }) => ({ file, titles: notes.map(({ title }) => title) }))
    .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
  return { steps, unchangedCount, heldBack, gone, problems };
};

/** One line on how far an import is. */
export const renderProgress = (done: number, total: number, what: string): string =>
  `${total === 0 ? 100 : Math.floor((100 * done) / total)} %  ${done} of ${total}  ${what}`;
