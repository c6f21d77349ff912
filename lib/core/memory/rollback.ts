/**
 * Plans a rollback, and the undoing of one signal. A forgotten object stays forgotten and keeps its
 * hash (I10); every other gets its old state and hash, unless something forgotten hangs below it. A
 * restored object whose parent was forgotten becomes a root.
 */

import { canonicalJson } from '../base/canonical.ts';
import { defined } from '../base/defined.ts';
import type { CommitRecord } from './commit.ts';
import type { ObjectChange } from './commit-writes.ts';
import type { Edit } from './edit.ts';
import { changesOf, type Forest, type ForestReading, listerOf, rehash } from './forest.ts';
import { buildRemoved, type ForgottenObject, type LiveObject, type MemoryObject, type MemoryType } from './object.ts';

export interface Affected {
  readonly now: MemoryObject;
  /** The object as of the target. */
  readonly was: MemoryObject | undefined;
}

type RollbackWhat = 'restored' | 'removed' | 'brought-back' | 'stays-forgotten';

/** One line that a person sees before it happens. */
export interface RollbackLine {
  readonly id: string;
  readonly type: MemoryType;
  readonly title: string;
  readonly what: RollbackWhat;
  /** Signals that changed it since, oldest first. */
  readonly changedBy: readonly string[];
}

export interface RollbackPlan {
  readonly target: number;
  /** The commit it was planned on. */
  readonly head: number;
  readonly lines: readonly RollbackLine[];
  /** Restored objects that become roots because their parent was forgotten. */
  readonly orphans: readonly string[];
}

const isLive = (object: MemoryObject | undefined): object is LiveObject => object?.state === 'live';

/** First words of a note without a title. */
const TITLE_CHARS = 60;
export const titleOf = (object: LiveObject): string => {
  if (object.attributes.title !== undefined && object.attributes.title !== '') return object.attributes.title;
  const [line = ''] = object.content.trim().split('\n');
  return line.length > TITLE_CHARS ? `${line.slice(0, TITLE_CHARS).toWellFormed()}…` : line;
};

const placeOf = (object: MemoryObject): Pick<MemoryObject, 'parentId' | 'containerId'> => ({
  ...defined({ parentId: object.parentId, containerId: object.containerId }),
});

const rooted = (object: LiveObject): LiveObject => {
  const { parentId: _p, containerId: _c, ...root } = object;
  return root;
};

/** The tombstone in its place at the target; without a place if it was not there yet. */
const tombstoneAt = (now: ForgottenObject, was: MemoryObject | undefined): ForgottenObject => {
  const { parentId: _p, containerId: _c, ...loose } = now;
  return { ...loose, ...(was === undefined || was.state === 'removed' ? {} : placeOf(was)) };
};

/** Whether the words are the same; place and children may differ. */
const saysSame = (a: MemoryObject, b: MemoryObject): boolean =>
  isLive(a) &&
  isLive(b) &&
  a.contentHash === b.contentHash &&
  a.origin === b.origin &&
  a.nonce === b.nonce &&
  canonicalJson(a.attributes) === canonicalJson(b.attributes);

/** The state an object shall have, before its children are mended. */
const goalOf = ({ now, was }: Affected): MemoryObject => {
  if (now.state === 'forgotten') return tombstoneAt(now, was);
  // An erased version says only that: the current item is behind.
  if (was === undefined || was.state !== 'live') return isLive(now) ? buildRemoved(now) : now;
  return { ...was, version: saysSame(now, was) ? now.version : now.version + 1, commit: now.commit };
};

/** Objects without a live lister become roots; lists lose missing children. */
const mend = (
  goals: ReadonlyMap<string, MemoryObject>,
): { readonly goals: Map<string, MemoryObject>; readonly orphans: string[] } => {
  const mended = new Map(goals);
  const orphans: string[] = [];
  const isGone = (id: string | undefined): boolean => {
    const goal = id === undefined ? undefined : goals.get(id);
    return goal !== undefined && goal.state !== 'live';
  };
  for (const [id, goal] of goals) {
    if (!isLive(goal) || !(isGone(listerOf(goal)) || isGone(goal.parentId))) continue;
    mended.set(id, rooted(goal));
    orphans.push(id);
  }
  for (const [id, goal] of mended) {
    if (!isLive(goal)) continue;
    const children = goal.children.filter((ref) => {
      const child = mended.get(ref.id);
      return child === undefined || (child.state !== 'removed' && listerOf(child) === id);
    });
    if (children.length !== goal.children.length) mended.set(id, { ...goal, children });
  }
  return { goals: mended, orphans };
};

const whatOf = ({ now }: Affected, goal: MemoryObject): RollbackWhat | undefined => {
  if (now.type === 'bucket') return undefined;
  if (now.state === 'forgotten') return 'stays-forgotten';
  if (goal.state === 'removed') return now.state === 'removed' ? undefined : 'removed';
  if (now.state === 'removed') return 'brought-back';
  return saysSame(now, goal) && now.parentId === goal.parentId ? undefined : 'restored';
};

const lineOf = (one: Affected, goal: MemoryObject, records: readonly CommitRecord[]): readonly RollbackLine[] => {
  const what = whatOf(one, goal);
  if (what === undefined) return [];
  const { id, type } = one.now;
  const shown = isLive(one.now) ? one.now : what === 'stays-forgotten' ? undefined : one.was;
  const title = isLive(shown) ? titleOf(shown) : '';
  const by = records
    .filter(({ changes }) => changes.some((change) => change.id === id))
    .map(({ signalId }) => signalId);
  return [{ id, type, title, what, changedBy: [...new Set(by)] }];
};

