/**
 * Finds what is private: objects and texts with a private tag, and all nodes below such an object.
 * `personal` is always private; a space adds its own tags (PRIVACY_FILTER_TAGS). Tags are compared
 * whole, in canonical form, without case, with or without `@`. Pure and linear.
 */

import { canonicalText, caseless } from './canonical-text.ts';

/** Private in every space. */
export const PERSONAL_TAG = 'personal';

/** `@Personal` → `personal`. */
const tagName = (tag: string): string => caseless(tag).trim().replace(/^@/, '');

const namesOf = (extraTags: readonly string[]): ReadonlySet<string> =>
  new Set([PERSONAL_TAG, ...extraTags.map(tagName).filter((name) => name !== '')]);

/** Whether an object has a private tag. */
export const hasPrivateTag = (tags: readonly string[], extraTags: readonly string[]): boolean => {
  const names = namesOf(extraTags);
  return tags.some((tag) => names.has(tagName(tag)));
};

/** `@tag` at the start of a word: not inside an e-mail address. */
const MENTION = /(?:^|[^\p{L}\p{N}._%+-])@([\p{L}\p{N}_-]{1,64})(?![\p{L}\p{N}_.-]{0,64}\.[\p{L}]{2})/gu;
/** `:tag:other:` at the end of a heading, as outlines write it. */
const HEADING = /^[*#]{1,8}(?=[ \t])[^\n]{0,512}?[ \t]:([\p{L}\p{N}_@:-]{1,256}):[ \t]*$/gmu;
/** `tags: a, b` on a line of its own, or `"tags":["a","b"]` in an object. */
const LISTED = /(?:^[ \t>*-]{0,8}|")tags?"?[ \t]{0,4}[:=][ \t]{0,4}\[?([^\n\]]{1,512})/gimu;

const isListed = (list: string, names: ReadonlySet<string>): boolean =>
  list.split(/[\s,;:"'[\]]+/).some((word) => names.has(tagName(word)));

/** Whether a text carries a private tag. */
export const isPrivateText = (text: string, extraTags: readonly string[]): boolean => {
  const canonical = canonicalText(text);
  if (!/[@:=]/.test(canonical)) return false;
  const names = namesOf(extraTags);
  for (const [, tag = ''] of canonical.matchAll(MENTION)) if (names.has(tagName(tag))) return true;
  for (const [, list = ''] of canonical.matchAll(HEADING)) if (isListed(list, names)) return true;
  for (const [, list = ''] of canonical.matchAll(LISTED)) if (isListed(list, names)) return true;
  return false;
};

/** A node of a tree, as far as privacy is concerned. */

export interface TreeNode {
  readonly id: string;
  /** None for a root. */
  readonly parentId?: string | undefined;
  /** These nodes lie below it, whatever they say themselves. */
  readonly children?: readonly { readonly id: string }[] | undefined;
  /** It carries a private mark itself. */
  readonly isPrivate: boolean;
}

export interface PrivateNodes {
  readonly hidden: ReadonlySet<string>;
  /** Named as ancestors, but not given. */
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

/** Walks down from the visible roots. A node that is reached only through a mark stays hidden. */
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

/**
 * Hides marked nodes and all below them. A node with an ancestor that is not given, or in a circle,
 * is hidden too.
 * @param nodes in any order; of two with one id, one mark is enough.
 */
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

/** A memory object, as far as privacy is concerned. */
export interface Marked {
  readonly id: string;
  readonly parentId?: string | undefined;
  readonly children?: readonly { readonly id: string }[] | undefined;
  readonly attributes: { readonly tags: readonly string[]; readonly title?: string | undefined };
  readonly content: string;
}

/** Whether the object itself carries a private mark. */
export const isMarkedPrivate = ({ attributes, content }: Marked, extraTags: readonly string[]): boolean =>
  hasPrivateTag(attributes.tags, extraTags) ||
  isPrivateText(attributes.title ?? '', extraTags) ||
  isPrivateText(content, extraTags);

const nodeOf = (object: Marked, extraTags: readonly string[]): TreeNode => ({
  id: object.id,
  parentId: object.parentId,
  children: object.children,
  isPrivate: isMarkedPrivate(object, extraTags),
});

/**
 * The objects that are neither marked private nor below one that is.
 * @param ancestors of the objects, up to the roots; an object with a missing ancestor is left out.
 */
export const withoutPrivate = <T extends Marked>(
  objects: readonly T[],
  extraTags: readonly string[] = [],
  ancestors: readonly Marked[] = [],
): readonly T[] => {
  const { hidden } = findPrivateNodes([...objects, ...ancestors].map((object) => nodeOf(object, extraTags)));
  return objects.filter(({ id }) => !hidden.has(id));
};
