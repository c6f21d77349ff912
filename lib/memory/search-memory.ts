/**
 * Memory as retrieval sees it, and the index of it that a warm process keeps: moved on by the objects that changed, built anew
 * where many did. What a search finds depends on memory alone, never on how the process came to it.
 */
import type { LiveObject } from './object.ts';
import type { Objects } from './read.ts';
import {
  buildRetrievalIndex,
  changeRetrievalIndex,
  type RetrievalIndex,
  type RetrievalObject,
} from './search/search.ts';

/** Changed objects by which an index is moved on: beyond, building it anew is about as quick. */
const RETRIEVAL_CHANGES_MAX = 500;

/** Property that names the session of an object of scope `session`. */
export const SESSION_PROPERTY = 'session';

/** Which session an object of scope `session` belongs to; none is nobody's. */
export const sessionOf = ({ attributes }: LiveObject): string | undefined => {
  const session = attributes.properties?.[SESSION_PROPERTY];
  return typeof session === 'string' ? session : undefined;
};

export const retrievalObjectOf = (object: LiveObject): RetrievalObject => ({
  id: object.id,
  version: object.version,
  title: object.attributes.title ?? '',
  content: object.content,
  tags: object.attributes.tags,
  scope: object.scope,
  ...(object.scope === 'session' ? { scopeKey: sessionOf(object) } : {}),
  updatedAt: object.updatedAt,
});

/**
 * Gives the index of the objects of a view. Keep it as long as the view: it remembers the last one.
 * @param isIndexed objects it does not hold for are left out; by default none is
 */
export const buildIndexKeeper = (
  isIndexed: (object: LiveObject) => boolean = () => true,
): ((objects: Objects) => RetrievalIndex) => {
  let last: { readonly objects: Objects; readonly index: RetrievalIndex } | undefined;
  /** Buckets say nothing, and what is not live has no words. */
  const searchable = (object: ReturnType<Objects['get']>): readonly RetrievalObject[] =>
    object?.state === 'live' && object.type !== 'bucket' && isIndexed(object) ? [retrievalObjectOf(object)] : [];
  return (objects) => {
    if (last?.objects === objects) return last.index;
    const index = last === undefined ? undefined : moveOn(last.index, last.objects, objects, searchable);
    last = { objects, index: index ?? buildRetrievalIndex([...objects.values()].flatMap(searchable)) };
    return last.index;
  };
};

/** `undefined` where building anew is cheaper. A view keeps the objects that did not change as they are. */
const moveOn = (
  index: RetrievalIndex,
  before: Objects,
  now: Objects,
  searchable: (object: ReturnType<Objects['get']>) => readonly RetrievalObject[],
): RetrievalIndex | undefined => {
  const changed = [...now].filter(([id, object]) => before.get(id) !== object).map(([id]) => id);
  const removed = [...before.keys()].filter((id) => !now.has(id));
  if (changed.length + removed.length > RETRIEVAL_CHANGES_MAX) return undefined;
  return changeRetrievalIndex(
    index,
    [...changed, ...removed],
    changed.flatMap((id) => searchable(now.get(id))),
  );
};