/** @param records the commits since the target */
export function* planRollback(
  target: number,
  head: number,
  affected: readonly Affected[],
  records: readonly CommitRecord[],
): ForestReading<{ readonly plan: RollbackPlan; readonly changes: readonly ObjectChange[] }> {
  const first = new Map(affected.map((one) => [one.now.id, goalOf(one)]));
  const { goals, orphans } = mend(first);
  const forest: Forest = { before: new Map(affected.map(({ now }) => [now.id, now])), after: goals };
  yield* rehash(forest);
  const lines = affected.flatMap((one) => lineOf(one, goals.get(one.now.id) ?? one.now, records));
  return { plan: { target, head, lines, orphans }, changes: changesOf(forest) };
}

/** An object the signal changed: before and after its commits, and now. */
export interface Touched {
  readonly before: MemoryObject | undefined;
  readonly after: MemoryObject;
  readonly now: MemoryObject;
}

export interface RevertPlan {
  readonly edits: readonly Edit[];
  /** Objects that stay as they are. */
  readonly left: readonly { readonly id: string; readonly because: 'changed since' | 'forgotten' }[];
}

/** Words and place of an object, without what hangs below. */
const signatureOf = (object: MemoryObject): string => {
  const place = [object.state, object.parentId ?? ''];
  if (!isLive(object)) return place.join(' ');
  return [...place, object.contentHash, object.nonce, object.origin, canonicalJson(object.attributes)].join(' ');
};

const saysOther = (a: LiveObject, b: LiveObject): boolean =>
  a.nonce !== b.nonce || a.contentHash !== b.contentHash || canonicalJson(a.attributes) !== canonicalJson(b.attributes);

/** Edits for one object that nobody changed since. */
const editsFor = ({ before, now }: Touched, isThere: (id: string) => boolean): readonly Edit[] => {
  if (!isLive(before)) return isLive(now) ? [{ kind: 'remove', id: now.id }] : [];
  const parentId = before.parentId !== undefined && isThere(before.parentId) ? before.parentId : undefined;
  if (!isLive(now)) {
    const { parentId: _p, containerId: _c, ...loose } = before;
    return [{ kind: 'create', object: { ...loose, children: [] }, place: { parentId } }];
  }
  return [
    ...(saysOther(before, now) ? [{ kind: 'restore', id: now.id, from: before } as const] : []),
    ...(before.parentId === now.parentId ? [] : [{ kind: 'move', id: now.id, place: { parentId } } as const]),
  ];
};

const topDown = (all: readonly Touched[]): readonly Touched[] => {
  const byId = new Map(all.map((one) => [one.now.id, one]));
  const level = (one: Touched | undefined, steps = 0): number => {
    const parent = one?.before?.parentId;
    return parent === undefined || steps > all.length ? 0 : 1 + level(byId.get(parent), steps + 1);
  };
  return [...all].sort((a, b) => level(a) - level(b));
};

const idsBelow = ({ children }: LiveObject): readonly string[] => children.map(({ id }) => id);

/** Puts the nodes below a parent back in their order, if nobody else changed which there are. */
const orderEdits = (touched: readonly Touched[], edits: readonly Edit[]): readonly Edit[] =>
  touched.flatMap(({ before, after, now }): readonly Edit[] => {
    if (!isLive(before) || !isLive(after) || !isLive(now) || before.children.some(({ height }) => height)) return [];
    const [was, made, is] = [idsBelow(before), idsBelow(after), idsBelow(now)];
    const back = edits.flatMap((edit) => {
      if (!('place' in edit) || edit.place.parentId !== now.id) return [];
      return edit.kind === 'create' ? edit.object.id : edit.id;
    });
    const isOther =
      back.length > 0 || was.filter((id) => made.includes(id)).join() !== made.filter((id) => was.includes(id)).join();
    if (!isOther || is.join() !== made.join()) return [];
    const here = was.filter((id) => is.includes(id) || back.includes(id));
    return here.map((id) => ({ kind: 'move', id, place: { parentId: now.id } }));
  });

/** Edits that undo one signal's commits. Objects that others changed since are left and named. */
export const planRevert = (
  touched: readonly Touched[],
  hasOthers: (id: string) => boolean,
  isThere: (id: string) => boolean,
): RevertPlan => {
  const edits: Edit[] = [];
  const left: RevertPlan['left'][number][] = [];
  const back = new Set<string>();
  const removed = new Set<string>();
  for (const one of topDown(touched.filter(({ now }) => now.type !== 'bucket'))) {
    const { id } = one.now;
    if (one.now.state === 'forgotten') left.push({ id, because: 'forgotten' });
    else if (signatureOf(one.now) !== signatureOf(one.after) || (!isLive(one.before) && hasOthers(id)))
      left.push({ id, because: 'changed since' });
    else {
      const own = editsFor(one, (parent) => isThere(parent) || back.has(parent));
      for (const edit of own) {
        if (edit.kind === 'create') back.add(id);
        if (edit.kind === 'remove') removed.add(id);
      }
      edits.push(...own);
    }
  }
  edits.push(...orderEdits(touched, edits));
  // A removed parent takes its children along, so those that leave it go before.
  const isTop = (edit: Edit): boolean =>
    edit.kind !== 'remove' ||
    !touched.some(({ now }) => now.id === edit.id && now.parentId !== undefined && removed.has(now.parentId));
  const isRemoval = ({ kind }: Edit): number => Number(kind === 'remove');
  return { edits: edits.filter(isTop).sort((a, b) => isRemoval(a) - isRemoval(b)), left };
};
