/**
 * Applies edits of trees as one commit: create, update, move, restore, remove, forget. Removing or
 * forgetting a node takes its subtree along. If one edit does not fit (unknown object, cycle, too
 * deep, other version), nothing is changed: ProtocolError.
 */
import { defined } from '../base/defined.ts';
import { ProtocolError } from '../base/errors.ts';
import { joinOrigins, type Origin } from '../signal/signal.ts';
import { insertChild, type Maker, removeChild } from './children.ts';
import type { ObjectChange } from './commit-writes.ts';
import {
  asNew,
  changesOf,
  depthOf,
  descendantsOf,
  emptyForest,
  type Forest,
  type ForestReading,
  find,
  findLive,
  need,
  put,
  rehash,
} from './forest.ts';
import { MEMORY_DEPTH_MAX } from './limits.ts';
import { buildForgotten, buildRemoved, contentHashOf, LiveObject, misfitError } from './object.ts';
import type { MemoryScope, ObjectAttributes } from './object-parts.ts';

export interface TreePlace {
  /** Absent for a root. */
  readonly parentId?: string | undefined;
  /** The sibling it comes before; absent: last. */
  readonly before?: string | undefined;
}

export type Edit =
  | { readonly kind: 'create'; readonly object: LiveObject; readonly place: TreePlace }
  | {
      readonly kind: 'update';
      readonly id: string;
      readonly attributes?: ObjectAttributes | undefined;
      readonly content?: string | undefined;
      readonly scope?: MemoryScope | undefined;
      /** Origin of the new text; the object keeps the worse of this and its own (I13). */
      readonly origin: Origin;
      readonly lastSync?: number | undefined;
      /** Refused if the object has another version by now. */
      readonly expectedVersion?: number | undefined;
    }
  | { readonly kind: 'move'; readonly id: string; readonly place: TreePlace }
  /** Restores the words of an older version, with that version's origin. */
  | { readonly kind: 'restore'; readonly id: string; readonly from: LiveObject }
  | { readonly kind: 'remove'; readonly id: string }
  | { readonly kind: 'forget'; readonly id: string };

function* create(forest: Forest, object: LiveObject, place: TreePlace, maker: Maker): ForestReading<void> {
  yield* hang(forest, yield* asNew(forest, object), place, 1, maker);
}

/** @param height levels of the subtree */
function* hang(
  forest: Forest,
  object: LiveObject,
  place: TreePlace,
  height: number,
  maker: Maker,
): ForestReading<void> {
  if (place.parentId === undefined) {
    const { parentId: _p, containerId: _c, ...root } = object;
    put(forest, root);
    return;
  }
  const parent = yield* findLive(forest, place.parentId);
  if (parent.type === 'bucket') throw new ProtocolError(`memory has no object ${parent.id}`);
  const depth = yield* depthOf(forest, parent);
  if (depth + height > MEMORY_DEPTH_MAX)
    throw new ProtocolError(`a tree of memory has at most ${MEMORY_DEPTH_MAX} levels`);
  yield* insertChild(forest, object, place.parentId, place.before, maker);
}

function* update(forest: Forest, edit: Edit & { kind: 'update' }, maker: Maker): ForestReading<void> {
  const object = yield* findLive(forest, edit.id);
  if (edit.expectedVersion !== undefined && edit.expectedVersion !== object.version)
    throw new ProtocolError(`the object ${edit.id} has version ${object.version} by now, not ${edit.expectedVersion}`);
  const content = edit.content ?? object.content;
  const parsed = LiveObject.safeParse({
    ...object,
    attributes: edit.attributes ?? object.attributes,
    content,
    contentHash: contentHashOf(content),
    nonce: maker.newNonce(),
    origin: joinOrigins([object.origin, edit.origin]),
    version: object.version + 1,
    updatedAt: maker.now,
    bySignal: maker.signalId,
    byEffect: maker.effectId,
    ...defined({ lastSync: edit.lastSync, scope: edit.scope }),
  });
  if (!parsed.success) throw misfitError(parsed.error.issues);
  put(forest, parsed.data);
}

function* restore(forest: Forest, id: string, from: LiveObject): ForestReading<void> {
  const { version, attributes: _a, content: _c, nonce: _n, contentHash: _h, ...kept } = yield* findLive(forest, id);
  const { attributes, content, nonce, contentHash, origin, updatedAt, bySignal, byEffect } = from;
  const said = { attributes, content, nonce, contentHash, origin, updatedAt, bySignal, byEffect };
  put(forest, { ...kept, ...said, version: version + 1 });
}

function* move(forest: Forest, id: string, place: TreePlace, maker: Maker): ForestReading<void> {
  const object = yield* findLive(forest, id);
  if (object.type === 'bucket' || place.before === id) throw new ProtocolError(`memory has no object ${id} to move`);
  const below = yield* descendantsOf(forest, object);
  if (place.parentId === id || below.some((each) => each.id === place.parentId))
    throw new ProtocolError('an object cannot be moved under itself');
  let height = 1;
  const top = yield* depthOf(forest, object);
  for (const each of below)
    if (each.type !== 'bucket') height = Math.max(height, (yield* depthOf(forest, each)) - top + 1);
  yield* removeChild(forest, object);
  const { parentId: _p, containerId: _c, ...loose } = yield* findLive(forest, id);
  put(forest, loose);
  yield* hang(forest, loose, place, height, maker);
}

function* remove(forest: Forest, id: string): ForestReading<void> {
  const object = yield* findLive(forest, id);
  const below = yield* descendantsOf(forest, object);
  yield* removeChild(forest, object);
  // A tombstone stays.
  for (const each of [object, ...below]) if (each.state === 'live') put(forest, buildRemoved(each));
}

function* forget(forest: Forest, id: string, maker: Maker): ForestReading<void> {
  const object = yield* find(forest, id);
  if (object === undefined || object.type === 'bucket') throw new ProtocolError(`memory has no object ${id}`);
  const tombstone = { forgottenAt: maker.now, bySignal: maker.signalId };
  for (const each of [object, ...(yield* descendantsOf(forest, object))]) put(forest, buildForgotten(each, tombstone));
}

function* apply(forest: Forest, edit: Edit, maker: Maker): ForestReading<void> {
  switch (edit.kind) {
    case 'create':
      return yield* create(forest, edit.object, edit.place, maker);
    case 'update':
      return yield* update(forest, edit, maker);
    case 'move':
      return yield* move(forest, edit.id, edit.place, maker);
    case 'restore':
      return yield* restore(forest, edit.id, edit.from);
    case 'remove':
      return yield* remove(forest, edit.id);
    case 'forget':
      return yield* forget(forest, edit.id, maker);
    default: {
      const never: never = edit;
      return never;
    }
  }
}

export const idsOf = (edit: Edit): readonly string[] => {
  const place = 'place' in edit ? [edit.place.parentId, edit.place.before] : [];
  const own = edit.kind === 'create' ? edit.object.id : edit.id;
  return [own, ...place].filter((id) => id !== undefined);
};

/** Applies all edits in order, and gives the changes that a commit writes. */
export function* applyEdits(
  edits: readonly Edit[],
  maker: Maker,
  onHash?: (id: string) => void,
): ForestReading<readonly ObjectChange[]> {
  const forest = emptyForest();
  // In one request: otherwise a tree of thousands would need thousands.
  yield* need(forest, edits.flatMap(idsOf));
  for (const edit of edits) yield* apply(forest, edit, maker);
  yield* rehash(forest, onHash);
  return changesOf(forest);
}
