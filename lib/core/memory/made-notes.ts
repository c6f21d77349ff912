/**
 * Notes that the agent makes of something: of turns (the Scribe's) or of other notes (insights).
 * Properties name the sources, so that forgetting a source takes the note along. Pure.
 */
import type { Origin } from '../signal/signal.ts';
import type { By } from './commit.ts';
import type { Edit } from './edit.ts';
import { buildObject, type LiveObject, memoryIdOf } from './object.ts';
import { summarySources, TURNS_PROPERTY } from './summary.ts';
import { MERGED_PROPERTY } from './tend/mends.ts';

const NOTES_PROPERTY = 'notes';

export interface Sources {
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
export const sourcesOf = (object: LiveObject): Sources => {
  const { turns, shownIds } = summarySources(object);
  return { turns, objectIds: [...shownIds, ...listIn(object, NOTES_PROPERTY)] };
};

/** Objects that became one with this one. */
export const mergedInto = (object: LiveObject): readonly string[] => listIn(object, MERGED_PROPERTY);

/** The same turns always give the same ids, so that the same period twice makes the same notes. */
export const scribeNoteId = (turns: readonly string[], n: number): string =>
  memoryIdOf(`scribe\n${turns.join('\n')}`, n);

export interface NewMadeNote {
  readonly id: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly turns?: readonly string[];
  readonly notes?: readonly string[];
}

export const createMade = (note: NewMadeNote, by: By, origin: Origin, nonce: string): Edit => ({
  kind: 'create',
  object: buildObject({
    id: note.id,
    type: 'note',
    scope: 'memex',
    attributes: {
      tags: [...new Set(note.tags)],
      properties: {
        ...(note.turns === undefined ? {} : { [TURNS_PROPERTY]: [...note.turns] }),
        ...(note.notes === undefined ? {} : { [NOTES_PROPERTY]: [...note.notes] }),
      },
    },
    content: note.text,
    origin,
    effectId: by.effectId,
    signalId: by.signalId,
    now: by.now,
    nonce,
  }),
  place: {},
});
