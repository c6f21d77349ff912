/**
 * Which nodes of trees are private: those that carry the mark, and everything below them, however deep. A node whose
 * ancestors are not all among those given is hidden as well, since nobody can say what they carry (`unknown` names those that
 * would have to be loaded); so is one in a circle, which is no tree. Pure and linear: each node is decided once.
 */

export interface TreeNode {
  readonly id: string;
  /** None for a root. */
  readonly parentId?: string | undefined;
  /** Below it, whatever they say themselves: a child that lost its way up stays under its parent. */
  readonly children?: readonly { readonly id: string }[] | undefined;
  /** The node itself carries a private mark. */
  readonly isPrivate: boolean;
}

export interface PrivateNodes {
  readonly hidden: ReadonlySet<string>;
  /** Ancestors that are named but not given. */
  readonly unknown: ReadonlySet<string>;
}

const parentsOf = (nodes: readonly TreeNode[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const parents = new Map(nodes.map(({ id }) => [id, new Set<string>()]));
  for (const { id, parentId, children } of nodes) {
    if (parentId !== undefined) parents.get(id)?.add(parentId);
    for (const child of children ?? []) parents.get(child.id)?.add(id);
  }
  return parents;
};

/** Visited from the visible roots downwards: what is not reached without meeting a mark stays hidden. */
const visibleFrom = (
  nodes: ReadonlyMap<string, TreeNode>,
  parents: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> => {
  const below = new Map<string, string[]>();
  const waiting = new Map<string, number>();
  for (const [id, above] of parents) {
    waiting.set(id, above.size);
    for (const parent of above) {
      const siblings = below.get(parent);
      if (siblings === undefined) below.set(parent, [id]);
      else siblings.push(id);
    }
  }
  const visible = new Set<string>();
  const next = [...parents].filter(([, above]) => above.size === 0).map(([id]) => id);
  for (let id = next.pop(); id !== undefined; id = next.pop()) {
    if (nodes.get(id)?.isPrivate !== false) continue;
    visible.add(id);
    for (const child of below.get(id) ?? []) {
      const left = (waiting.get(child) ?? 0) - 1;
      waiting.set(child, left);
      if (left === 0) next.push(child);
    }
  }
  return visible;
};

/** @param nodes in any order; two with one id count as one, and one mark is enough. */
export const findPrivateNodes = (nodes: readonly TreeNode[]): PrivateNodes => {
  const known = new Map<string, TreeNode>();
  for (const node of nodes) {
    const isPrivate = node.isPrivate || known.get(node.id)?.isPrivate === true;
    known.set(node.id, { ...node, isPrivate });
  }
  const parents = parentsOf(nodes);
  const visible = visibleFrom(known, parents);
  const named = [...parents.values()].flatMap((above) => [...above]);
  return {
    hidden: new Set([...known.keys()].filter((id) => !visible.has(id))),
    unknown: new Set(named.filter((id) => !known.has(id))),
  };
};
