/**
 * One round: reads a folder and memory, merges each document, sends what the files changed as an
 * import does, and writes what memory changed. What both changed is kept twice and asked about.
 * Each step leaves both sides whole: a round that dies is repeated without a loss.
 */
import { createHash } from 'node:crypto';
import { defined } from '../../../../lib/core/base/defined.ts';
import { isMarkedPrivate } from '../../../../lib/core/text/privacy.ts';
import { describeKnown, type KnownDocument } from '../../../cli/notes/known-document.ts';
import { keepRepeated } from '../../../cli/notes/match-notes.ts';
import { buildMemoryTree, hashNote, type StoredNote } from '../../../cli/notes/memory-tree.ts';
import { buildNoteKey, listNodes, type NoteNode, type NoteProblem } from '../../../cli/notes/note.ts';
import { renderPart } from '../../../cli/notes/parse-note.ts';
import type { ImportStep } from '../../../cli/notes/plan-import.ts';
import { identify, memoryTree } from './identify.ts';
import { type Doubt, type Merged, merge, type Side } from './merge.ts';
import { hasOriginMark, KEEP_PROPERTY, ownHash, withoutMarks } from './own-hash.ts';
import { type ReadFile, type ReadFolder, readFolder } from './read-folder.ts';
import { rewrite, sourceOf } from './rewrite.ts';
import { loadState, type Question, type State, type StateFile, type StateNote, saveState } from './state.ts';
import { isThere, keepInTrash, moveToTrash, replaceFile, writeCopy } from './write-files.ts';

/** Documents that vanish at once from a side without a question: more look like a lost disk. */
const SYNC_GONE_MAX = 20;

export type Leaving = 'removed' | 'forgotten';

export interface SyncStore {
  readonly load: () => Promise<{ readonly roots: readonly StoredNote[]; readonly commit: number }>;
  /** @returns why a tree did not go in; undefined if it did */
  readonly send: (
    step: Pick<ImportStep, 'tree' | 'rootId' | 'isGone' | 'seen'>,
    isTrusted: boolean,
  ) => Promise<string | undefined>;
  /** Those of these objects that left memory since a commit, by memory's own record. */
  readonly leftSince: (commit: number, ids: readonly string[]) => Promise<ReadonlyMap<string, Leaving>>;
  readonly privateTags: () => Promise<readonly string[]>;
}

export interface SyncInput {
  /** Its real path. */
  readonly root: string;
  readonly store: SyncStore;
  readonly excluded: readonly string[];
  /** The notes of the folder are the owner's own words. */
  readonly isTrusted: boolean;
  /** Notes of memory that belong to no file get one each. */
  readonly isAll: boolean;
  /** Many documents may vanish at once. */
  readonly mayLoseMany: boolean;
  readonly answers: ReadonlyMap<string, Side>;
  readonly now: () => number;
  readonly newId: () => string;
  /** Called before and after each step that changes something; a test ends the round there. */
  readonly step?: (name: string) => void;
}

export interface OpenQuestion {
  readonly code: string;
  readonly kind: Question['kind'];
  readonly file: string;
  readonly title: string;
  readonly object?: string | undefined;
  readonly copy?: string | undefined;
  readonly isNew: boolean;
}

export interface SyncResult {
  readonly toMemory: readonly string[];
  readonly toFile: readonly string[];
  readonly questions: readonly OpenQuestion[];
  readonly problems: readonly NoteProblem[];
  /** Something changed meanwhile: another round is due. */
  readonly isDue: boolean;
  readonly commit: number;
  /** Files that are in step, and notes in them. */
  readonly fileCount: number;
  readonly noteCount: number;
}

/** A document as a round finds it. */
interface Pair {
  readonly file: string;
  /** The state after the last round; absent if both never agreed. */
  readonly before: StateFile | undefined;
  /** With memory's keys; properties as in the file. */
  readonly ours: (ReadFile & { readonly keyed: NoteNode }) | undefined;
  readonly known: KnownDocument | undefined;
}

type Step = Pick<ImportStep, 'tree' | 'rootId' | 'isGone' | 'seen'>;

