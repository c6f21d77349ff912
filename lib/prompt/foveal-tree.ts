/**
 * Memory objects as a tree the context is rendered from: who stands under whom, in order, and which are private. Privacy
 * runs down: what stands under a private object is private, by its own word for its parent and by the parent's list of its
 * children alike. Survives objects that name a parent that is not there, or each other. Pure and linear.
 */

import type { Origin } from '../signal/signal.ts';
import { hasPrivateTag, isPrivateText } from '../text/privacy.ts';

export interface ContextNode {
  readonly id: string;
  readonly parentId?: string | undefined;
  readonly title: string;
  readonly content: string;
  readonly tags: readonly string[];
  readonly scope: 'memex' | 'session' | 'project';
  readonly origin: Origin;
  readonly version: number;
  /** Ids, in order. */
  readonly children: readonly string[];
  readonly todo?: string | undefined;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
  /**
   * From outside, and neither looked at nor named by its id: it takes only its own share of the
   * room.
   */
  readonly isOutside?: boolean | undefined;
  /** From outside, and nobody asked for it: only that it is there is shown, none of its words, so that it taints nothing (I13). */
  readonly isVeiled?: boolean | undefined;
}

export interface ContextTree {
  readonly nodes: ReadonlyMap<string, ContextNode>;
  readonly childrenOf: (id: string) => readonly ContextNode[];
  readonly isPrivate: (id: string) => boolean;
}

const byId = (a: ContextNode, b: ContextNode): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** Children a parent lists, then those that name it and are not listed, by id. */
const buildChildren = (nodes: ReadonlyMap<string, ContextNode>): ReadonlyMap<string, readonly ContextNode[]> => {
  const children = new Map<string, Set<ContextNode>>();
  const add = (parent: string, child: ContextNode | undefined): void => {
    if (child === undefined) return;
    const list = children.get(parent);
    if (list === undefined) children.set(parent, new Set([child]));
    else list.add(child);
  };
  for (const node of nodes.values()) for (const id of node.children) add(node.id, nodes.get(id));
  for (const node of [...nodes.values()].sort(byId)) if (node.parentId !== undefined) add(node.parentId, node);
  return new Map([...children].map(([id, list]) => [id, [...list]]));
};

const isPrivateAlone = ({ tags, title, content }: ContextNode, extraTags: readonly string[]): boolean =>
  hasPrivateTag(tags, extraTags) || isPrivateText(title, extraTags) || isPrivateText(content, extraTags);

/** @param extraTags the space's private tags, beside the one that is private everywhere */
export const buildContextTree = (list: readonly ContextNode[], extraTags: readonly string[]): ContextTree => {
  const nodes = new Map(list.map((node) => [node.id, node]));
  const children = buildChildren(nodes);
  const hidden = new Set(list.filter((node) => isPrivateAlone(node, extraTags)).map(({ id }) => id));
  // A set grows while it is walked: each object is looked at once.
  for (const id of hidden) for (const child of children.get(id) ?? []) hidden.add(child.id);
  return {
    nodes,
    childrenOf: (id) => children.get(id) ?? [],
    isPrivate: (id) => hidden.has(id),
  };
};
