/**
 * Text of unknown origin, fit to be shown to a person who decides on it: control, bidirectional and zero-width characters
 * become `\u{…}`, so that what is seen is what is there (Unicode TR36, "Trojan Source").
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u00ad\u115f\u1160\u3164\uffa0]/gu;

/** Line feeds stay only where `keepsLines` is set. */
export const makeVisible = (text: string, keepsLines = false): string =>
  text
    .toWellFormed()
    .replace(INVISIBLE, (character) =>
      keepsLines && character === '\n' ? '\n' : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
    );