interface Act {
  readonly pair: Pair;
  readonly doubts: readonly Doubt[];
  readonly problem?: string;
  readonly send?: { readonly step: Step; readonly isTrusted: boolean };
  /** Hashes that memory gets, and the file gets, by key. */
  readonly toMemory?: Readonly<Record<string, string>>;
  readonly toFile?: Readonly<Record<string, string>>;
  /** The whole file, and what leaves it. */
  readonly write?: { readonly text: string; readonly trash: string };
  readonly isFileGone?: boolean;
  /** Stands in the state if all of it is done; absent if both sides lost the document. */
  readonly after?: StateFile;
}

interface Planning {
  readonly input: SyncInput;
  readonly folder: string;
  readonly commit: number;
  readonly tags: readonly string[];
  /** Objects that left memory since the last round. */
  readonly left: ReadonlyMap<string, Leaving>;
  readonly questions: readonly Question[];
  readonly answerOf: (key: string) => Side | undefined;
  /** The document of memory that has a note, by its key. */
  readonly owners: ReadonlyMap<string, string>;
}

const codeOf = (folder: string, key: string): string =>
  createHash('sha256').update(`passepartout/sync-question\n${folder}\n${key}`).digest('hex').slice(0, 6);

const storedIn = (root: StoredNote): readonly StoredNote[] => [root, ...root.children.flatMap(storedIn)];

const objectsIn = (known: KnownDocument | undefined): ReadonlyMap<string, StoredNote> =>
  new Map(known === undefined ? [] : storedIn(known.root).map((one) => [one.id, one]));

/** Keys of notes that carry a private mark, or stand below one that does. */
const privateKeys = (root: StoredNote, tags: readonly string[]): ReadonlySet<string> => {
  const keys = new Set<string>();
  const visit = (note: StoredNote, isBelow: boolean): void => {
    const isPrivate = isBelow || isMarkedPrivate(note, tags);
    if (isPrivate) keys.add(note.id);
    for (const child of note.children) visit(child, isPrivate);
  };
  visit(root, false);
  return keys;
};

/** Files that a person renamed go on: same notes in the same order as in one that is gone. */
const followRenames = (state: State, folder: ReadFolder): State => {
  const files = { ...state.files };
  const gone = Object.keys(files).filter((file) => !folder.files.has(file) && !folder.unread.has(file));
  for (const { file, tree } of folder.files.values()) {
    if (files[file] !== undefined) continue;
    const nodes = listNodes(tree);
    const hashAt = (n: number, key: string): string | undefined =>
      nodes[n] === undefined ? undefined : ownHash(withoutMarks({ ...nodes[n], key, children: [] }));
    const old = gone.find((one) => {
      const { notes = [] } = files[one] ?? {};
      // The first may have its title from the name of the file.
      const others = notes.slice(notes.length === 1 ? 0 : 1);
      const first = notes.length - others.length;
      return (
        others.length > 0 &&
        notes.length === nodes.length &&
        others.every(({ hash, key }, n) => hashAt(first + n, key) === hash)
      );
    });
    const entry = old === undefined ? undefined : files[old];
    if (old === undefined || entry === undefined) continue;
    files[file] = { ...entry, notes: entry.notes.map((note, n) => ({ ...note, place: nodes[n]?.key ?? note.place })) };
    delete files[old];
  }
  return { ...state, files };
};

/** The document of memory for each file, and the others that belong to this folder. */
const pairUp = (
  input: SyncInput,
  state: State,
  folder: ReadFolder,
  known: readonly KnownDocument[],
): readonly Pair[] => {
  const ids = new Set(known.flatMap((one) => [...one.ids]));
  const byKey = new Map(known.map((one) => [one.key, one]));
  const free = new Set(known.filter((one) => one.folder === undefined || one.folder === state.folder));
  const take = (one: KnownDocument | undefined): KnownDocument | undefined => {
    if (one === undefined || !free.delete(one)) return undefined;
    return one;
  };
  const found = new Map<string, KnownDocument | undefined>();
  const names = [...new Set([...Object.keys(state.files), ...folder.files.keys()])].sort();
  for (const file of names) found.set(file, take(byKey.get(state.files[file]?.root ?? '')));
  for (const file of names) {
    const raw = folder.files.get(file)?.tree;
    if (raw === undefined || found.get(file) !== undefined || state.files[file] !== undefined) continue;
    const id = Object.entries(raw.properties).find(([name]) => name.toLowerCase() === 'id')?.[1];
    const one =
      byKey.get(raw.key) ??
      (typeof id === 'string' && ids.has(id) ? byKey.get(id) : undefined) ??
      known.find((other) => other.folder === state.folder && other.file === file);
    found.set(file, take(one));
  }
  const pairs = names.map((file): Pair => {
    const read = folder.files.get(file);
    const [before, one] = [state.files[file], found.get(file)];
    if (read === undefined) return { file, before, ours: undefined, known: one };
    const keyed = identify(read.tree, { folder: state.folder, before, known: one, ids });
    return { file, before, ours: { ...read, keyed }, known: one };
  });
  const others = [...free].filter(
    (one) => !names.includes(one.file) && (one.folder === state.folder || (input.isAll && one.isLoose)),
  );
  return [
    ...pairs,
    ...others.map((one): Pair => ({ file: one.file, before: undefined, ours: undefined, known: one })),
  ].filter(({ file }) => !folder.unread.has(file));
};

