/**
 * A tree as an editor or import sends it: nodes in reading order with their levels, so that a deep
 * outline is no deep JSON. Each node has a key by which memory knows it again. A large tree comes
 * in parts, each a signal.
 */

import * as z from 'zod/mini';
import { hashOf } from '../base/canonical.ts';
import { defined } from '../base/defined.ts';
import { ProtocolError } from '../base/errors.ts';
import { MEMORY_COMMIT_OBJECTS_MAX, MEMORY_CONTENT_CHARS_MAX } from '../base/limits.ts';
import type { Payload } from '../signal/signal.ts';
import type { TreeNode } from './ingest.ts';
import { MEMORY_DEPTH_MAX, MEMORY_KEY_CHARS_MAX, MEMORY_TREE_PARTS_MAX } from './limits.ts';
import { Bits128, MemoryId, ObjectAttributes, Sha256 } from './object-parts.ts';

const { title, todo, properties, links, tags } = ObjectAttributes.shape;

const isWellFormed = z.refine<string>((text) => text.isWellFormed(), { error: 'holds a lone surrogate' });

export const UpdateNode = z.strictObject({
  /** 1 for the root, the first node. */
  level: z.int().check(z.minimum(1), z.maximum(MEMORY_DEPTH_MAX)),
  key: z.string().check(z.minLength(1), z.maxLength(MEMORY_KEY_CHARS_MAX), isWellFormed),
  type: z.optional(z.enum(['note', 'headline', 'document'])),
  title,
  tags: z.optional(tags),
  todo,
  properties,
  links,
  content: z.optional(z.string().check(z.maxLength(MEMORY_CONTENT_CHARS_MAX), isWellFormed)),
});
export type UpdateNode = z.infer<typeof UpdateNode>;

/** An earlier part of the tree, in a signal of its own. */
export const TreePart = z.strictObject({
  signalId: z.string().check(z.minLength(1), z.maxLength(256)),
  /** `treeHash` of the signal's nodes. */
  hash: Sha256,
  /** Number of nodes. */
  nodes: z.int().check(z.positive()),
});
export type TreePart = z.infer<typeof TreePart>;

export const TreeUpdate = z.strictObject({
  /** The owner's own buffer, or a file nobody vouched for. */
  origin: z.enum(['owner', 'outside']),
  /** Object it belongs to, if it came from no file and has no key. */
  rootId: z.optional(MemoryId),
  /** It waits for a tree that names it as a part; alone it changes nothing. */
  isPart: z.optional(z.literal(true)),
  /** The whole tree leaves memory: its file is gone. Older versions stay. */
  isGone: z.optional(z.literal(true)),
  /** Hash of the root as its sender saw it, '' for none. If it has another, nothing is changed. */
  seen: z.optional(z.string().check(z.regex(/^(?:[0-9a-f]{64})?$/))),
  /** Random, so that the hash in the action helps nobody guess erased words. */
  nonce: z.optional(Bits128),
  /** Earlier parts, in reading order. */
  parts: z.optional(z.array(TreePart).check(z.minLength(1), z.maxLength(MEMORY_TREE_PARTS_MAX))),
  nodes: z.array(UpdateNode).check(z.minLength(1), z.maxLength(MEMORY_COMMIT_OBJECTS_MAX)),
});
export type TreeUpdate = z.infer<typeof TreeUpdate>;

/** Faults of levels and keys, by place; undefined if the list is one tree. */
export const treeProblem = (nodes: readonly Pick<UpdateNode, 'level' | 'key'>[]): string | undefined => {
  const places = new Map<string, number>();
  for (const [n, { level, key }] of nodes.entries()) {
    const before = nodes[n - 1]?.level ?? 0;
    if (n === 0 && level !== 1) return 'nodes.0.level must be 1';
    if (n > 0 && (level < 2 || level > before + 1)) return `nodes.${n}.level must be 2 to ${before + 1}`;
    const taken = places.get(key);
    if (taken !== undefined) return `nodes.${n}.key is that of nodes.${taken} too`;
    places.set(key, n);
  }
  return undefined;
};

