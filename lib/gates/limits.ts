/** Bounds that the files of `lib/gates` share: a name ends in its unit, a comment gives the reason for the number. */

/** Configured secrets shorter than this are not searched for: they would be found in ordinary words. */
export const SECRET_CHARS_MIN = 6;