/** Files with a note that another file has too: somebody copied an id. The first stays. */
const findCopies = (pairs: readonly Pair[]): readonly NoteProblem[] => {
  const owners = new Map<string, string>();
  const rank = ({ before, known }: Pair, key: string): number =>
    before?.notes.some((one) => one.key === key) === true ? 0 : known?.stored.key === key ? 1 : 2;
  const all = pairs.flatMap((pair) =>
    pair.ours === undefined ? [] : listNodes(pair.ours.keyed).map((node) => ({ pair, node })),
  );
  const problems: NoteProblem[] = [];
  const isMoved = ({ before, known }: Pair, key: string): boolean =>
    before?.notes.some((one) => one.key === key) === true && !objectsIn(known).has(key);
  for (const { pair, node } of all.toSorted((a, b) => rank(a.pair, a.node.key) - rank(b.pair, b.node.key))) {
    const owner = owners.get(node.key);
    // Memory took it out of this document: that is followed, or asked about.
    if (isMoved(pair, node.key)) continue;
    if (owner === undefined) owners.set(node.key, pair.file);
    else if (owner !== pair.file)
      problems.push({
        file: pair.file,
        line: node.source.line,
        problem: `its id stands in ${owner} too: which of both is it? Give one another id, or take one away. Until then this file is left as it is`,
      });
  }
  return problems;
};

/** Notes in the order of a file, as the state keeps them. @param tree of that file, read anew */
const stateNotes = (
  merged: Pick<Merged, 'file' | 'memory'>,
  tree: NoteNode,
  before: ReadonlyMap<string, StateNote>,
  known: KnownDocument | undefined,
): StateNote[] => {
  const theirs = new Map(listNodes(merged.memory).map((node) => [node.key, ownHash(node)]));
  const objects = objectsIn(known);
  const places = listNodes(tree);
  const rows: StateNote[] = [];
  const visit = (node: NoteNode, level: number): void => {
    const place = places[rows.length]?.key ?? node.key;
    const hash = ownHash(node);
    const was = before.get(node.key);
    const one = objects.get(node.key);
    const agreed = theirs.get(node.key) === hash ? hash : was?.hash;
    rows.push({
      key: node.key,
      level,
      place,
      ...defined({ hash: agreed, object: one?.objectId ?? was?.object }),
      ...(one?.origin === 'outside' ? { isOutside: true as const } : {}),
    });
    for (const child of node.children) visit(child, level + 1);
  };
  visit(merged.file, 0);
  // The file lost them, and a person is asked: what both had counts until the answer.
  const inFile = new Set(rows.map(({ key }) => key));
  const asked = [...before.values()].filter(({ key }) => theirs.has(key) && !inFile.has(key));
  return [...rows, ...asked.map((note) => ({ ...note, level: 1 }))];
};

const hashesOf = (tree: NoteNode): ReadonlyMap<string, string> =>
  new Map(listNodes(tree).map((node) => [node.key, ownHash(node)]));

/** Hashes that one side gets and does not have. */
const newsFor = (target: NoteNode, now: NoteNode | undefined): Record<string, string> => {
  const has = now === undefined ? new Map<string, string>() : hashesOf(now);
  return Object.fromEntries([...hashesOf(target)].filter(([key, hash]) => has.get(key) !== hash));
};

/** Agreed hashes; those of a round that died count as far as their side has them. */
const agreedHashes = (before: StateFile | undefined, ours: NoteNode, theirs: NoteNode): ReadonlyMap<string, string> => {
  const hashes = new Map((before?.notes ?? []).flatMap(({ key, hash }) => (hash === undefined ? [] : [[key, hash]])));
  const adopt = (sent: Readonly<Record<string, string>> = {}, side: NoteNode): void => {
    const has = hashesOf(side);
    for (const [key, hash] of Object.entries(sent)) if (has.get(key) === hash) hashes.set(key, hash);
  };
  adopt(before?.toMemory, theirs);
  adopt(before?.toFile, ours);
  return hashes;
};

