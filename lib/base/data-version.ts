/**
 * Versions of the data. A release that writes data its predecessor cannot read raises them. They
 * have a file of their own, so that the template can name them without loading the store.
 */

/** The newest version that this release reads. */
export const DATA_VERSION = 2;

/**
 * The version that its start stores. The first job (one of a built-in skill too) and the first
 * added skill raise it further: the release before reads everything but these and their leaves.
 */
export const START_DATA_VERSION = 1;
