/**
 * Merges a file's tree with memory's, note by note, against the hashes of the last round. A note
 * that changed on one side goes to the other; one that changed on both stays as it is on each, and
 * is a doubt. Nothing that changed is ever dropped. Pure.
 */
import { listNodes, type NoteNode } from '../../../cli/notes/note.ts';
import { ownHash } from './own-hash.ts';

export type Side = 'file' | 'memory';

export type DoubtKind =
  /** Both changed it, differently. */
  | 'differs'
  /** Memory removed it, the file changed it. */
  | 'gone-from-memory'
  /** The file lost it, memory changed it. */
  | 'gone-from-file'
  /** Memory erased it for good, the file still has it. */
  | 'forgotten';

export interface Doubt {
  readonly kind: DoubtKind;
  readonly key: string;
  readonly title: string;
}

/** One note as both sides had it after the last round, in the order of the file. */
export interface BaseNote {
  readonly key: string;
  /** Depth from 0. */
  readonly level: number;
  readonly hash: string;
}

export interface MergeInput {
  /** With memory's keys, and without marks. */
  readonly file: NoteNode;
  /** As its file would say it, without marks. */
  readonly memory: NoteNode;
  readonly base: readonly Pick<BaseNote, 'key' | 'level'>[];
  /** Hashes that both sides had last, by key. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Notes of memory that no file is given. */
  readonly isPrivate: (key: string) => boolean;
  readonly isForgotten: (key: string) => boolean;
  /** A person's answer to the doubt about a note. */
  readonly answerOf: (key: string) => Side | undefined;
}

export interface Merged {
  readonly file: NoteNode;
  readonly memory: NoteNode;
  readonly doubts: readonly Doubt[];
}

/** The sides that a note goes to; without both it is dropped. */
interface Fate {
  readonly file?: NoteNode;
  readonly memory?: NoteNode;
}

type Verdict = 'new' | 'gone' | 'drop' | DoubtKind;

interface Deciding extends MergeInput {
  readonly fates: Map<string, Fate>;
  readonly doubts: Doubt[];
}

const byKey = (tree: NoteNode): ReadonlyMap<string, NoteNode> =>
  new Map(listNodes(tree).map((node) => [node.key, node]));

/** A note that both sides have. */
const fateOfBoth = (deciding: Deciding, ours: NoteNode, theirs: NoteNode): Fate => {
  const { hashes, isPrivate, answerOf, doubts } = deciding;
  const { key, title } = ours;
  const [file, memory, base] = [ownHash(ours), ownHash(theirs), hashes.get(key)];
  if (file === memory || memory === base) return { file: ours, memory: ours };
  if (file === base) return { file: isPrivate(key) ? ours : theirs, memory: theirs };
  const answer = answerOf(key);
  if (answer === 'file') return { file: ours, memory: ours };
  if (answer === 'memory') return { file: isPrivate(key) ? ours : theirs, memory: theirs };
  doubts.push({ kind: 'differs', key, title });
  return { file: ours, memory: theirs };
};

/** A note that one side alone has. */
const verdictOf = ({ hashes, isForgotten, answerOf }: Deciding, side: Side, node: NoteNode): Verdict => {
  const base = hashes.get(node.key);
  const doubt = side === 'file' ? (isForgotten(node.key) ? 'forgotten' : 'gone-from-memory') : 'gone-from-file';
  if (doubt !== 'forgotten' && base === undefined) return 'new';
  const answer = answerOf(node.key);
  if (answer !== undefined) return answer === side ? 'new' : 'drop';
  return doubt !== 'forgotten' && ownHash(node) === base ? 'gone' : doubt;
};

/** A note below one that is held for an answer, that is dropped, or that an answer keeps. */
const BELOW = { held: 'gone', drop: 'drop', keep: 'new' } as const satisfies Readonly<Record<string, Verdict>>;

