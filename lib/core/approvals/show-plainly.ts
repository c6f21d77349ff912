/** One line of a text for a person who decides on it, with nothing invisible in it. Pure. */
import { makeVisible } from '../base/make-visible.ts';
import { markLookalikes } from './mark-lookalikes.ts';

/** Spaces in a row that are shown as they are: longer gaps could hide the rest. */
const GAP_CHARS_MAX = 8;
/** Further characters that look like nothing or like a space, which `makeVisible` does not know. */
const LOOKS_EMPTY = /[\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;
const GAP = new RegExp(` {${GAP_CHARS_MAX + 1},}`, 'gu');

export const showPlainly = (text: string): string =>
  markLookalikes(makeVisible(text.replace(/\r?\n/g, ' ⏎ ')))
    .replace(LOOKS_EMPTY, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
    .replace(GAP, (gap) => ` \\u{20}×${gap.length} `);
