/** The release, as in package.json (a test compares them). */
export const VERSION = '0.1.0';
/** Raised if a client from before can no longer read the answers of the HTTP API. */
export const API_VERSION = 1;

/** Header of every answer over HTTP: `0.1.0; data=6; api=1`. */
export const VERSION_HEADER = 'passepartout-version';
