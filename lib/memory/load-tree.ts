/** A tree of memory as ingesting sees it, read level by level; and the root that a tree's key names. */
import { ProtocolError } from '../base/errors.ts';
import { descendantsOf, drive, emptyForest, findLive } from './forest.ts';
import type { ExistingTree } from './ingest.ts';
import type { MemoryObject } from './object.ts';
import { childrenOf } from './outline.ts';
import type { MemoryView } from './view.ts';
import type { PlanBase } from './write.ts';

/** @throws ProtocolError when there is no such tree. */
export const loadTree = async ({ read }: PlanBase, rootId: string): Promise<ExistingTree> => {
  const forest = emptyForest();
  const root = await drive(findLive(forest, rootId), read);
  const below = await drive(descendantsOf(forest, root), read);
  const objects = new Map<string, MemoryObject>([root, ...below].map((object) => [object.id, object]));
  return { root, childrenOf: (node) => childrenOf(objects, node) };
};

/** @throws ProtocolError where memory is too large to be sure. */
export const findRootByKey = (view: MemoryView, key: string): string | undefined => {
  for (const object of view.objects.values())
    if (object.state === 'live' && object.parentId === undefined && object.attributes.key === key) return object.id;
  if (view.isPartial) throw new ProtocolError('memory is too large to find a tree by its key: name its root');
  return undefined;
};