const orderOf = (tree: NoteNode): string => {
  const rows = (node: NoteNode, level: number): readonly string[] => [
    `${level} ${node.key} ${ownHash(node)}`,
    ...node.children.flatMap((child) => rows(child, level + 1)),
  ];
  return rows(tree, 0).join('\n');
};

/** With memory's own value of each field that the file only repeats. */
const withStoredValues = (target: NoteNode, known: KnownDocument): NoteNode => {
  const stored = new Map(listNodes(known.stored).map((node) => [node.key, node]));
  const exported = new Map(listNodes(memoryTree(known)).map((node) => [node.key, node]));
  const build = (node: NoteNode): NoteNode => {
    const [own, said] = [stored.get(node.key), exported.get(node.key)];
    // Other line ends are no change.
    const isSame = said !== undefined && ownHash(said) === ownHash(node);
    return {
      ...(isSame && own !== undefined ? own : keepRepeated(node, own, said)),
      children: node.children.map(build),
    };
  };
  return build(target);
};

/** The text of a file that says a tree; undefined if none does. */
const planWrite = ({ file, before, ours, known }: Pair, target: NoteNode) => {
  const objects = objectsIn(known);
  const rows = new Map((before?.notes ?? []).map((one) => [one.key, one]));
  const marked = new Set(
    ours === undefined ? [] : listNodes(ours.keyed).flatMap((one) => (hasOriginMark(one) ? [one.key] : [])),
  );
  return rewrite({
    file,
    format: ours?.tree.format ?? target.format,
    ...(ours === undefined ? {} : { old: { text: ours.text, tree: ours.keyed } }),
    target,
    needsId: (key) => known?.ids.has(key) === true,
    isOutside: (key) =>
      marked.has(key) || (objects.get(key)?.origin === 'outside' && rows.get(key)?.isOutside !== true),
  });
};

const NO_FORM = 'memory holds it in a form that this file cannot say: it is left as it is';

const withKeys = (node: NoteNode, keys: ReadonlyMap<string, string>): NoteNode => ({
  ...node,
  key: keys.get(node.key) ?? node.key,
  children: node.children.map((child) => withKeys(child, keys)),
});

/** New keys for notes that memory has in another document: they come back as notes of their own. */
const keysAnew = (tree: NoteNode, document: string, { owners, folder }: Planning): ReadonlyMap<string, string> =>
  new Map(
    listNodes(tree).flatMap(({ key }) => {
      const owner = owners.get(key);
      if (owner === undefined || owner === document) return [];
      return [[key, buildNoteKey(['moved', folder, document, key])] as const];
    }),
  );

