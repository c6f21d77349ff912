/**
 * Every string an action carries, with the field it stands in: what secret searches look through. Nothing that leaves
 * is left out: argument keys, nested values and numbers count, and each text is also seen in its folded forms.
 *
 * Fields are fixed words, never argument names: those are written by the model and could hold the secret themselves.
 */

import type { Json } from '../../base/json.ts';
import type { Action } from '../../signal/action.ts';
import { canonicalText, foldLetters } from '../../text/canonical-text.ts';

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

/** All strings of an action, in a fixed order; empty fields are left out. */
export const stringsOf = (action: Action): readonly ActionString[] => {
  const found: ActionString[] = [];
  for (const field of ['text', 'to', 'url', 'tool', 'explanation', 'template', 'card'] as const) {
    const value = action[field];
    if (value !== undefined && value !== '') found.push({ field, value });
  }
  collect(action.args, found);
  return found;
};

/**
 * The forms in which a text is searched: as it is, with its letters folded, and with escapes undone as well
 * (`canonical-text.ts`). Plain text has one form, so the usual case costs nothing.
 */
export const formsOf = (value: string): readonly string[] => {
  const folded = foldLetters(value);
  const canonical = canonicalText(folded);
  const forms = folded === value ? [value] : [value, folded];
  return canonical === folded ? forms : [...forms, canonical];
};
