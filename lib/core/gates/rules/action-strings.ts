/**
 * Every string an action carries, with its field: the searches for secrets look through these.
 * Argument keys, nested values and numbers count too.
 * A field is a fixed word, never an argument's name: the model wrote that name, and it could be the
 * secret.
 */

import type { Json } from '../../base/json.ts';
import type { Action } from '../../signal/action.ts';
import { asSeen } from '../../text/as-seen.ts';
import { foldLetters, undoEscapes } from '../../text/canonical-text.ts';

export interface ActionString {
  readonly field: 'text' | 'to' | 'url' | 'tool' | 'explanation' | 'template' | 'card' | 'args' | 'args (key)';
  readonly value: string;
}

const collect = (value: Json | undefined, found: ActionString[]): void => {
  if (typeof value === 'string') found.push({ field: 'args', value });
  else if (typeof value === 'number') found.push({ field: 'args', value: String(value) });
  else if (Array.isArray(value)) for (const item of value) collect(item, found);
  else if (value !== null && typeof value === 'object') {
    for (const [key, child] of Object.entries(value)) {
      found.push({ field: 'args (key)', value: key });
      collect(child, found);
    }
  }
};

/** The texts in a fixed order, without empty fields. */
export const stringsOf = (action: Action): readonly ActionString[] => {
  const found: ActionString[] = [];
  for (const field of ['text', 'to', 'url', 'tool', 'explanation', 'template', 'card'] as const) {
    const value = action[field];
    if (value !== undefined && value !== '') found.push({ field, value });
  }
  collect(action.args, found);
  return found;
};

/** The forms in which a text is searched (`canonical-text.ts`). Plain text has one. */
export const formsOf = (value: string): readonly string[] => {
  const folded = foldLetters(value);
  const canonical = undoEscapes(folded);
  const forms = folded === value ? [value] : [value, folded];
  return canonical === folded ? forms : [...forms, canonical];
};

/** Beyond printed ASCII, or the beginning of an escape, a colour or a tag. */
const MAY_DIFFER = /[^\t\n -$'-;=-[\]_-~]/;

/** These forms of a text and of what a screen shows of it. */
export const formsSeen = (value: string): readonly string[] => {
  if (!MAY_DIFFER.test(value)) return [value];
  const seen = asSeen(value);
  return seen === value ? formsOf(value) : [...new Set([...formsOf(seen), ...formsOf(value)])];
};
