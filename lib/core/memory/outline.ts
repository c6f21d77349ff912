/**
 * Memory as people see it: trees of titles, roots newest first, children in order, without buckets;
 * and pages of objects. A forgotten node shows only that it was there.
 */
import * as z from 'zod/mini';
import { defined } from '../base/defined.ts';
import { ProtocolError } from '../base/errors.ts';
import { readJson } from '../base/json.ts';
import type { LiveObject, MemoryObject, MemoryType } from './object.ts';
import { MemoryId, type MemoryScope } from './object-parts.ts';
import type { Objects } from './read.ts';
import { titleOf } from './rollback.ts';

export interface OutlineNode {
  readonly id: string;
  readonly type: MemoryType;
  readonly scope: MemoryScope;
  /** Empty if it was forgotten. */
  readonly title: string;
  readonly tags: readonly string[];
  readonly todo?: string;
  readonly isForgotten: boolean;
  readonly children: readonly OutlineNode[];
}

/** Children of a node in order, through its buckets. */
export const childrenOf = (objects: Objects, node: MemoryObject): readonly MemoryObject[] => {
  if (node.state !== 'live') return [];
  return node.children.flatMap(({ id }) => {
    const child = objects.get(id);
    if (child === undefined || child.state === 'removed') return [];
    return child.type === 'bucket' ? childrenOf(objects, child) : [child];
  });
};

/** Nodes above an object, nearest first. */
export const ancestorsOf = (objects: Objects, object: MemoryObject): readonly MemoryObject[] => {
  const above: MemoryObject[] = [];
  const seen = new Set([object.id]);
  for (let id = object.parentId; id !== undefined && !seen.has(id); ) {
    seen.add(id);
    const parent = objects.get(id);
    if (parent === undefined) break;
    above.push(parent);
    id = parent.parentId;
  }
  return above;
};

/** Objects that are neither hidden nor below a hidden one. */
export const visibleOf = (objects: Objects, isHidden: (object: LiveObject) => boolean): readonly LiveObject[] => {
  const known = new Map<string, boolean>();
  const isOut = (object: MemoryObject): boolean => {
    const answer = known.get(object.id);
    if (answer !== undefined) return answer;
    // Guards against a circle, which no commit makes.
    known.set(object.id, true);
    const parent = object.parentId === undefined ? undefined : objects.get(object.parentId);
    const isBelow = object.parentId !== undefined && (parent === undefined || isOut(parent));
    const isHere = isBelow || (object.state === 'live' && isHidden(object));
    known.set(object.id, isHere);
    return isHere;
  };
  return [...objects.values()].filter(
    (object): object is LiveObject => object.state === 'live' && object.type !== 'bucket' && !isOut(object),
  );
};

const nodeOf = (objects: Objects, object: MemoryObject): OutlineNode => ({
  id: object.id,
  type: object.type,
  scope: object.scope,
  title: object.state === 'live' ? titleOf(object) : '',
  tags: object.state === 'live' ? object.attributes.tags : [],
  ...defined({ todo: object.state === 'live' ? object.attributes.todo : undefined }),
  isForgotten: object.state === 'forgotten',
  children: childrenOf(objects, object).map((child) => nodeOf(objects, child)),
});

/** The tree under a node, or all trees without forgotten roots. */
export const outlineOf = (objects: Objects, rootId?: string): readonly OutlineNode[] => {
  if (rootId !== undefined) {
    const root = objects.get(rootId);
    return root === undefined || root.state === 'removed' ? [] : [nodeOf(objects, root)];
  }
  return [...objects.values()]
    .filter(({ state, parentId }) => state === 'live' && parentId === undefined)
    .sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1))
    .map((root) => nodeOf(objects, root));
};

const Cursor = z.tuple([z.int(), MemoryId]);

/** Ids break ties. */
export const byNewest = (a: LiveObject, b: LiveObject): number =>
  b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

const encodeCursor = (object: LiveObject): string =>
  Buffer.from(JSON.stringify([object.updatedAt, object.id])).toString('base64url');

const parseCursor = (cursor: string): z.infer<typeof Cursor> => {
  const { data } = Cursor.safeParse(readJson(Buffer.from(cursor, 'base64url').toString('utf8')));
  if (data === undefined) throw new ProtocolError('the cursor is none that this list gave');
  return data;
};

const isAfter = (object: LiveObject, [updatedAt, id]: z.infer<typeof Cursor>): boolean =>
  object.updatedAt < updatedAt || (object.updatedAt === updatedAt && object.id > id);

/** The cursor names the last object shown. @throws ProtocolError if no page gave it */
export const pageOf = (
  objects: readonly LiveObject[],
  limit: number,
  cursor: string | undefined,
): { readonly objects: readonly LiveObject[]; readonly cursor?: string } => {
  const after = cursor === undefined ? undefined : parseCursor(cursor);
  const open = [...objects].sort(byNewest).filter((object) => after === undefined || isAfter(object, after));
  const shown = open.slice(0, limit);
  const last = shown.at(-1);
  return {
    objects: shown,
    ...(last === undefined || open.length === shown.length ? {} : { cursor: encodeCursor(last) }),
  };
};
