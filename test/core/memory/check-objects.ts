/**
 * What must hold of all objects of a space at any commit: hashes, places, bounds. Throws the first
 * fault in words.
 */
import { MEMORY_BUCKET_MAX } from '../../../lib/core/memory/children.ts';
import { listerOf, refsOf } from '../../../lib/core/memory/forest.ts';
import { MEMORY_CHILDREN_MAX, MEMORY_DEPTH_MAX } from '../../../lib/core/memory/limits.ts';
import { type MemoryObject, objectHashOf } from '../../../lib/core/memory/object.ts';
import type { OutlineNode } from '../../../lib/core/memory/outline.ts';
import { outlineOf } from '../../../lib/core/memory/outline.ts';
import type { Objects } from '../../../lib/core/memory/read.ts';
import { FORGOTTEN, type PlainTree, sortTrees } from './plain-model.ts';

const faultOf = (object: MemoryObject, fault: string): Error =>
  new Error(`${object.type} ${object.id} (${object.state}, commit ${object.commit}): ${fault}`);

const levelOf = (objects: Objects, object: MemoryObject): number => {
  let level = 1;
  for (let id = object.parentId; id !== undefined; level += 1) {
    if (level > MEMORY_DEPTH_MAX) return level;
    id = objects.get(id)?.parentId;
  }
  return level;
};

const checkPlace = (objects: Objects, object: MemoryObject): void => {
  const lister = listerOf(object);
  if (object.state !== 'live' || lister === undefined) return;
  const holder = objects.get(lister);
  if (holder?.state !== 'live') throw faultOf(object, `its lister ${lister} is not live`);
  const times = holder.children.filter(({ id }) => id === object.id).length;
  if (times !== 1) throw faultOf(object, `its lister lists it ${times} times`);
  if (object.containerId !== undefined && (holder.type !== 'bucket' || holder.parentId !== object.parentId))
    throw faultOf(object, 'its container is no bucket of its parent');
  if (levelOf(objects, object) > MEMORY_DEPTH_MAX) throw faultOf(object, 'too deep');
};

const checkChildren = (objects: Objects, object: MemoryObject): void => {
  const isBucket = object.type === 'bucket';
  const refs = refsOf(object);
  if (refs.length > (isBucket ? MEMORY_BUCKET_MAX : MEMORY_CHILDREN_MAX))
    throw faultOf(object, `${refs.length} entries`);
  if (isBucket && refs.length === 0) throw faultOf(object, 'an empty bucket');
  for (const ref of refs) {
    const child = objects.get(ref.id);
    if (child === undefined || child.state === 'removed') throw faultOf(object, `lists ${ref.id}, which is not there`);
    if (child.hash !== ref.hash) throw faultOf(object, `lists ${ref.id} with another hash`);
    if (listerOf(child) !== object.id) throw faultOf(object, `lists ${ref.id}, which hangs elsewhere`);
    if ((child.type === 'bucket') !== (ref.height !== undefined)) throw faultOf(object, 'lists a bucket as a child');
  }
};

export const checkObjects = (objects: Objects): void => {
  for (const object of objects.values()) {
    if (object.state !== 'live') continue;
    if (objectHashOf(object) !== object.hash) throw faultOf(object, 'its hash is not its own');
    checkPlace(objects, object);
    checkChildren(objects, object);
  }
};

const plainOf = (objects: Objects, node: OutlineNode): PlainTree => {
  const object = objects.get(node.id);
  return {
    text: object?.state === 'live' ? object.content : FORGOTTEN,
    children: node.children.map((child) => plainOf(objects, child)),
  };
};

/** The trees of a space as the plain model tells them. */
export const plainTrees = (objects: Objects): readonly PlainTree[] =>
  sortTrees(outlineOf(objects).map((root) => plainOf(objects, root)));
