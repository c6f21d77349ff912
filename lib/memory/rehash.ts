/**
 * Gives every changed object its hash, and every ancestor of one, and no other object: from the deepest up, each once.
 * Forgotten objects keep the hash they had. Works on a forest.
 */
import { type Forest, findLive, known, listersOf, put, type Reading } from './forest.ts';
import { type LiveObject, objectHashOf, withHash } from './object.ts';

/** How far below its root an object hangs, buckets counted. */
function* levelOf(forest: Forest, object: LiveObject): Reading<number> {
  return (yield* listersOf(forest, object)).length;
}

/** Objects whose hash may be due to change: those that say or list something else, and all that list them, upwards. */
function* dirtyOf(forest: Forest): Reading<ReadonlyMap<string, number>> {
  const dirty = new Map<string, number>();
  for (const object of [...forest.after.values()]) {
    if (object.state !== 'live') continue;
    let level = yield* levelOf(forest, object);
    dirty.set(object.id, level);
    for (const lister of yield* listersOf(forest, object)) {
      level -= 1;
      dirty.set(lister.id, level);
    }
  }
  return dirty;
}

const hashIn = (forest: Forest, id: string, old: string): string => {
  const child = known(forest, id);
  return child === undefined || child.state === 'removed' ? old : child.hash;
};

/** @param onHash told of every object whose hash changes: tests count. */
export function* rehash(forest: Forest, onHash: (id: string) => void = () => undefined): Reading<void> {
  const dirty = [...(yield* dirtyOf(forest))].sort(([, a], [, b]) => b - a);
  for (const [id] of dirty) {
    const object = yield* findLive(forest, id);
    const children = object.children.map((ref) => ({ ...ref, hash: hashIn(forest, ref.id, ref.hash) }));
    const refreshed: LiveObject = { ...object, children };
    // Only its place changed, or an old state came back: its hash is right as it is, in whichever form.
    const isRight = objectHashOf(refreshed) === refreshed.hash;
    if (!isRight) onHash(id);
    put(forest, isRight ? refreshed : withHash(refreshed));
  }
}
