/**
 * Undoing what one failing signal did to memory, and nothing else (micro-rollback): a list of edits that compensate
 * its commits. What others changed since is left as it is and named, as is what the signal had forgotten: that is gone. Pure.
 */
import { canonicalJson } from '../base/canonical.ts';
import type { Edit } from './edit.ts';
import type { LiveObject, MemoryObject } from './object.ts';

/** An object the signal changed: before its first commit of it, after its last, and as it is. */
export interface Touched {
  readonly before: MemoryObject | undefined;
  readonly after: MemoryObject;
  readonly now: MemoryObject;
}

export interface RevertPlan {
  readonly edits: readonly Edit[];
  /** Objects that were left as they are. */
  readonly left: readonly { readonly id: string; readonly because: 'changed since' | 'forgotten' }[];
}

const isLive = (object: MemoryObject | undefined): object is LiveObject => object?.state === 'live';

/** What an object says and where it hangs; not what hangs below it. */
const signatureOf = (object: MemoryObject): string => {
  const place = [object.state, object.parentId ?? ''];
  if (!isLive(object)) return place.join(' ');
  return [...place, object.contentHash, object.nonce, object.origin, canonicalJson(object.attributes)].join(' ');
};

const saysOther = (a: LiveObject, b: LiveObject): boolean =>
  a.nonce !== b.nonce || a.contentHash !== b.contentHash || canonicalJson(a.attributes) !== canonicalJson(b.attributes);

/** Edits for one object that nobody else changed since. */
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

/** Parents before their children, as they hung before. */
const topDown = (all: readonly Touched[]): readonly Touched[] => {
  const byId = new Map(all.map((one) => [one.now.id, one]));
  const level = (one: Touched | undefined, steps = 0): number => {
    const parent = one?.before?.parentId;
    return parent === undefined || steps > all.length ? 0 : 1 + level(byId.get(parent), steps + 1);
  };
  return [...all].sort((a, b) => level(a) - level(b));
};

/**
 * @param hasOthers whether something the signal did not make hangs below an object, which is why it stays
 * @param isThere whether an object is live now
 */
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
  // A removed parent takes its children along.
  const isTop = (edit: Edit): boolean =>
    edit.kind !== 'remove' ||
    !touched.some(({ now }) => now.id === edit.id && now.parentId !== undefined && removed.has(now.parentId));
  return { edits: edits.filter(isTop), left };
};
