/**
 * The part of memory that a prompt may show, with its active projects and search indexes. Leaves
 * out private objects and those below them, and summaries of conversations, which stand only at the
 * front of their own history. Use one cache for the life of a process: a result for an object holds
 * as long as the object.
 */
import { buildIndexKeeper } from '../memory/index-keeper.ts';
import type { LiveObject } from '../memory/object.ts';
import { visibleOf } from '../memory/outline.ts';
import { isActiveProject } from '../memory/project.ts';
import type { MemoryView, Objects } from '../memory/read.ts';
import type { RetrievalIndex } from '../memory/search/search.ts';
import { isMarkedPrivate } from '../text/privacy.ts';

export interface VisibleMemory {
  /** The commit it shows. */
  readonly number: number;
  /** All objects, for the places of children. */
  readonly objects: Objects;
  readonly visible: ReadonlyMap<string, LiveObject>;
  readonly projects: readonly LiveObject[];
  /**
   * Built when first asked for. Notes from outside have an index of their own, so that they change
   * neither rank nor weight of the owner's. Private objects are in both: the search says what may
   * be found.
   */
  readonly index: (of: 'own' | 'outside') => RetrievalIndex;
}

/** @param privacyTags the space's own, beside `personal` */
export const buildVisibleMemoryCache = (privacyTags: readonly string[]): ((view: MemoryView) => VisibleMemory) => {
  const marks = new WeakMap<LiveObject, boolean>();
  const isHidden = (object: LiveObject): boolean => {
    const known = marks.get(object) ?? isMarkedPrivate(object, privacyTags);
    marks.set(object, known);
    return known;
  };
  const indexes = {
    own: buildIndexKeeper(({ origin }) => origin !== 'outside'),
    outside: buildIndexKeeper(({ origin }) => origin === 'outside'),
  };
  let last: VisibleMemory | undefined;
  return ({ number, objects }) => {
    if (last?.objects === objects) return last;
    const shown = visibleOf(objects, isHidden);
    last = {
      number,
      objects,
      visible: new Map(shown.flatMap((object) => (object.type === 'summary' ? [] : [[object.id, object]]))),
      projects: shown.filter(({ attributes }) => isActiveProject(attributes)),
      index: (of) => indexes[of](objects),
    };
    return last;
  };
};
