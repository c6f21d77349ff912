/**
 * Plans how a whole tree from a buffer, file or skill becomes memory's tree. Nodes are known by
 * their keys. Unchanged nodes keep id and version, moved ones their id; missing ones are removed,
 * forgotten ones stay forgotten.
 */

import { canonicalJson } from '../base/canonical.ts';
import { ProtocolError } from '../base/errors.ts';
import type { Origin } from '../signal/signal.ts';
import type { Maker } from './children.ts';
import type { Edit } from './edit.ts';
import { buildObject, type LiveObject, type MemoryObject, type MemoryScope, type MemoryType } from './object.ts';
import type { ObjectAttributes } from './object-parts.ts';

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

/** @throws ProtocolError if two nodes have one key */
export const planIngest = (tree: TreeNode, existing: ExistingTree | undefined, context: IngestContext): IngestPlan => {
  const { maker, origin, scope } = context;
  const nodes = existingNodes(existing);
  const byKey = new Map(
    nodes.flatMap((node) => (node.attributes.key === undefined ? [] : [[node.attributes.key, node]])),
  );
  if (existing !== undefined) byKey.set(tree.key, existing.root);
  const edits: Edit[] = [];
  const counts = { created: 0, updated: 0, moved: 0, removed: 0 };
  const kept = new Set<string>();
  const keys = new Set<string>();

  const claim = (node: TreeNode): LiveObject | undefined => {
    if (keys.has(node.key)) throw new ProtocolError('two nodes of a tree have the same key');
    keys.add(node.key);
    const old = byKey.get(node.key);
    // Types never change: another type is another object.
    if (old === undefined || old.type !== node.type) return undefined;
    kept.add(old.id);
    return old;
  };

  const create = (node: TreeNode, parentId: string | undefined, before: string | undefined): string => {
    const attributes = { ...node.attributes, key: node.key };
    const object = buildObject({
      id: maker.newId(),
      type: node.type,
      scope,
      attributes,
      content: node.content,
      origin,
      signalId: maker.signalId,
      effectId: maker.effectId,
      now: maker.now,
      nonce: maker.newNonce(),
    });
    edits.push({ kind: 'create', object: { ...object, lastSync: maker.now }, place: { parentId, before } });
    counts.created += 1;
    return object.id;
  };

  const refresh = (node: TreeNode, old: LiveObject): void => {
    const attributes = { ...node.attributes, key: node.key };
    if (old.content === node.content && canonicalJson(old.attributes) === canonicalJson(attributes)) return;
    edits.push({ kind: 'update', id: old.id, attributes, content: node.content, origin, lastSync: maker.now });
    counts.updated += 1;
  };

  /** Right to left, so that the next sibling already has its place. */
  const order = (parent: TreeNode, parentId: string, old: LiveObject | undefined): void => {
    const was = new Map(
      (old === undefined || existing === undefined ? [] : existing.childrenOf(old)).map(({ id }, n) => [id, n]),
    );
    const claimed = parent.children.map((node) => ({ node, old: claim(node) }));
    const places = claimed.map(({ old: child }) => (child === undefined ? undefined : was.get(child.id)));
    const staying = longestRise(places);
    const ids: string[] = [];
    let before: string | undefined;
    for (let n = claimed.length - 1; n >= 0; n -= 1) {
      const one = claimed[n];
      if (one === undefined) break;
      const id = one.old?.id ?? create(one.node, parentId, before);
      if (one.old !== undefined) {
        refresh(one.node, one.old);
        if (!staying.has(n)) {
          edits.push({ kind: 'move', id, place: { parentId, before } });
          counts.moved += 1;
        }
      }
      ids[n] = id;
      before = id;
    }
    for (const [n, { node, old: child }] of claimed.entries()) order(node, ids[n] ?? '', child);
  };

  const root = claim(tree);
  if (root !== undefined) refresh(tree, root);
  const rootId = root?.id ?? create(tree, context.parentId, undefined);
  order(tree, rootId, root);
  for (const node of topmost(
    nodes.filter(({ id }) => !kept.has(id)),
    kept,
  )) {
    edits.push({ kind: 'remove', id: node.id });
    counts.removed += 1;
  }
  return { rootId, edits, counts };
};

/** Removed nodes that no other removal takes along. */
const topmost = (gone: readonly LiveObject[], kept: ReadonlySet<string>): readonly LiveObject[] => {
  const ids = new Set(gone.map(({ id }) => id));
  return gone.filter(({ parentId }) => parentId === undefined || kept.has(parentId) || !ids.has(parentId));
};
