/** Notes for tests of memory, and times to write them at. */
import {
  buildNote,
  buildObject,
  type LiveObject,
  type NewNote,
  type NewObject,
} from '../../../lib/core/memory/object.ts';

export const NOW = Date.UTC(2026, 0, 15, 12);
export const NONCE = '0123456789abcdef0123456789abcdef';

export const aNote = (changes: Partial<NewNote> = {}): NewNote => ({
  text: 'The spare key is under the blue pot',
  tags: ['home'],
  origin: 'owner',
  effectId: 'con-1#0',
  signalId: 'con-1',
  now: NOW,
  nonce: NONCE,
  ...changes,
});

/** An object as it would be stored, for tests of the pure parts. */
export const anObject = (text: string, n = 0, changes: Partial<NewNote> = {}): LiveObject =>
  buildNote(aNote({ text, effectId: `con-${n}#0`, now: NOW + n, ...changes }));

/** A node of a tree that no commit has written yet. */
export const aNode = (id: string, content: string, changes: Partial<NewObject> = {}): LiveObject =>
  buildObject({
    id,
    type: 'headline',
    scope: 'memex',
    attributes: { tags: [] },
    content,
    origin: 'owner',
    signalId: 's',
    effectId: 'e',
    now: NOW,
    nonce: NONCE,
    ...changes,
  });
