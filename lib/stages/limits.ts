/** Bounds that the files of `lib/stages` share: a name ends in its unit, a comment gives the reason for the number. */

/** Unfinished signals one sweep looks at: the next minute takes the rest. */
export const SWEEP_SIGNALS_MAX = 100;
/** Pages of unfinished signals a local start takes up again: 10,000 messages accepted and not yet worked on. */
export const SWEEP_PAGES_MAX = 100;
