/**
 * Plans how a whole tree from a buffer, file or skill becomes memory's tree. Nodes are known by
 * their keys. Unchanged nodes keep id and version, moved ones their id; missing ones are removed,
 * forgotten ones stay forgotten.
 */

import { canonicalJson } from '../base/canonical.ts';
import { defined } from '../base/defined.ts';
import { ProtocolError } from '../base/errors.ts';
import type { Origin } from '../signal/signal.ts';
import type { Maker } from './children.ts';
import type { Edit, TreePlace } from './edit.ts';
import { buildObject, type LiveObject, type MemoryObject, type MemoryType } from './object.ts';
import type { MemoryScope, ObjectAttributes } from './object-parts.ts';

/**
 * The longest rising run of numbers, with gaps: children that stay while others move. Takes n log n
 * steps.
 * @param values undefined never belongs to the run
 * @returns positions
 */
export const longestRise = (values: readonly (number | undefined)[]): ReadonlySet<number> => {
  /** At n: position of the smallest value that ends a run of n + 1. */
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  for (const [position, value] of values.entries()) {
    if (value === undefined) continue;
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] ?? -1] ?? Number.POSITIVE_INFINITY) < value) low = middle + 1;
      else high = middle;
    }
    previous[position] = low === 0 ? undefined : ends[low - 1];
    ends[low] = position;
  }
  const run = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) run.add(at);
  return run;
};

/** A node from outside. `key` is unique in its tree and names it across ingests. */
export interface TreeNode {
  readonly key: string;
  readonly type: Exclude<MemoryType, 'bucket'>;
  readonly attributes: Omit<ObjectAttributes, 'key'>;
  readonly content: string;
  readonly children: readonly TreeNode[];
}

export interface IngestPlan {
  readonly rootId: string;
  readonly edits: readonly Edit[];
  /** Nodes of each kind, without buckets and ancestors. */
  readonly counts: {
    readonly created: number;
    readonly updated: number;
    readonly moved: number;
    readonly removed: number;
  };
}

/** The tree in memory: its root, and children in order, through buckets. */
export interface ExistingTree {
  readonly root: LiveObject;
  readonly childrenOf: (node: LiveObject) => readonly MemoryObject[];
}

export interface IngestContext {
  readonly maker: Maker;
  readonly origin: Origin;
  readonly scope: MemoryScope;
  /** Parent of a new tree; absent: it is a root. */
  readonly parentId?: string | undefined;
}

const existingNodes = (existing: ExistingTree | undefined): readonly LiveObject[] => {
  const all: LiveObject[] = [];
  for (const open: LiveObject[] = existing === undefined ? [] : [existing.root]; open.length > 0; ) {
    const node = open.pop();
    if (node === undefined || existing === undefined) break;
    all.push(node);
    open.push(...existing.childrenOf(node).filter((child): child is LiveObject => child.state === 'live'));
  }
  return all;
};

/** Removed nodes that no other removal takes along. */
const topmost = (gone: readonly LiveObject[], kept: ReadonlySet<string>): readonly LiveObject[] => {
  const ids = new Set(gone.map(({ id }) => id));
  return gone.filter(({ parentId }) => parentId === undefined || kept.has(parentId) || !ids.has(parentId));
};

interface Planning extends IngestContext {
  readonly existing: ExistingTree | undefined;
  /** Nodes of memory's tree by key. */
  readonly byKey: ReadonlyMap<string, LiveObject>;
  readonly edits: Edit[];
  readonly counts: { created: number; updated: number; moved: number; removed: number };
  /** Ids of nodes that stay. */
  readonly kept: Set<string>;
  /** Keys of the new tree so far. */
  readonly keys: Set<string>;
}

const isDocument = (type: MemoryType): boolean => type === 'document';

/** @returns the object that a node of the new tree stands for, if there is one */
const claim = ({ keys, byKey, kept }: Planning, node: TreeNode): LiveObject | undefined => {
  if (keys.has(node.key)) throw new ProtocolError('two nodes of a tree have the same key');
  keys.add(node.key);
  const old = byKey.get(node.key);
  // Types never change. A note below another one is a heading in a file.
  if (old === undefined || isDocument(old.type) !== isDocument(node.type)) return undefined;
  kept.add(old.id);
  return old;
};

