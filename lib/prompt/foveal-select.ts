/**
 * Which memory objects a context shows, and how much each piece of them is worth. Active projects are roots, shown two
 * levels deep as titles; the focus and all under it, and what is similar enough to the question, are shown with their bodies
 * wherever they stand. The order of worth depends on nothing but the objects and the question, so that a larger budget only
 * ever adds. Pure and linear but for one sort.
 */
import type { ContextNode, ContextTree } from './foveal-tree.ts';

/** Levels shown of every active project (the original's). */
const CONTEXT_DEPTH_MAX = 2;

export interface Candidate {
  readonly node: ContextNode;
  /** 1 for a root. */
  readonly depth: number;
  /** Place in the outline. */
  readonly order: number;
  readonly hasBody: boolean;
  /** Cosine, where it was enough to be shown for it. */
  readonly similarity?: number | undefined;
  /** Of its title; a body is worth less, each piece less than the one before. */
  readonly worth: number;
}

export interface Selection {
  readonly candidates: readonly Candidate[];
  /** Objects under active projects that are neither near the top nor close to the question. */
  readonly peripheralCount: number;
}

export interface Gaze {
  readonly focus?: string | undefined;
  readonly similarities: ReadonlyMap<string, number>;
  readonly threshold: number;
}

const ENDED: ReadonlySet<string> = new Set(['DONE', 'CANCELLED', 'CANCELED', 'CLOSED']);

/** Tagged `project` and not done. */
export const isActiveProject = ({ tags, todo }: Pick<ContextNode, 'tags' | 'todo'>): boolean =>
  tags.some(
    (tag) =>
      tag
        .trim()
        .replace(/^:+|:+$/g, '')
        .toLowerCase() === 'project',
  ) && !(todo !== undefined && ENDED.has(todo.toUpperCase()));

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

/** Worth of a title: the focus, then roots, then what is similar, then what is under the focus, then the second level. */
const worthOf = ({ depth, below }: Visit, similarity: number | undefined): number => {
  if (below === 0) return 100;
  if (similarity !== undefined) return 80 + 10 * similarity;
  if (depth === 1) return 90;
  return below === undefined ? 40 : Math.max(41, 70 - below);
};

/** The topmost active projects, and with them the focus and what is similar and stands in none of them. */
const rootsOf = (tree: ContextTree, gaze: Gaze): readonly Visit[] => {
  const shown = [...tree.nodes.values()].filter(({ id }) => !tree.isPrivate(id)).sort(byNewest);
  const active = shown.filter(isActiveProject);
  const inProject = new Set<string>();
  const below = active.flatMap(({ id }) => tree.childrenOf(id));
  for (const node of below) inProject.add(node.id);
  for (const id of inProject) for (const child of tree.childrenOf(id)) inProject.add(child.id);
  // Two projects that are under each other would have no top: the newest is.
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
    const hasBody = node.isVeiled !== true && (below !== undefined || similarity !== undefined);
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
