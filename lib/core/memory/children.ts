/**
 * Ordered children of a node, without a bound on their number. A node lists up to 256 entries;
 * further ones go into buckets of 16 to 32, which split when they are full. So a change at a leaf
 * touches a few small items. Buckets follow from the effect that made them, like any object.
 */
import { ProtocolError } from '../base/errors.ts';
import { asNew, type Forest, type ForestReading, find, findLive, known, listerOf, need, put } from './forest.ts';
import { MEMORY_CHILDREN_MAX } from './limits.ts';
import { buildObject, buildRemoved, type ChildRef, type LiveObject } from './object.ts';

/** Entries of a full and of a new bucket: splitting one still fits a transaction. */
export const MEMORY_BUCKET_MAX = 32;
const MEMORY_BUCKET_ENTRIES = 16;

/** Makes ids and nonces of one effect's objects. */
export interface Maker {
  readonly signalId: string;
  readonly effectId: string;
  readonly now: number;
  readonly newId: () => string;
  readonly newNonce: () => string;
}

/** Hash of a child that `rehash` fills in later. */
const OPEN_HASH = '0'.repeat(64);

const refOf = (object: LiveObject): ChildRef => {
  if (object.type !== 'bucket') return { id: object.id, hash: object.hash };
  return { id: object.id, hash: OPEN_HASH, height: heightOf(object.children) };
};

const heightOf = (refs: readonly ChildRef[]): number => 1 + Math.max(0, ...refs.map(({ height }) => height ?? 0));

/** Puts a child before a sibling, or last, and sets its place. */
export function* insertChild(
  forest: Forest,
  child: LiveObject,
  parentId: string,
  before: string | undefined,
  maker: Maker,
): ForestReading<void> {
  const { lister, index } =
    before === undefined ? yield* lastPlace(forest, parentId) : yield* placeOf(forest, parentId, before);
  const children = [...lister.children];
  children.splice(index, 0, refOf(child));
  const { containerId: _, ...bare } = child;
  put(forest, { ...bare, parentId, ...(lister.id === parentId ? {} : { containerId: lister.id }) });
  put(forest, { ...lister, children });
  yield* makeRoom(forest, lister.id, maker);
}

function* lastPlace(forest: Forest, parentId: string): ForestReading<{ lister: LiveObject; index: number }> {
  let lister = yield* findLive(forest, parentId);
  for (let last = lister.children.at(-1); last?.height !== undefined; last = lister.children.at(-1))
    lister = yield* findLive(forest, last.id);
  return { lister, index: lister.children.length };
}

function* placeOf(forest: Forest, parentId: string, id: string): ForestReading<{ lister: LiveObject; index: number }> {
  const sibling = yield* find(forest, id);
  const listerId = sibling === undefined ? undefined : listerOf(sibling);
  if (sibling?.parentId !== parentId || listerId === undefined)
    throw new ProtocolError(`the object ${id} is no child of ${parentId}`);
  const lister = yield* findLive(forest, listerId);
  return { lister, index: lister.children.findIndex((ref) => ref.id === id) };
}

/** Takes a child out of its list, and removes buckets left empty. The child stays unchanged. */
export function* removeChild(
  forest: Forest,
  child: { readonly id: string } & Parameters<typeof listerOf>[0],
): ForestReading<void> {
  const listerId = listerOf(child);
  if (listerId === undefined) return;
  const lister = yield* findLive(forest, listerId);
  const emptied = { ...lister, children: lister.children.filter(({ id }) => id !== child.id) };
  if (lister.type === 'bucket' && emptied.children.length === 0) {
    put(forest, buildRemoved(emptied));
    yield* removeChild(forest, lister);
  } else put(forest, emptied);
}

/** Splits or fills buckets until no list is too long, upwards from this one. */
function* makeRoom(forest: Forest, id: string, maker: Maker): ForestReading<void> {
  const lister = yield* findLive(forest, id);
  if (lister.type !== 'bucket') {
    if (lister.children.length > MEMORY_CHILDREN_MAX) yield* fillBucket(forest, lister, maker);
    return;
  }
  if (lister.children.length <= MEMORY_BUCKET_MAX) return;
  yield* splitBucket(forest, lister, maker);
}

/** Also reads the bucket's entries, needed next. @throws ProtocolError if its id is taken */
function* newBucket(
  forest: Forest,
  like: LiveObject,
  parentId: string,
  children: readonly ChildRef[],
  maker: Maker,
): ForestReading<LiveObject> {
  const built = buildObject({
    id: maker.newId(),
    type: 'bucket',
    scope: like.scope,
    attributes: { tags: [] },
    content: '',
    origin: 'agent',
    effectId: maker.effectId,
    signalId: maker.signalId,
    now: maker.now,
    nonce: maker.newNonce(),
  });
  yield* need(forest, [built.id, ...children.map(({ id }) => id)]);
  return { ...(yield* asNew(forest, built)), parentId, children: [...children] };
}

/** Sets the place of a new bucket's entries. */
function* moveInto(forest: Forest, bucket: LiveObject): ForestReading<void> {
  yield* need(
    forest,
    bucket.children.map(({ id }) => id),
  );
  for (const { id } of bucket.children) {
    const entry = known(forest, id);
    if (entry === undefined) throw new ProtocolError(`memory has no object ${id}, which is listed`);
    put(forest, { ...entry, containerId: bucket.id });
  }
}

/** Start of the run of entries with the lowest buckets, the leftmost if several are equal. */
const lowestRun = (refs: readonly ChildRef[]): number => {
  let best = { first: 0, height: Number.POSITIVE_INFINITY };
  for (let first = 0; first + MEMORY_BUCKET_ENTRIES <= refs.length; first += 1) {
    const height = heightOf(refs.slice(first, first + MEMORY_BUCKET_ENTRIES));
    if (height < best.height) best = { first, height };
  }
  return best.first;
};

function* fillBucket(forest: Forest, node: LiveObject, maker: Maker): ForestReading<void> {
  const first = lowestRun(node.children);
  const run = node.children.slice(first, first + MEMORY_BUCKET_ENTRIES);
  const bucket = yield* newBucket(forest, node, node.id, run, maker);
  put(forest, bucket);
  yield* moveInto(forest, bucket);
  const children = [...node.children];
  children.splice(first, run.length, refOf(bucket));
  put(forest, { ...node, children });
}

function* splitBucket(forest: Forest, full: LiveObject, maker: Maker): ForestReading<void> {
  const listerId = listerOf(full);
  if (full.parentId === undefined || listerId === undefined) throw new ProtocolError('a bucket hangs nowhere');
  const middle = full.children.length - MEMORY_BUCKET_ENTRIES;
  const right = yield* newBucket(forest, full, full.parentId, full.children.slice(middle), maker);
  const placed = listerId === full.parentId ? right : { ...right, containerId: listerId };
  put(forest, placed);
  yield* moveInto(forest, placed);
  const left = { ...full, children: full.children.slice(0, middle) };
  put(forest, left);
  const lister = yield* findLive(forest, listerId);
  const children = [...lister.children];
  const index = children.findIndex(({ id }) => id === full.id);
  children.splice(index, 1, refOf(left), refOf(placed));
  put(forest, { ...lister, children });
  yield* makeRoom(forest, lister.id, maker);
}