export const countNodes = ({ nodes, parts = [] }: Pick<TreeUpdate, 'nodes' | 'parts'>): number =>
  parts.reduce((sum, part) => sum + part.nodes, nodes.length);

export const treeHash = (update: TreeUpdate): string => hashOf('memory-tree', update);

interface Growing extends TreeNode {
  readonly children: TreeNode[];
}

/** @throws ProtocolError if the list is no tree */
export const buildTree = ({ nodes }: Pick<TreeUpdate, 'nodes'>): TreeNode => {
  const problem = treeProblem(nodes);
  if (problem !== undefined) throw new ProtocolError(problem);
  const open: Growing[] = [];
  for (const {
    level,
    key,
    type,
    content,
    tags: given,
    title: name,
    todo: state,
    properties: own,
    links: to,
  } of nodes) {
    const attributes = {
      tags: given ?? [],
      ...defined({ title: name, todo: state, properties: own, links: to }),
    };
    const node: Growing = {
      key,
      type: type ?? (level === 1 ? 'document' : 'headline'),
      attributes,
      content: content ?? '',
      children: [],
    };
    open.length = level - 1;
    open.at(-1)?.children.push(node);
    open.push(node);
  }
  const [root] = open;
  if (root === undefined) throw new ProtocolError('a tree needs a node');
  return root;
};

export const listNodes = (tree: TreeNode, level = 1): readonly UpdateNode[] => {
  const { title: name, tags: given, todo: state, properties: own, links: to } = tree.attributes;
  const node: UpdateNode = {
    level,
    key: tree.key,
    type: tree.type === 'summary' ? 'note' : tree.type,
    ...defined({ title: name }),
    ...(given.length === 0 ? {} : { tags: given }),
    ...defined({ todo: state, properties: own, links: to }),
    ...(tree.content === '' ? {} : { content: tree.content }),
  };
  return [node, ...tree.children.flatMap((child) => listNodes(child, level + 1))];
};

/** Pieces of at most so many bytes of JSON; a larger node is a piece alone. */
export const splitNodes = (nodes: readonly UpdateNode[], bytesMax: number): readonly UpdateNode[][] => {
  const pieces: UpdateNode[][] = [];
  let room = 0;
  for (const node of nodes) {
    const bytes = Buffer.byteLength(JSON.stringify(node)) + 1;
    const open = pieces.at(-1);
    if (open === undefined || bytes > room) {
      pieces.push([node]);
      room = bytesMax - bytes;
    } else {
      open.push(node);
      room -= bytes;
    }
  }
  return pieces;
};

/** Signals that hold parts of this one. */
export const partSignalsOf = (payload: Payload): readonly string[] => {
  if (payload.sensor !== 'buffer-update') return [];
  const update = TreeUpdate.safeParse(payload.tree);
  return (update.data?.parts ?? []).map(({ signalId }) => signalId);
};

export interface WholeUpdate {
  readonly nodes: UpdateNode[];
  /** One for each piece. */
  readonly origins: readonly TreeUpdate['origin'][];
}

/** @throws ProtocolError if a part is not as announced, or there are too many nodes */
export const loadWhole = async (
  update: TreeUpdate,
  loadPayload: (signalId: string) => Promise<Payload | undefined>,
): Promise<WholeUpdate> => {
  if (update.isPart === true) throw new ProtocolError('a part of a tree is none');
  if (countNodes(update) > MEMORY_COMMIT_OBJECTS_MAX)
    throw new ProtocolError(`a tree has at most ${MEMORY_COMMIT_OBJECTS_MAX} nodes`);
  const nodes: UpdateNode[] = [];
  const origins: TreeUpdate['origin'][] = [update.origin];
  for (const [n, named] of (update.parts ?? []).entries()) {
    const payload = await loadPayload(named.signalId);
    const part = TreeUpdate.safeParse(payload?.sensor === 'buffer-update' ? payload.tree : undefined);
    if (part.data?.isPart !== true || treeHash(part.data) !== named.hash || part.data.nodes.length !== named.nodes)
      throw new ProtocolError(`parts.${n} is not the one that was decided`);
    nodes.push(...part.data.nodes);
    origins.push(part.data.origin);
  }
  return { nodes: [...nodes, ...update.nodes], origins };
};
