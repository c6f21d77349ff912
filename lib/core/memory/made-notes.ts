/**
 * Notes that are made of something: of turns or of other notes. Properties name the sources, so
 * that forgetting a source takes the note along. Pure.
 */
import type { LiveObject } from './object.ts';
import { summarySources } from './summary.ts';

export const NOTES_PROPERTY = 'notes';
/** Of a note that others became one with. */
export const MERGED_PROPERTY = 'merged';

export interface NoteSources {
  /** Roots of turns. */
  readonly turns: readonly string[];
  /** Objects that it was made of, that its turns were shown, or that it took the place of. */
  readonly objectIds: readonly string[];
}

const listIn = ({ attributes: { properties = {} } }: LiveObject, name: string): readonly string[] => {
  const value = properties[name];
  return Array.isArray(value) ? value : [];
};

/** The sources of an object; both lists are empty if it names nothing. */
export const sourcesOf = (object: LiveObject): NoteSources => {
  const { turns, shownIds } = summarySources(object);
  return { turns, objectIds: [...shownIds, ...listIn(object, NOTES_PROPERTY)] };
};

/** Objects that became one with this one. */
export const mergedInto = (object: LiveObject): readonly string[] => listIn(object, MERGED_PROPERTY);
