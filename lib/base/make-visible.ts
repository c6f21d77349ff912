/**
 * Text of unknown origin, fit to be shown to a person who decides on it: what it hides, and
 * control, private and unassigned characters, become `\u{…}`, so that what is seen is what is there
 * (Unicode TR36, "Trojan Source"). Emoji and joined letters stay as they are written.
 */
import { replaceHidden } from './hidden-text.ts';

/** Beside what `replaceHidden` knows, which decides on everything that Unicode calls ignorable. */
const INVISIBLE = /[[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]--\p{Default_Ignorable_Code_Point}]/gv;

const spell = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** Line feeds stay only where `keepsLines` is set. */
export const makeVisible = (text: string, keepsLines = false): string =>
  replaceHidden(text.toWellFormed(), spell).replace(INVISIBLE, (character) =>
    keepsLines && character === '\n' ? '\n' : spell(character),
  );
