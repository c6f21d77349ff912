/** The functions that features bring. What each may do is in `infra/feature-functions.ts`. */
export const FEATURE_FUNCTIONS = ['telegram', 'webhook', 'runner', 'document', 'mcp', 'mail', 'traces'] as const;
export type FeatureFunction = (typeof FEATURE_FUNCTIONS)[number];
/** Those that send signals to Perceive. */
export const SENDERS = ['telegram', 'webhook', 'runner', 'mail'] as const;
/** Those that may run the console. */
export const CONSOLE_RUNNERS = ['mcp'] as const;
/** Those whose role has no table. */
export const WITHOUT_TABLE: readonly string[] = ['document', ...CONSOLE_RUNNERS];
