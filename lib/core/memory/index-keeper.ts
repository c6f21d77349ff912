/**
 * The search index of memory's view: each note with its place, which is among the notes of its
 * parent, its conversation or its day, and with the day it is about. Pure.
 */
import { DAY_MS } from '../base/limits.ts';
import type { LiveObject, MemoryObject } from './object.ts';
import { ancestorsOf, childrenOf } from './outline.ts';
import type { Objects } from './read.ts';
import { sessionOf } from './scope.ts';
import { buildRetrievalIndex, type RetrievalIndex, type RetrievalObject } from './search/search.ts';
import { dayOfTitle } from './search/time-span.ts';

/** A root that a file gave stands alone: files come in no order that means anything. */
const placeOf = (object: LiveObject, orders: ReadonlyMap<string, number>): RetrievalObject['place'] => {
  const { id, parentId, createdAt, lastSync } = object;
  if (parentId !== undefined) return { group: parentId, order: orders.get(id) ?? 0 };
  if (lastSync !== undefined) return undefined;
  const group = sessionOf(object) ?? `day ${Math.floor(createdAt / DAY_MS)}`;
  return { group, order: createdAt };
};

const titleOf = (object: MemoryObject): string => (object.state === 'live' ? (object.attributes.title ?? '') : '');

const buildIndex = (objects: Objects, isIndexed: (object: LiveObject) => boolean): RetrievalIndex => {
  const orders = new Map<string, number>();
  const days = new Map<string, number>();
  for (const object of objects.values()) {
    for (const [n, { id }] of childrenOf(objects, object).entries()) orders.set(id, n);
    const day = dayOfTitle(titleOf(object));
    if (day !== undefined) days.set(object.id, day.from);
  }
  const dayOf = (object: LiveObject): number => {
    const titled =
      days.size === 0 ? undefined : [object, ...ancestorsOf(objects, object)].find(({ id }) => days.has(id));
    return days.get(titled?.id ?? '') ?? object.createdAt;
  };
  /** Buckets and dead objects have no words. */
  const searchable = [...objects.values()].filter(
    (object): object is LiveObject => object.state === 'live' && object.type !== 'bucket' && isIndexed(object),
  );
  return buildRetrievalIndex(
    searchable.map((object) => ({
      id: object.id,
      version: object.version,
      title: titleOf(object),
      content: object.content,
      tags: object.attributes.tags,
      updatedAt: object.updatedAt,
      at: dayOf(object),
      place: placeOf(object, orders),
    })),
  );
};

/** Keep it as long as the view: while nothing changes, the last index stays. */
export const buildIndexKeeper = (
  isIndexed: (object: LiveObject) => boolean,
): ((objects: Objects) => RetrievalIndex) => {
  let last: { readonly objects: Objects; readonly index: RetrievalIndex } | undefined;
  return (objects) => {
    if (last?.objects !== objects) last = { objects, index: buildIndex(objects, isIndexed) };
    return last.index;
  };
};