/** Both sides have the document. */
const planBoth = (planning: Planning, found: Pair, read: NonNullable<Pair['ours']>, known: KnownDocument): Act => {
  const { input, folder, commit, tags, left, questions, answerOf } = planning;
  const { file, before } = found;
  const theirs = memoryTree(known);
  const keys = listNodes(known.stored).map(({ key }) => key);
  const said = new Set(listNodes(theirs).map(({ key }) => key));
  if (keys.length !== said.size || !keys.every((key) => said.has(key)))
    return { pair: found, doubts: [], problem: NO_FORM };
  const hidden = privateKeys(known.root, tags);
  const rows = new Map((before?.notes ?? []).map((one) => [one.key, one]));
  const isForgotten = (key: string): boolean =>
    questions.some((one) => one.key === key && one.kind === 'forgotten') ||
    left.get(rows.get(key)?.object ?? '') === 'forgotten';
  const unkeyed = withoutMarks(read.keyed);
  const hashes = agreedHashes(before, unkeyed, theirs);
  const decided = merge({
    ...{ file: unkeyed, memory: theirs, base: before?.notes ?? [], hashes, isForgotten, answerOf },
    isPrivate: (key) => hidden.has(key),
  });
  const anew = keysAnew(decided.memory, known.key, planning);
  const merged = { file: withKeys(decided.file, anew), memory: withKeys(decided.memory, anew) };
  const ours = { ...read, keyed: withKeys(read.keyed, anew) };
  const pair: Pair = { ...found, ours };
  const inFile = withoutMarks(ours.keyed);
  const memory = withStoredValues(merged.memory, known);
  const asStored = { ...memory, format: known.stored.format, source: known.stored.source };
  const toMemory = newsFor(merged.memory, theirs);
  const isMarked = listNodes(ours.keyed).some((one) => toMemory[one.key] !== undefined && hasOriginMark(one));
  const asFile = { ...memory, format: ours.tree.format, source: { file, line: 1 } };
  const send =
    hashNote(asStored) === hashNote(known.stored) && (known.isLoose || known.file === file)
      ? undefined
      : {
          step: {
            tree: buildMemoryTree(asFile, known.isLoose, folder),
            ...defined({ rootId: known.rootId, seen: known.rootHash }),
          },
          isTrusted: input.isTrusted && !isMarked,
        };
  const isSame = orderOf(merged.file) === orderOf(inFile);
  const written = isSame ? undefined : planWrite(pair, merged.file);
  const stays = isSame || written === undefined;
  const kept = stays ? inFile : merged.file;
  const gets = hashesOf(merged.file);
  const leaves = new Set(
    [...hashesOf(inFile)].flatMap(([key, hash]) => {
      // Words that memory has, or that it erased for good, need no copy.
      const isKnown = hashes.get(key) === hash && gets.has(key);
      return gets.get(key) === hash || isKnown || isForgotten(key) ? [] : [key];
    }),
  );
  return {
    pair,
    doubts: decided.doubts,
    ...(written === undefined && !isSame ? { problem: NO_FORM } : {}),
    ...defined({ send }),
    toMemory,
    ...(written === undefined
      ? {}
      : {
          write: { text: written.text, trash: sourceOf(ours.text, ours.keyed, leaves) },
          toFile: newsFor(merged.file, inFile),
        }),
    after: {
      commit,
      root: known.key,
      notes: stateNotes({ file: kept, memory: merged.memory }, written?.tree ?? ours.tree, rows, known),
    },
  };
};

const rootDoubt = (kind: Doubt['kind'], { key, title }: NoteNode): Doubt => ({ kind, key, title });

/** Memory does not have the document: it is new, or left memory. */
const planFileAlone = (planning: Planning, pair: Pair, ours: NonNullable<Pair['ours']>): Act => {
  const { input, folder, commit, left, questions, answerOf, owners } = planning;
  const { file, before } = pair;
  const inFile = withoutMarks(ours.keyed);
  // Memory may have hung all of it below a note of another document.
  const isMoved = before !== undefined && owners.has(inFile.key);
  const rows = new Map((before?.notes ?? []).map((one) => [one.key, one]));
  const root = before?.notes[0];
  const wasForgotten = questions.some(({ key, kind }) => key === inFile.key && kind === 'forgotten');
  const leaving = wasForgotten ? 'forgotten' : isMoved ? 'removed' : left.get(root?.object ?? '');
  const wasAsked = questions.some(({ key, kind }) => key === inFile.key && kind === 'gone-from-memory');
  const answer = answerOf(inFile.key);
  if ((leaving !== undefined || wasAsked) && answer !== 'file') {
    const isUnchanged = listNodes(inFile).every((node) => rows.get(node.key)?.hash === ownHash(node));
    if (answer === 'memory' || (leaving === 'removed' && isUnchanged)) return { pair, doubts: [], isFileGone: true };
    const kind = leaving === 'forgotten' ? 'forgotten' : 'gone-from-memory';
    return { pair, doubts: [rootDoubt(kind, inFile)], ...defined({ after: before }) };
  }
  const isMarked = listNodes(ours.keyed).some(hasOriginMark);
  const fresh = withKeys(inFile, keysAnew(inFile, '', planning));
  const tree = buildMemoryTree({ ...fresh, source: { file, line: 1 } }, false, folder);
  return {
    pair,
    doubts: [],
    send: { step: { tree, seen: '' }, isTrusted: input.isTrusted && !isMarked },
    toMemory: newsFor(fresh, undefined),
    after: {
      commit,
      root: fresh.key,
      notes: stateNotes({ file: fresh, memory: fresh }, ours.tree, new Map(), undefined),
    },
  };
};

const withoutKeys = (node: NoteNode, keys: ReadonlySet<string>): NoteNode => ({
  ...node,
  children: node.children.filter(({ key }) => !keys.has(key)).map((child) => withoutKeys(child, keys)),
});

