/** The functions that features bring; `infra/feature-functions.ts` says what each may do. */
export const FEATURE_FUNCTIONS = [
  ...(['telegram', 'slack', 'signal', 'mail', 'webhook'] as const),
  ...(['runner', 'document', 'mcp', 'responses', 'traces'] as const),
] as const;
export type FeatureFunction = (typeof FEATURE_FUNCTIONS)[number];
/** Those that send signals to Perceive. */
export const SENDERS = ['telegram', 'slack', 'signal', 'mail', 'webhook', 'runner'] as const;
/** Those that may run the console. */
export const CONSOLE_RUNNERS = ['mcp', 'responses'] as const;
/** Those whose role has no table. */
export const WITHOUT_TABLE: readonly string[] = ['document', ...CONSOLE_RUNNERS];
