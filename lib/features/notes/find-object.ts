/** Finds one object of memory by the start of its id, among those that a person may see. Pure. */
import { NotFoundError, ProtocolError } from '../../core/base/errors.ts';
import type { LiveObject, MemoryObject } from '../../core/memory/object.ts';
import { visibleOf } from '../../core/memory/outline.ts';
import type { Objects } from '../../core/memory/read.ts';
import type { NoteTexts } from './texts.ts';

const MEMORY_ID_START_CHARS_MIN = 6;

/** Such an object is left out, with all below it. */
export type IsHidden = (object: LiveObject) => boolean;

/** The visible objects. Of forgotten ones only the id is left. */
export const visibleIn = (objects: Objects, isHidden: IsHidden): ReadonlyMap<string, MemoryObject> => {
  const shown = visibleOf(objects, isHidden);
  const forgotten = [...objects.values()].filter(({ state }) => state === 'forgotten');
  return new Map([...shown, ...forgotten].map((object) => [object.id, object]));
};

/** @throws ProtocolError unless exactly one visible object's id starts so */
export const findObject = (objects: Objects, isHidden: IsHidden, typed: string, say: NoteTexts): MemoryObject => {
  const start = typed.toLowerCase();
  if (!/^[0-9a-f]{1,32}$/.test(start) || start.length < MEMORY_ID_START_CHARS_MIN)
    throw new ProtocolError(say.nameByStart(MEMORY_ID_START_CHARS_MIN));
  const found = [...visibleIn(objects, isHidden).values()].filter(({ id }) => id.startsWith(start));
  const [only] = found;
  if (only === undefined) throw new NotFoundError(say.noObject(start));
  if (found.length > 1) throw new ProtocolError(say.severalBegin(found.length, start));
  return only;
};
