/** Hidden, control, private and unassigned characters as `\u{…}` (Unicode TR36). Emoji stay. */
import { replaceHidden } from './hidden-text.ts';

/** Characters beside those `replaceHidden` decides on: all that Unicode calls ignorable. */
const INVISIBLE = /[[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]--\p{Default_Ignorable_Code_Point}]/gv;

const spell = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** @param keepsLines line feeds stay */
export const makeVisible = (text: string, keepsLines = false): string =>
  replaceHidden(text.toWellFormed(), spell).replace(INVISIBLE, (character) =>
    keepsLines && character === '\n' ? '\n' : spell(character),
  );