/** The folder does not have the file: it is new, or a person removed it. */
const planMemoryAlone = (planning: Planning, pair: Pair, known: KnownDocument): Act => {
  const { commit, tags, answerOf } = planning;
  const { before } = pair;
  const hidden = privateKeys(known.root, tags);
  const theirs = memoryTree(known);
  const answer = answerOf(known.key);
  if (before !== undefined && answer !== 'memory') {
    const rows = new Map(before.notes.map((one) => [one.key, one.hash]));
    const isUnchanged = listNodes(theirs).every((node) => rows.get(node.key) === ownHash(node));
    if (answer !== 'file' && !isUnchanged)
      return { pair, doubts: [rootDoubt('gone-from-file', theirs)], after: before };
    const tree = buildMemoryTree({ ...known.stored, children: [] }, known.isLoose);
    const step = { tree, isGone: true as const, ...defined({ rootId: known.rootId, seen: known.rootHash }) };
    // It is the owner's own doing; a tree that leaves has no words.
    return { pair, doubts: [], send: { step, isTrusted: false } };
  }
  if (hidden.has(known.key)) return { pair, doubts: [], ...defined({ after: before }) };
  const target = withoutKeys(theirs, hidden);
  const written = planWrite(pair, target);
  if (written === undefined) return { pair, doubts: [], problem: NO_FORM };
  return {
    pair,
    doubts: [],
    write: { text: written.text, trash: '' },
    toFile: newsFor(target, undefined),
    after: {
      commit,
      root: known.key,
      notes: stateNotes({ file: target, memory: theirs }, written.tree, new Map(), known),
    },
  };
};

const plan = (planning: Planning, found: Pair): Act => {
  const { before } = found;
  // An older memory, such as one that was restored, says nothing about what left it.
  const isUsable = before !== undefined && before.notes.length > 0 && before.commit <= planning.commit;
  const pair: Pair = isUsable || before?.toMemory !== undefined ? found : { ...found, before: undefined };
  const { ours, known } = pair;
  if (ours !== undefined && known !== undefined) return planBoth(planning, pair, ours, known);
  const alone: Pair = isUsable ? pair : { ...pair, before: undefined };
  if (ours !== undefined) return planFileAlone(planning, alone, ours);
  if (known !== undefined) return planMemoryAlone(planning, alone, known);
  return { pair, doubts: [] };
};

/** Many documents that vanish at once are left until a person says that this is meant. */
const holdMany = (acts: readonly Act[], fileCount: number, mayLoseMany: boolean): readonly Act[] => {
  if (mayLoseMany) return acts;
  const isLoss = (act: Act): boolean => act.send?.step.isGone === true;
  const isGone = (act: Act): boolean => act.isFileGone === true;
  const held = [isLoss, isGone].filter((is) => {
    const count = acts.filter(is).length;
    return count > SYNC_GONE_MAX || (count > 1 && count === fileCount);
  });
  return acts.map((act) =>
    held.some((is) => is(act))
      ? {
          pair: act.pair,
          doubts: [],
          problem: isLoss(act)
            ? 'the file is gone, as are many others at once: --gone takes them out of memory'
            : 'memory lost it, as it did many others at once: --gone moves these files to .trash',
          ...defined({ after: act.pair.before }),
        }
      : act,
  );
};

/** Answers by command, in a chat, or by a copy that a person removed. */
const collectAnswers = async (
  { root, answers }: SyncInput,
  state: State,
  known: readonly KnownDocument[],
): Promise<ReadonlyMap<string, Side>> => {
  const found = new Map<string, Side>();
  const objects = new Map(known.flatMap((one) => [...objectsIn(one)]));
  for (const [code, { key, copy, version = 0, answer }] of Object.entries(state.questions)) {
    const object = objects.get(key);
    const said = object?.attributes.properties?.[KEEP_PROPERTY];
    const isSaid = (said === 'file' || said === 'memory') && (object?.version ?? 0) > version;
    const isCopyGone = copy !== undefined && !(await isThere(root, copy));
    const one = answers.get(code) ?? answer ?? (isSaid ? said : isCopyGone ? 'file' : undefined);
    if (one !== undefined) found.set(key, one);
  }
  return found;
};

