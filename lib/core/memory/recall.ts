/**
 * Finds objects in memory's view: those a question names by id, then the owner's that share words
 * with it, then untrusted ones. Untrusted notes have an index and places of their own, so that they
 * hide none of the owner's. A result depends on memory alone, not on the process.
 */

import { MEMORY_RESULTS_MAX } from '../base/limits.ts';
import { buildIndexKeeper } from './index-keeper.ts';
import type { LiveObject } from './object.ts';
import { visibleOf } from './outline.ts';
import type { MemoryView } from './read.ts';
import { search } from './search/search.ts';

/** Places that untrusted objects always get. */
const MEMORY_OUTSIDE_RESULTS_MIN = 5;

/** At least one result, at most `MEMORY_RESULTS_MAX`. */
export const clampResults = (limit: number): number => Math.max(1, Math.min(Math.trunc(limit), MEMORY_RESULTS_MAX));

export type Recall = (question: {
  readonly query: string;
  readonly limit: number;
  readonly isHidden?: (object: LiveObject) => boolean;
}) => Promise<readonly LiveObject[]>;

/** The owner's results first; untrusted ones take the places left, and a few in any case. */
export const shareResults = <T>(own: readonly T[], outside: readonly T[], limit: number): readonly T[] => {
  const places = Math.max(limit - own.length, Math.min(limit, MEMORY_OUTSIDE_RESULTS_MIN));
  const shown = outside.slice(0, places);
  return [...own.slice(0, limit - shown.length), ...shown];
};

/** @param now epoch milliseconds. */
export const buildRecall = (view: () => Promise<MemoryView>, now: () => number): Recall => {
  const isOutside = ({ origin }: LiveObject): boolean => origin === 'outside';
  const ownIndex = buildIndexKeeper((object) => !isOutside(object));
  const outsideIndex = buildIndexKeeper(isOutside);
  return async ({ query, limit, isHidden = () => false }) => {
    const { objects } = await view();
    const visible = new Map(visibleOf(objects, isHidden).map((object) => [object.id, object]));
    const isShown = (id: string): boolean => visible.has(id);
    const asked = { segments: [], now: now(), limit: clampResults(limit), isShown };
    const named = (query.match(/\b[0-9a-f]{32}\b/g) ?? []).filter(isShown);
    const outside = search(outsideIndex(objects), { text: query }, asked).map(({ id }) => id);
    const own = search(ownIndex(objects), { text: query }, asked).map(({ id }) => id);
    const found = shareResults(own, outside, asked.limit);
    return [...new Set([...named, ...found])].slice(0, asked.limit).flatMap((id) => visible.get(id) ?? []);
  };
};
