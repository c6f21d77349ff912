/**
 * Checks stored objects against their hashes: the words, the object, its children and its place. A
 * part of memory is checked each day, so that all of it is checked in four weeks. Pure.
 */
import { DAY_MS } from '../../core/base/limits.ts';
import { listerOf, refsOf } from '../../core/memory/forest.ts';
import { contentHashOf, type LiveObject, type MemoryObject, objectHashOf } from '../../core/memory/object.ts';
import type { Objects } from '../../core/memory/read.ts';

export interface Damaged {
  readonly id: string;
  /** Ends a sentence that begins with the object. */
  readonly why: string;
}

/** Days in which all of memory is checked: a space of 10,000 notes reads some 360 a day. */
const CHECK_DAYS = 28;

/** Objects whose turn it is on that day. @param now epoch milliseconds */
export const chooseToCheck = (objects: Objects, now: number): readonly MemoryObject[] => {
  const part = Math.floor(now / DAY_MS) % CHECK_DAYS;
  return [...objects.values()].filter(({ id }) => Number.parseInt(id.slice(0, 8), 16) % CHECK_DAYS === part);
};

/** Ids of everything that the check of these objects needs. */
export const idsToCheck = (objects: readonly MemoryObject[]): readonly string[] => [
  ...new Set(
    objects.flatMap((object) => [object.id, listerOf(object) ?? object.id, ...refsOf(object).map(({ id }) => id)]),
  ),
];

const problemOf = (object: LiveObject, stored: Objects): string | undefined => {
  if (contentHashOf(object.content) !== object.contentHash) return 'its words do not fit their hash';
  if (objectHashOf(object) !== object.hash) return 'it does not fit its hash';
  const wrong = object.children.find(({ id, hash }) => {
    const child = stored.get(id);
    return child === undefined || (child.state !== 'removed' && child.hash !== hash);
  });
  if (wrong !== undefined) return `its entry ${wrong.id} is missing, or has another hash`;
  const lister = listerOf(object);
  const above = lister === undefined ? undefined : stored.get(lister);
  const isListed = above?.state !== 'live' || above.children.some(({ id }) => id === object.id);
  return isListed ? undefined : 'the note above it does not list it';
};

/** @param stored read afresh, without missing objects */
export const findDamage = (checked: readonly MemoryObject[], stored: Objects): readonly Damaged[] =>
  checked.flatMap(({ id }): readonly Damaged[] => {
    const object = stored.get(id);
    if (object === undefined) return [{ id, why: 'it is gone from the table' }];
    const why = object.state === 'live' ? problemOf(object, stored) : undefined;
    return why === undefined ? [] : [{ id, why }];
  });