/** Asks about doubts: memory's version of a note that differs lies beside the file. */
const askAbout = async (
  { input, folder }: Planning,
  { pair, doubts }: Act,
  questions: Record<string, Question>,
  tags: readonly string[],
): Promise<readonly OpenQuestion[]> => {
  const { file, known } = pair;
  const objects = objectsIn(known);
  const theirs = new Map(known === undefined ? [] : listNodes(memoryTree(known)).map((node) => [node.key, node]));
  const hidden = known === undefined ? new Set<string>() : privateKeys(known.root, tags);
  const open: OpenQuestion[] = [];
  for (const { kind, key, title } of doubts) {
    const code = codeOf(folder, key);
    const was = questions[code];
    const isNew = was?.kind !== kind;
    const object = objects.get(key);
    const node = theirs.get(key);
    const hash = node === undefined ? undefined : ownHash(node);
    const copy = kind === 'differs' && !hidden.has(key) ? `${file}.${code}.conflict` : undefined;
    if (copy !== undefined && node !== undefined && (isNew || was?.hash !== hash)) {
      const format = pair.ours?.tree.format ?? node.format;
      await writeCopy(input.root, copy, `${renderPart({ ...node, format }, 1)}\n`);
      input.step?.('copy');
    }
    const named = defined({ object: object?.objectId, copy });
    // The version at which it was asked stays: a later one may answer.
    const version = isNew ? object?.version : was?.version;
    questions[code] = { kind, file, key, ...named, ...defined({ version, hash }) };
    open.push({ code, kind, file, title, isNew, ...named });
  }
  return open;
};

interface Missed {
  readonly problem: string;
  /** A person writes the file: another round is due. */
  readonly isLate?: boolean;
}

/** Does what was planned for one document. */
const perform = async (input: SyncInput, act: Act, stamp: string): Promise<Missed | undefined> => {
  const { root, store, step = () => undefined } = input;
  const { pair, send, write, isFileGone } = act;
  const { file, ours } = pair;
  if (send !== undefined) {
    step('send');
    const problem = await store.send(send.step, send.isTrusted);
    step('sent');
    if (problem !== undefined) return { problem };
  }
  if (isFileGone === true) {
    step('move');
    await moveToTrash(root, file, stamp);
    step('moved');
  }
  if (write === undefined) return undefined;
  step('trash');
  if (write.trash !== '') await keepInTrash(root, file, write.trash, stamp);
  step('write');
  const written = await replaceFile(root, file, write.text, ours?.text);
  step('written');
  if (written === 'blocked') return { problem: 'something else is in the place of its folder' };
  return written === 'late' ? { problem: '', isLate: true } : undefined;
};

const stampOf = (now: number): string => new Date(now).toISOString().replaceAll(/[:.]/g, '-');

/** Objects and origins of notes that a round sent. @param commit at which memory had them */
const withObjects = (file: StateFile, objects: ReadonlyMap<string, StoredNote>, commit: number): StateFile => ({
  ...file,
  // An end in memory meanwhile is found from the older commit on.
  commit: file.notes.every(({ key, object }) => objects.has(key) || object !== undefined) ? commit : file.commit,
  notes: file.notes.map((note) => {
    const one = objects.get(note.key);
    if (one === undefined) return note;
    return {
      ...note,
      ...defined({ object: one.objectId }),
      ...(one.origin === 'outside' ? { isOutside: true as const } : {}),
    };
  }),
});

/** Objects of the last round that memory has no more, and of which nobody is asked yet. */
const findMissing = (pairs: readonly Pair[], { questions }: State, roots: readonly StoredNote[]) => {
  const live = new Set(roots.flatMap(storedIn).map(({ objectId }) => objectId));
  const asked = new Set(Object.values(questions).map(({ key }) => key));
  return pairs.flatMap(({ before }) =>
    (before?.notes ?? []).flatMap(({ key, object }) =>
      object === undefined || live.has(object) || asked.has(key) ? [] : [{ id: object, since: before?.commit ?? 0 }],
    ),
  );
};

