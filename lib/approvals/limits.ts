/** Bounds that the files of `lib/approvals` share: a name ends in its unit, a comment gives the reason for the number. */

/** Loosened arguments of one grant, and the length of a path or prefix: a bound a person can still picture. */
export const GRANT_LOOSENED_MAX = 8;
