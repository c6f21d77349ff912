/** The setting that names the service of each tool of the web. */
export const WEB_SERVICES = { 'search-web': 'SEARCH' } as const;
