/** Finding objects in memory's view: those a question names by id, then those that share words with it. Keeps its index from call to call. */
import { MEMORY_RESULTS_MAX } from '../limits.ts';
import { search } from '../retrieval/search.ts';
import type { LiveObject } from './object.ts';
import { visibleOf } from './outline.ts';
import { buildIndexKeeper } from './search-memory.ts';
import type { MemoryView } from './view.ts';

const clamp = (limit: number): number => Math.max(1, Math.min(Math.trunc(limit), MEMORY_RESULTS_MAX));

export type Recall = (question: {
  readonly query: string;
  readonly limit: number;
  readonly session?: string;
  readonly isHidden?: (object: LiveObject) => boolean;
}) => Promise<readonly LiveObject[]>;

/** @param now epoch milliseconds. */
export const buildRecall = (view: () => Promise<MemoryView>, now: () => number): Recall => {
  const indexOf = buildIndexKeeper();
  return async ({ query, limit, session, isHidden = () => false }) => {
    const { objects } = await view();
    const visible = new Map(visibleOf(objects, isHidden).map((object) => [object.id, object]));
    const isShown = (id: string): boolean => visible.has(id);
    const asked = { segments: [], now: now(), session, limit: clamp(limit), isShown };
    const named = (query.match(/\b[0-9a-f]{32}\b/g) ?? []).filter(isShown);
    const found = search(indexOf(objects), { text: query }, asked).map(({ id }) => id);
    return [...new Set([...named, ...found])].slice(0, asked.limit).flatMap((id) => visible.get(id) ?? []);
  };
};
