/** The release, as package.json says it (a test compares the two): shown in CONFIG, health and exports. */
export const VERSION = '0.1.0';
