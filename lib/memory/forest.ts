/**
 * The trees a change works on: objects as they were read, and as they are to be. What it does not know yet it asks for by
 * yielding ids, so that whoever drives it reads exactly that, in as few requests as there are steps; itself it touches no
 * store. Nothing here hashes: `rehash` does, once, at the end. Pure but for its own working set.
 */
import { ProtocolError } from '../base/errors.ts';
import type { ObjectChange } from './commit-writes.ts';
import { MEMORY_DEPTH_MAX } from './limits.ts';
import { type ChildRef, type LiveObject, type MemoryObject, objectHashOf, withHash } from './object.ts';
import type { Objects } from './read.ts';

/** Yields ids to be read; gives its result. */
export type Reading<T> = Generator<readonly string[], T, Objects>;

export interface Forest {
  /** As read; `undefined` where there is none. */
  readonly before: Map<string, MemoryObject | undefined>;
  /** As they are to be, where they differ. */
  readonly after: Map<string, MemoryObject>;
}

export const emptyForest = (): Forest => ({ before: new Map(), after: new Map() });

/** Makes sure these are known. */
export function* need(forest: Forest, ids: readonly string[]): Reading<void> {
  const missing = [...new Set(ids)].filter((id) => !forest.before.has(id));
  if (missing.length === 0) return;
  const found = yield missing;
  for (const id of missing) forest.before.set(id, found.get(id));
}

export function* find(forest: Forest, id: string): Reading<MemoryObject | undefined> {
  yield* need(forest, [id]);
  return forest.after.get(id) ?? forest.before.get(id);
}

/** What is known of an object without asking. */
export const known = (forest: Forest, id: string): MemoryObject | undefined =>
  forest.after.get(id) ?? forest.before.get(id);

/** A live object. @throws ProtocolError when there is none of that id. */
export function* findLive(forest: Forest, id: string): Reading<LiveObject> {
  const object = yield* find(forest, id);
  if (object?.state !== 'live') throw new ProtocolError(`memory has no object ${id}`);
  return object;
}

/**
 * An object that is to be made: whoever has its id is never written over. One that was removed comes back under its id and counts on.
 * @throws ProtocolError where the id is taken.
 */
export function* asNew(forest: Forest, object: LiveObject): Reading<LiveObject> {
  const there = yield* find(forest, object.id);
  if (there === undefined) return object;
  if (there.state !== 'removed') throw new ProtocolError(`memory has an object ${object.id} already`);
  return { ...object, version: there.version + 1, createdAt: there.createdAt };
}

export const put = (forest: Forest, object: MemoryObject): void => void forest.after.set(object.id, object);

/** The object that lists this one among its children: a bucket, or the parent itself. */
export const listerOf = ({ containerId, parentId }: MemoryObject): string | undefined => containerId ?? parentId;

/** From an object's lister up to its root, buckets included. */
export function* listersOf(forest: Forest, object: MemoryObject): Reading<readonly LiveObject[]> {
  const listers: LiveObject[] = [];
  for (let id = listerOf(object); id !== undefined; ) {
    const lister = yield* findLive(forest, id);
    listers.push(lister);
    id = listerOf(lister);
  }
  return listers;
}

/** Levels of the tree down to this object, as people see it: 1 for a root. */
export function* depthOf(forest: Forest, object: MemoryObject): Reading<number> {
  let depth = 1;
  for (let id = object.parentId; id !== undefined; depth += 1) {
    if (depth > MEMORY_DEPTH_MAX) break;
    id = (yield* findLive(forest, id)).parentId;
  }
  return depth;
}

/** Everything under an object that hangs there now, level by level, buckets included. */
export function* descendantsOf(forest: Forest, top: MemoryObject): Reading<readonly MemoryObject[]> {
  const all: MemoryObject[] = [];
  for (let level: readonly MemoryObject[] = [top]; level.length > 0; ) {
    const refs = level.flatMap((object) => refsOf(object).map(({ id }) => [id, object.id] as const));
    yield* need(
      forest,
      refs.map(([id]) => id),
    );
    level = refs.flatMap(([id, lister]) => {
      const child = known(forest, id);
      return child !== undefined && listerOf(child) === lister ? [child] : [];
    });
    all.push(...level);
  }
  return all;
}

export const refsOf = (object: MemoryObject): readonly ChildRef[] =>
  object.state === 'forgotten' ? [] : object.children;

/** What a commit writes: every object that is not as it was read. */
export const changesOf = (forest: Forest): readonly ObjectChange[] =>
  [...forest.after.values()].flatMap((after) => {
    const before = forest.before.get(after.id);
    return before !== undefined && JSON.stringify(before) === JSON.stringify(after) ? [] : [{ before, after }];
  });

/** Runs a reading on objects that come from `read`. */
export const drive = async <T>(reading: Reading<T>, read: (ids: readonly string[]) => Promise<Objects>): Promise<T> => {
  let step = reading.next();
  while (step.done !== true) step = reading.next(await read(step.value));
  return step.value;
};

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
