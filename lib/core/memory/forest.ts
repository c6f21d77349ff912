/**
 * The trees that a change works on: objects as read, and as they shall be. A function here yields
 * the ids it needs and its driver reads them, so that it touches no store and needs few requests.
 * `rehash` gives every changed object and its ancestors their hash, once, at the end.
 */
import { ProtocolError } from '../base/errors.ts';
import type { ObjectChange } from './commit-writes.ts';
import { MEMORY_DEPTH_MAX } from './limits.ts';
import { type ChildRef, type LiveObject, type MemoryObject, objectHashOf, withHash } from './object.ts';
import type { Objects } from './read.ts';

/** Yields ids to be read; gives its result. */
export type ForestReading<T> = Generator<readonly string[], T, Objects>;

export interface Forest {
  /** As read; undefined for a missing object. */
  readonly before: Map<string, MemoryObject | undefined>;
  /** Changed objects as they shall be. */
  readonly after: Map<string, MemoryObject>;
}

export const emptyForest = (): Forest => ({ before: new Map(), after: new Map() });

export function* need(forest: Forest, ids: readonly string[]): ForestReading<void> {
  const missing = [...new Set(ids)].filter((id) => !forest.before.has(id));
  if (missing.length === 0) return;
  const found = yield missing;
  for (const id of missing) forest.before.set(id, found.get(id));
}

export function* find(forest: Forest, id: string): ForestReading<MemoryObject | undefined> {
  yield* need(forest, [id]);
  return forest.after.get(id) ?? forest.before.get(id);
}

/** An object that was read or changed before. */
export const known = (forest: Forest, id: string): MemoryObject | undefined =>
  forest.after.get(id) ?? forest.before.get(id);

/** @throws ProtocolError if there is no live object with this id */
export function* findLive(forest: Forest, id: string): ForestReading<LiveObject> {
  const object = yield* find(forest, id);
  if (object?.state !== 'live') throw new ProtocolError(`memory has no object ${id}`);
  return object;
}

/** A new object; one removed before counts on. @throws ProtocolError if the id is taken */
export function* asNew(forest: Forest, object: LiveObject): ForestReading<LiveObject> {
  const there = yield* find(forest, object.id);
  if (there === undefined) return object;
  if (there.state !== 'removed') throw new ProtocolError(`memory has an object ${object.id} already`);
  return { ...object, version: there.version + 1, createdAt: there.createdAt };
}

export const put = (forest: Forest, object: MemoryObject): void => void forest.after.set(object.id, object);

/** The object that lists this one as a child: a bucket, or the parent. */
export const listerOf = ({ containerId, parentId }: MemoryObject): string | undefined => containerId ?? parentId;

/** All listers up to the root, buckets included. */
function* listersOf(forest: Forest, object: MemoryObject): ForestReading<readonly LiveObject[]> {
  const listers: LiveObject[] = [];
  for (let id = listerOf(object); id !== undefined; ) {
    const lister = yield* findLive(forest, id);
    listers.push(lister);
    id = listerOf(lister);
  }
  return listers;
}

/** Levels of the tree down to this object, without buckets: 1 for a root. */
export function* depthOf(forest: Forest, object: MemoryObject): ForestReading<number> {
  let depth = 1;
  for (let id = object.parentId; id !== undefined; depth += 1) {
    if (depth > MEMORY_DEPTH_MAX) break;
    id = (yield* findLive(forest, id)).parentId;
  }
  return depth;
}

/** All objects below, level by level, buckets included. */
export function* descendantsOf(forest: Forest, top: MemoryObject): ForestReading<readonly MemoryObject[]> {
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

/** Every object that differs from what was read. */
export const changesOf = (forest: Forest): readonly ObjectChange[] =>
  [...forest.after.values()].flatMap((after) => {
    const before = forest.before.get(after.id);
    return before !== undefined && JSON.stringify(before) === JSON.stringify(after) ? [] : [{ before, after }];
  });

export const runReading = async <T>(
  reading: ForestReading<T>,
  read: (ids: readonly string[]) => Promise<Objects>,
): Promise<T> => {
  let step = reading.next();
  while (step.done !== true) step = reading.next(await read(step.value));
  return step.value;
};

/** Levels down to this object, with buckets. */
function* levelOf(forest: Forest, object: LiveObject): ForestReading<number> {
  return (yield* listersOf(forest, object)).length;
}

/** Objects whose hash may change: changed ones and all their listers. */
function* dirtyOf(forest: Forest): ForestReading<ReadonlyMap<string, number>> {
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

/** Hashes each dirty object once, the deepest first. Forgotten ones keep their hash. */
export function* rehash(forest: Forest, onHash: (id: string) => void = () => undefined): ForestReading<void> {
  const dirty = [...(yield* dirtyOf(forest))].sort(([, a], [, b]) => b - a);
  for (const [id] of dirty) {
    const object = yield* findLive(forest, id);
    const children = object.children.map((ref) => ({ ...ref, hash: hashIn(forest, ref.id, ref.hash) }));
    const refreshed: LiveObject = { ...object, children };
    // Only its place changed, or an old state came back: the hash is right in either form.
    const isRight = objectHashOf(refreshed) === refreshed.hash;
    if (!isRight) onHash(id);
    put(forest, isRight ? refreshed : withHash(refreshed));
  }
}