/** @throws CliError if the folder, its state or memory cannot be read */
export const syncRound = async (input: SyncInput): Promise<SyncResult> => {
  const { root, store, step = () => undefined } = input;
  const loaded: State = (await loadState(root)) ?? {
    schemaVersion: 1,
    folder: input.newId(),
    files: {},
    questions: {},
  };
  const folder = await readFolder(root, input.excluded);
  const state = followRenames(loaded, folder);
  const { roots, commit } = await store.load();
  const known = roots.map(describeKnown);
  const found = pairUp(input, state, folder, known);
  const copies = findCopies(found);
  const copied = new Set(copies.map(({ file }) => file));
  const pairs = found.filter(({ file }) => !copied.has(file));
  const missing = findMissing(pairs, state, roots);
  const oldest = Math.min(commit, ...missing.map(({ since }) => since));
  const ids = missing.map(({ id }) => id);
  const answers = await collectAnswers(input, state, known);
  const tags = await store.privateTags();
  const planning: Planning = {
    ...{ input, folder: state.folder, commit, tags },
    left: ids.length === 0 ? new Map() : await store.leftSince(oldest, ids),
    questions: Object.values(state.questions),
    answerOf: (key) => answers.get(key),
    owners: new Map(known.flatMap((one) => [...objectsIn(one).keys()].map((key) => [key, one.key] as const))),
  };
  const acts = holdMany(
    pairs.map((pair) => plan(planning, pair)),
    Object.keys(state.files).length,
    input.mayLoseMany,
  );
  const planned = new Set(pairs.map(({ file }) => file));
  const questions = Object.fromEntries(Object.entries(state.questions).filter(([, { file }]) => !planned.has(file)));
  const open: OpenQuestion[] = [];
  const asked: Record<string, Question> = { ...state.questions };
  for (const act of acts) open.push(...(await askAbout(planning, act, asked, tags)));
  for (const { code } of open) if (asked[code] !== undefined) questions[code] = asked[code];
  const files: Record<string, StateFile> = { ...state.files };
  for (const { pair, toMemory, toFile, after, send, write } of acts) {
    const root = after?.root ?? pair.before?.root;
    if ((send === undefined && write === undefined) || root === undefined) continue;
    files[pair.file] = {
      ...(pair.before ?? { commit, root, notes: [] }),
      ...(send === undefined ? {} : defined({ toMemory })),
      ...(write === undefined ? {} : defined({ toFile })),
    };
  }
  const before = JSON.stringify(loaded);
  // Questions that are answered now stay until the answer is performed.
  const saving = { ...state, files: { ...files }, questions: { ...state.questions, ...asked } };
  if (JSON.stringify(saving) !== before) {
    step('state');
    await saveState(root, saving);
    step('saved');
  }
  const result = { toMemory: [] as string[], toFile: [] as string[], problems: [...folder.problems, ...copies] };
  const sent = new Set<string>();
  let isDue = false;
  for (const [n, act] of acts.entries()) {
    const { file } = act.pair;
    if (act.problem !== undefined) result.problems.push({ file, line: 1, problem: act.problem });
    const missed = await perform(input, act, `${stampOf(input.now())}-${n}`);
    if (missed !== undefined) {
      // Somebody wrote meanwhile: what both have is looked at anew.
      if (missed.isLate === true || (await store.load()).commit !== commit) isDue = true;
      else result.problems.push({ file, line: 1, problem: missed.problem });
      for (const [code, question] of Object.entries(state.questions))
        if (question.file === file) questions[code] = question;
      continue;
    }
    if (act.send !== undefined) {
      result.toMemory.push(file);
      sent.add(file);
    }
    if (act.write !== undefined || act.isFileGone === true) result.toFile.push(file);
    if (act.after === undefined) {
      if (act.problem === undefined) delete files[file];
    } else files[file] = act.after;
  }
  if (sent.size > 0) {
    const later = await store.load();
    const now = later.roots.map(describeKnown);
    const objects = new Map(now.map((one) => [one.key, objectsIn(one)]));
    for (const file of sent) {
      const entry = files[file];
      if (entry !== undefined) files[file] = withObjects(entry, objects.get(entry.root) ?? new Map(), later.commit);
    }
  }
  for (const [code, { copy, file }] of Object.entries(state.questions))
    if (questions[code] === undefined && copy !== undefined && (await isThere(root, copy)))
      await moveToTrash(root, copy, `${stampOf(input.now())}-${file.length}`);
  const after: State = { ...state, files, questions };
  if (JSON.stringify(after) !== JSON.stringify(saving)) {
    step('state');
    await saveState(root, after);
    step('saved');
  }
  const rows = Object.values(files);
  return {
    ...result,
    questions: open,
    isDue,
    commit,
    fileCount: rows.length,
    noteCount: rows.reduce((sum, { notes }) => sum + notes.length, 0),
  };
};
