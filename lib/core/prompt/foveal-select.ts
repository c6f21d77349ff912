/**
 * Memory objects as a tree, and which of them a context shows. Active projects are roots, shown two
 * levels deep as titles. The focus with all below it, and objects close to the question, are shown
 * with their bodies. The order of worth depends on the objects and the question alone, so that a
 * larger budget only adds. Private is also what stands below a private object. Pure, linear but for
 * one sort, and safe with parents that are missing or name each other.
 */
import { isActiveProject } from '../memory/project.ts';
import type { Origin } from '../signal/signal.ts';
import { hasPrivateTag, isPrivateText } from '../text/privacy.ts';

/** Levels shown of every active project. */
const CONTEXT_DEPTH_MAX = 2;

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
  readonly updatedAt: number;
  /** Not looked at or named by id: it takes only its share of the room. */
  readonly isOutside?: boolean | undefined;
  /** Nobody asked for it: no word of it is shown, so it taints nothing (I13). */
  readonly isHidden?: boolean | undefined;
}

export interface ContextTree {
  readonly nodes: ReadonlyMap<string, ContextNode>;
  readonly childrenOf: (id: string) => readonly ContextNode[];
  readonly isPrivate: (id: string) => boolean;
}

export interface Candidate {
  readonly node: ContextNode;
  /** 1 for a root. */
  readonly depth: number;
  readonly order: number;
  readonly hasBody: boolean;
  /** Cosine, if it was enough to be shown for. */
  readonly similarity?: number | undefined;
  /** Of the title; a body is worth less, each of its pieces less than the one before. */
  readonly worth: number;
}

export interface Selection {
  readonly candidates: readonly Candidate[];
  /** Objects of active projects that are neither near the top nor close to the question. */
  readonly peripheralCount: number;
}

export interface Gaze {
  readonly focus?: string | undefined;
  readonly similarities: ReadonlyMap<string, number>;
  readonly threshold: number;
}

/** Newest first, then by id. */
const byNewest = (a: ContextNode, b: ContextNode): number =>
  b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

interface Visit {
  readonly node: ContextNode;
  readonly depth: number;
  /** Levels below the focus; absent elsewhere. */
  readonly below?: number | undefined;
  readonly isInProject: boolean;
}

/** Relevance: the focus, roots, close objects, those below the focus, the second level. */
const worthOf = ({ depth, below }: Visit, similarity: number | undefined): number => {
  if (below === 0) return 100;
  if (similarity !== undefined) return 80 + 10 * similarity;
  if (depth === 1) return 90;
  return below === undefined ? 40 : Math.max(41, 70 - below);
};

/** The topmost active projects; then the focus and close objects that stand in none of them. */
const rootsOf = (tree: ContextTree, gaze: Gaze): readonly Visit[] => {
  const shown = [...tree.nodes.values()].filter(({ id }) => !tree.isPrivate(id)).sort(byNewest);
  const active = shown.filter(isActiveProject);
  const inProject = new Set<string>();
  const below = active.flatMap(({ id }) => tree.childrenOf(id));
  for (const node of below) inProject.add(node.id);
  for (const id of inProject) for (const child of tree.childrenOf(id)) inProject.add(child.id);
  // If projects stand below each other, none is the top: the newest is taken.
  const tops = active.filter(
    ({ id }, n) => !inProject.has(id) || (n === 0 && active.every((one) => inProject.has(one.id))),
  );
  const isClose = (id: string): boolean =>
    id === gaze.focus || (gaze.similarities.get(id) ?? Number.NEGATIVE_INFINITY) >= gaze.threshold;
  const others = shown.filter((node) => !inProject.has(node.id) && !isActiveProject(node) && isClose(node.id));
  return [
    ...tops.map((node): Visit => ({ node, depth: 1, isInProject: true })),
    ...others.map((node): Visit => ({ node, depth: 1, isInProject: false })),
  ];
};

export const selectContext = (tree: ContextTree, gaze: Gaze): Selection => {
  const candidates: Candidate[] = [];
  const seen = new Set<string>();
  let peripheralCount = 0;
  const waiting: Visit[] = [...rootsOf(tree, gaze)].reverse();
  for (let visit = waiting.pop(); visit !== undefined; visit = waiting.pop()) {
    const { node, depth, isInProject } = visit;
    if (seen.has(node.id) || tree.isPrivate(node.id)) continue;
    seen.add(node.id);
    const below = node.id === gaze.focus ? 0 : visit.below;
    const known = gaze.similarities.get(node.id);
    const similarity = known !== undefined && known >= gaze.threshold ? Math.min(1, known) : undefined;
    const hasBody = node.isHidden !== true && (below !== undefined || similarity !== undefined);
    if (hasBody || (isInProject && depth <= CONTEXT_DEPTH_MAX)) {
      const worth = worthOf({ ...visit, below }, similarity);
      candidates.push({ node, depth, order: candidates.length, hasBody, similarity, worth });
    } else if (isInProject) peripheralCount += 1;
    const children = tree.childrenOf(node.id).map(
      (child): Visit => ({
        node: child,
        depth: depth + 1,
        isInProject,
        ...(below === undefined ? {} : { below: below + 1 }),
      }),
    );
    waiting.push(...children.reverse());
  }
  return { candidates, peripheralCount };
};

const byId = (a: ContextNode, b: ContextNode): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** Children that a parent lists, then by id those that name it and are not listed. */
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

/** @param extraTags the space's own private tags */
export const buildContextTree = (list: readonly ContextNode[], extraTags: readonly string[]): ContextTree => {
  const nodes = new Map(list.map((node) => [node.id, node]));
  const children = buildChildren(nodes);
  const hidden = new Set(list.filter((node) => isPrivateAlone(node, extraTags)).map(({ id }) => id));
  // A set grows while it is walked, so each object is looked at once.
  for (const id of hidden) for (const child of children.get(id) ?? []) hidden.add(child.id);
  return {
    nodes,
    childrenOf: (id) => children.get(id) ?? [],
    isPrivate: (id) => hidden.has(id),
  };
};
