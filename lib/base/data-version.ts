/**
 * The version of the data that this release writes. A release that writes data its predecessor
 * cannot read raises it. It has a file of its own, so that the template can name it without loading
 * the store.
 */
export const DATA_VERSION = 1;
