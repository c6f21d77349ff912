/** Makes the notes of the Scribe and of Reflection, which name their sources. Pure. */
import type { By } from '../../core/memory/commit.ts';
import type { Edit } from '../../core/memory/edit.ts';
import { NOTES_PROPERTY } from '../../core/memory/made-notes.ts';
import { buildObject, memoryIdOf } from '../../core/memory/object.ts';
import { TURNS_PROPERTY } from '../../core/memory/summary.ts';
import type { Origin } from '../../core/signal/signal.ts';

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