const create = (planning: Planning, node: TreeNode, place: TreePlace): string => {
  const { maker, origin, scope, edits, counts } = planning;
  const object = buildObject({
    id: maker.newId(),
    type: node.type,
    scope,
    attributes: { ...node.attributes, key: node.key },
    content: node.content,
    origin,
    signalId: maker.signalId,
    effectId: maker.effectId,
    now: maker.now,
    nonce: maker.newNonce(),
  });
  edits.push({ kind: 'create', object: { ...object, lastSync: maker.now }, place });
  counts.created += 1;
  return object.id;
};

const refresh = ({ maker, origin, edits, counts }: Planning, node: TreeNode, old: LiveObject): void => {
  const { links, ...own } = node.attributes;
  // An import makes them from the text: a note that never had any is no other note with them.
  const isUnlinked = old.content === node.content && old.attributes.links === undefined;
  const attributes = {
    ...own,
    ...(isUnlinked ? {} : defined({ links })),
    // A note that came from no file is known by its id.
    ...(old.attributes.key === undefined && node.key === old.id ? {} : { key: node.key }),
  };
  if (old.content === node.content && canonicalJson(old.attributes) === canonicalJson(attributes)) return;
  edits.push({ kind: 'update', id: old.id, attributes, content: node.content, origin, lastSync: maker.now });
  counts.updated += 1;
};

/** Plans the children of a node, right to left, so that the next sibling already has its place. */
const planChildren = (planning: Planning, parent: TreeNode, parentId: string, old: LiveObject | undefined): void => {
  const { existing, edits, counts } = planning;
  const was = new Map(
    (old === undefined || existing === undefined ? [] : existing.childrenOf(old)).map(({ id }, n) => [id, n]),
  );
  const claimed = parent.children.map((node) => ({ node, old: claim(planning, node) }));
  const staying = longestRise(claimed.map(({ old: child }) => (child === undefined ? undefined : was.get(child.id))));
  const ids: string[] = [];
  let before: string | undefined;
  for (const [n, one] of [...claimed.entries()].reverse()) {
    const id = one.old?.id ?? create(planning, one.node, { parentId, before });
    if (one.old !== undefined) refresh(planning, one.node, one.old);
    if (one.old !== undefined && !staying.has(n)) {
      edits.push({ kind: 'move', id, place: { parentId, before } });
      counts.moved += 1;
    }
    ids[n] = id;
    before = id;
  }
  for (const [n, { node, old: child }] of claimed.entries()) planChildren(planning, node, ids[n] ?? '', child);
};

/** @throws ProtocolError if two nodes have one key */
export const planIngest = (tree: TreeNode, existing: ExistingTree | undefined, context: IngestContext): IngestPlan => {
  const nodes = existingNodes(existing);
  const byKey = new Map(nodes.map((node) => [node.attributes.key ?? node.id, node]));
  if (existing !== undefined) byKey.set(tree.key, existing.root);
  const counts = { created: 0, updated: 0, moved: 0, removed: 0 };
  const planning: Planning = { ...context, existing, byKey, edits: [], counts, kept: new Set(), keys: new Set() };
  const root = claim(planning, tree);
  if (root !== undefined) refresh(planning, tree, root);
  const rootId = root?.id ?? create(planning, tree, { parentId: context.parentId });
  planChildren(planning, tree, rootId, root);
  const gone = nodes.filter(({ id }) => !planning.kept.has(id));
  for (const { id } of topmost(gone, planning.kept)) {
    planning.edits.push({ kind: 'remove', id });
    counts.removed += 1;
  }
  return { rootId, edits: planning.edits, counts };
};

/** A whole tree leaves memory. @throws ProtocolError if there is none */
export const planRemoval = (existing: ExistingTree | undefined): IngestPlan => {
  if (existing === undefined) throw new ProtocolError('memory has no such tree');
  const { id } = existing.root;
  const removed = existingNodes(existing).length;
  return { rootId: id, edits: [{ kind: 'remove', id }], counts: { created: 0, updated: 0, moved: 0, removed } };
};
