/**
 * Memory as plain nested data, for comparison: what nodes say, where they hang, in which order. It
 * knows no hashes, buckets or commits; every state is kept whole. What was forgotten is forgotten
 * in all of them.
 */
export interface PlainNode {
  readonly text: string;
  readonly parent: string;
}

export interface PlainState {
  readonly nodes: Map<string, PlainNode>;
  /** Children by parent, in order; roots under the empty name, in no order. */
  readonly lists: Map<string, string[]>;
}

export interface PlainTree {
  readonly text: string;
  readonly children: readonly PlainTree[];
}

export const FORGOTTEN = '(forgotten)';

const emptyState = (): PlainState => ({ nodes: new Map(), lists: new Map([['', []]]) });

const copy = (state: PlainState): PlainState => ({
  nodes: new Map(state.nodes),
  lists: new Map([...state.lists].map(([id, list]) => [id, [...list]])),
});

export const buildPlainModel = () => {
  const history: PlainState[] = [emptyState()];
  const forgotten = new Set<string>();
  const now = (): PlainState => history.at(-1) ?? emptyState();

  const subtree = (state: PlainState, id: string): readonly string[] => [
    id,
    ...(forgotten.has(id) ? [] : (state.lists.get(id) ?? []).flatMap((child) => subtree(state, child))),
  ];
  const isBelow = (state: PlainState, id: string, top: string): boolean => {
    for (let at = id; at !== ''; at = state.nodes.get(at)?.parent ?? '') if (at === top) return true;
    return false;
  };
  const insert = (state: PlainState, id: string, parent: string, before: string | undefined): void => {
    const list = state.lists.get(parent) ?? [];
    const at = before === undefined ? -1 : list.indexOf(before);
    list.splice(at < 0 ? list.length : at, 0, id);
    state.lists.set(parent, list);
  };
  const detach = (state: PlainState, id: string): void => {
    const list = state.lists.get(state.nodes.get(id)?.parent ?? '') ?? [];
    if (list.includes(id)) list.splice(list.indexOf(id), 1);
  };
  /** One commit: a new state from the last. */
  const step = (change: (state: PlainState) => void): void => {
    const state = copy(now());
    change(state);
    history.push(state);
  };
  const treeOf = (state: PlainState, id: string): PlainTree =>
    forgotten.has(id)
      ? { text: FORGOTTEN, children: [] }
      : {
          text: state.nodes.get(id)?.text ?? '?',
          children: (state.lists.get(id) ?? []).map((child) => treeOf(state, child)),
        };

  return {
    step,
    /** Takes the last step back: memory found nothing to change. */
    undo: () => void history.pop(),
    insert,
    detach,
    isBelow: (id: string, top: string) => isBelow(now(), id, top),
    commits: () => history.length - 1,
    isForgotten: (id: string) => forgotten.has(id),
    /** Ids that say something, in the order they were made. */
    live: () => [...now().nodes.keys()].filter((id) => !forgotten.has(id)),
    siblings: (parent: string) => (parent === '' ? [] : (now().lists.get(parent) ?? [])),
    remove: (state: PlainState, id: string) => {
      const gone = subtree(state, id);
      detach(state, id);
      for (const each of gone) {
        state.nodes.delete(each);
        state.lists.delete(each);
      }
    },
    forget: (id: string) => {
      for (const each of subtree(now(), id)) forgotten.add(each);
    },
    /**
     * As it was, but what is forgotten stays so; what hung under that and was saved before becomes
     * a root.
     */
    rollback: (target: number) => {
      const was = copy(history[target] ?? emptyState());
      for (const [id, node] of was.nodes) {
        if (node.parent === '' || forgotten.has(id) || !forgotten.has(node.parent)) continue;
        detach(was, id);
        was.nodes.set(id, { ...node, parent: '' });
        insert(was, id, '', undefined);
      }
      history.push(was);
    },
    /** Roots that say something, sorted by what they say, each with its tree. */
    trees: (commit = history.length - 1): readonly PlainTree[] => {
      const state = history[commit] ?? emptyState();
      const roots = (state.lists.get('') ?? []).filter((id) => !forgotten.has(id));
      return sortTrees(roots.map((id) => treeOf(state, id)));
    },
  };
};

export type PlainModel = ReturnType<typeof buildPlainModel>;

export const sortTrees = (trees: readonly PlainTree[]): readonly PlainTree[] =>
  [...trees].sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
