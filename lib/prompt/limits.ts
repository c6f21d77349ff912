/** Bounds that the files of `lib/prompt` share: a name ends in its unit, a comment gives the reason for the number. */

/** Similarity from which an object is shown in full (the original's CONTEXT_SEMANTIC_THRESHOLD). */
export const CONTEXT_SEMANTIC_THRESHOLD = 0.75;
/** A title in an outline, and the pieces a body is shown in: the next piece has to fit, or the body ends there. */
export const CONTEXT_TITLE_CHARS_MAX = 200;