/** Decides on all notes that one side alone has. */
const decideAlone = (deciding: Deciding, side: Side, tree: NoteNode, other: ReadonlySet<string>): void => {
  const { fates, doubts, isPrivate } = deciding;
  const isAlone = ({ key }: NoteNode): boolean => !other.has(key);
  /** Whether a note, or one below it, has something that the other side never had. */
  const hasNews = (node: NoteNode): boolean =>
    verdictOf(deciding, side, node) !== 'gone' || node.children.some((child) => isAlone(child) && hasNews(child));
  const visit = (node: NoteNode, above: 'free' | keyof typeof BELOW): void => {
    let below: typeof above = 'free';
    if (isAlone(node)) {
      const verdict = above === 'free' ? verdictOf(deciding, side, node) : BELOW[above];
      const isPlain =
        verdict === 'new' || verdict === 'drop' || (verdict === 'gone' && above === 'free' && !hasNews(node));
      if (verdict === 'new') {
        const isHidden = side === 'memory' && isPrivate(node.key);
        fates.set(node.key, isHidden ? { memory: node } : { file: node, memory: node });
      } else if (isPlain) fates.set(node.key, {});
      else {
        fates.set(node.key, { [side]: node });
        const kind = verdict !== 'gone' ? verdict : side === 'file' ? 'gone-from-memory' : 'gone-from-file';
        if (above === 'free') doubts.push({ kind, key: node.key, title: node.title });
      }
      // An answer counts for all below the note, too.
      const isKept = above === 'keep' || (verdict === 'new' && deciding.answerOf(node.key) === side);
      below = verdict === 'drop' ? 'drop' : isKept ? 'keep' : isPlain ? 'free' : 'held';
    }
    for (const child of node.children) visit(child, below);
  };
  visit(tree, 'free');
};

interface Place {
  readonly key: string;
  readonly children: Place[];
}

const placeOf = (node: NoteNode): Place => ({ key: node.key, children: node.children.map(placeOf) });

/** One side's order, with the notes of the other behind the sibling they follow there. */
const joinOrders = (order: NoteNode, other: NoteNode): Place => {
  const top = placeOf(order);
  const places = new Map<string, Place>();
  const collect = (place: Place): void => {
    places.set(place.key, place);
    place.children.forEach(collect);
  };
  collect(top);
  const add = (node: NoteNode): void => {
    const parent = places.get(node.key);
    let after: string | undefined;
    for (const child of node.children) {
      if (parent !== undefined && !places.has(child.key)) {
        const place: Place = { key: child.key, children: [] };
        parent.children.splice(parent.children.findIndex(({ key }) => key === after) + 1, 0, place);
        places.set(child.key, place);
      }
      after = child.key;
      add(child);
    }
  };
  add(other);
  return top;
};

/** Each note with the nearest one above it, of those that count. */
const orderOf = (tree: NoteNode, counts: ReadonlySet<string>): string => {
  const rows: string[] = [];
  const visit = (node: NoteNode, above: string): void => {
    const isCounted = counts.has(node.key);
    if (isCounted) rows.push(`${above} ${node.key}`);
    for (const child of node.children) visit(child, isCounted ? node.key : above);
  };
  visit(tree, '');
  return rows.join('\n');
};

const baseOrder = (base: MergeInput['base'], counts: ReadonlySet<string>): string => {
  const open: string[] = [];
  return base
    .flatMap(({ key, level }) => {
      open.length = level;
      const above = open.findLast((one) => counts.has(one)) ?? '';
      open[level] = key;
      return counts.has(key) ? [`${above} ${key}`] : [];
    })
    .join('\n');
};

/** One side's tree; what hung below a note that is not in it hangs below the next one above. */
const treeOf = (top: Place, nodeOf: (key: string) => NoteNode | undefined): NoteNode => {
  const build = ({ key, children }: Place): readonly NoteNode[] => {
    const below = children.flatMap(build);
    const node = nodeOf(key);
    return node === undefined ? below : [{ ...node, children: below }];
  };
  const [root] = build(top);
  if (root === undefined) throw new Error('no root');
  return root;
};

/** Both trees have one root, of the same key. */
export const merge = (input: MergeInput): Merged => {
  const { file, memory, base } = input;
  const [ours, theirs] = [byKey(file), byKey(memory)];
  const deciding: Deciding = {
    ...input,
    fates: new Map(),
    doubts: [],
  };
  for (const [key, node] of ours) {
    const other = theirs.get(key);
    if (other !== undefined) deciding.fates.set(key, fateOfBoth(deciding, node, other));
  }
  decideAlone(deciding, 'file', file, new Set(theirs.keys()));
  decideAlone(deciding, 'memory', memory, new Set(ours.keys()));
  const counts = new Set(base.flatMap(({ key }) => (ours.has(key) && theirs.has(key) ? [key] : [])));
  const was = baseOrder(base, counts);
  // If both moved notes, the file's order counts.
  const isFileOrder = counts.size < 2 || orderOf(file, counts) !== was || orderOf(memory, counts) === was;
  const top = isFileOrder ? joinOrders(file, memory) : joinOrders(memory, file);
  return {
    file: treeOf(top, (key) => deciding.fates.get(key)?.file),
    memory: treeOf(top, (key) => deciding.fates.get(key)?.memory),
    doubts: deciding.doubts,
  };
};
